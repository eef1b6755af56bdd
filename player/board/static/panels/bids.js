// Games with bidding or random turns, and the chances of a position at random turns.

import { html } from "../vendor/lit-html.js";
import { MOST_CHIPS, begin, bidsState, end, playTurn } from "../bidding.js";
import { withCells } from "../board.js";
import { name, perCent } from "../layers.js";
import { say } from "../state.js";
import { button, checkbox, choice, endButtons, number, working } from "./fields.js";

export function bidsPanels(app) {
  const bids = bidsState(app);
  const game = bids.variant === "bidding" ? biddingGame : randomTurnGame;
  return html`${bids.isOn ? game(app, bids) : startForm(app, bids)} ${oddsPanel(app, bids)}`;
}

function startForm(app, bids) {
  const sides = [["white", name("white")], ["black", name("black")]];
  const isBidding = bids.variant === "bidding";
  return html`<section><h2>A game of bids or of chance</h2>
    ${isBidding ? rules() : html`<p>A coin decides who moves.</p>`}
    ${working(app, "bids")}
    <form class="fields" @submit=${() => begin(app, bids)}>
    ${choice(app, bids, "variant", "Turns",
      [["bidding", "by bids"], ["random-turn", "by a coin"]])}
    ${choice(app, bids, "engine", "The engine is", [...sides, [null, "nobody: two people"]])}
    ${number(app, bids, "size", "Board", 2, 13)}
    ${isBidding ? html`${number(app, bids, "black", `${name("black")}'s chips`, 0, MOST_CHIPS)}
      ${number(app, bids, "white", `${name("white")}'s chips`, 0, MOST_CHIPS)}
      ${choice(app, bids, "holder", "Tie-break chip", [...sides].reverse())}` : ""}
    <p class="buttons"><button ?disabled=${app.busy.has("bids")}>New game</button></p></form>
    </section>`;
}

const rules = () => html`<ul class="rules">
    <li>Both bid in secret; the higher bid is paid over, and moves.</li>
    <li>On equal bids the holder of the chip * may hand it over, pay and move.</li>
    <li>Or the holder keeps the chip, is paid, and lets the other move.</li></ul>`;

function biddingGame(app, bids) {
  const { chips, holder, winner, mover } = bids.state;
  const has = (color) => html`${name(color)} has
    <b>${chips[color]}${holder === color ? "*" : ""}</b>`;
  return html`<section><h2>Bidding</h2><p>${has("black")} chips, ${has("white")}.</p>
    ${bids.said ? html`<p class="change">${withCells(app, bids.said)}</p>` : ""}
    ${bids.reason ? html`<details><summary>Details</summary>
      <p>${withCells(app, bids.reason)}</p></details>` : ""}
    ${working(app, "bids")} ${winner === null && mover === null ? bidForm(app, bids) : ""}
    ${winner === null && mover !== null
      ? html`<p>${name(mover)} has won the bids: click a cell.</p>` : ""}
    ${rules()} ${endButton(app, bids)}</section>`;
}

// The form for a bid: of the engine's opponent, or of two people one after the other.
function bidForm(app, bids) {
  const { sealed, chips, holder } = bids.state;
  const people = ["black", "white"].filter((color) => color !== bids.engine);
  const bidder = sealed === null ? people[0] : people[1], isShared = people.length === 2;
  const seal = () => {
    const slip = { bid: Number(bids.bid), takes_tie: bids.takesTie };
    playTurn(app, bids, { bids: { [bidder]: slip }, sealed });
  };
  const set = (event) => { bids.bid = event.target.value; };
  const take = (isOn) => { bids.takesTie = isOn; };
  return html`<form class="buttons" @submit=${seal}><label>${name(bidder)} bids, sealed
      <input type=${isShared ? "password" : "number"} inputmode="numeric" min="0"
        max=${chips[bidder]} required pattern="[0-9]+" title="chips, from 0 to ${chips[bidder]}"
        autocomplete="off" .value=${bids.bid} @input=${set}></label>
    ${holder === bidder
      ? checkbox("on a tie, hand the chip over and move", bids.takesTie, take) : ""}
    <button ?disabled=${app.busy.has("bids")}>Seal the bid</button></form>`;
}

function randomTurnGame(app, bids) {
  const { state, said } = bids, isOn = state.winner === null;
  return html`<section><h2>Random turns</h2>
    ${said ? html`<p class="change">${withCells(app, said)}</p>` : ""} ${working(app, "bids")}
    ${isOn ? html`<p>${name(state.mover)} moves: click a cell.</p>` : ""}
    ${endButton(app, bids)}</section>`;
}

function endButton(app, bids) {
  return endButtons(app, bids, bids.state.winner !== null, () => end(app, bids));
}

function oddsPanel(app, bids) {
  const found = app.node.odds;
  return html`<section><h2>Chances and a fair bid</h2>
    <p class="buttons">
      ${button("Count the chances here", () => count(app, bids), app.busy.has("odds"))}</p>
    ${working(app, "odds")} ${found ? chances(app, found) : ""}</section>`;
}

async function count(app, bids) {
  await app.acting;
  const { node, position } = app, { black, white } = bids.state?.chips ?? bids;
  const holder = bids.state?.holder ?? bids.holder;
  const fields = { position, black, white, holder };
  const answer = await app.work("odds", "odds", fields, undefined, { about: node });
  if (answer === null) return;
  node.odds = answer;
  if (node !== app.node) return;
  say(answer.said[1]);
  app.wantInSight(".chances");
}

// With the chips that were asked about: those of the form may be others by now.
function chances(app, { bid, said }) {
  const part = perCent(bid.win_probability.black), { black, white } = bid.chips;
  return html`<div class="chances"><p>At random turns ${name("black")} ${part} %,
      ${name("white")} ${100 - part} % win.</p>
    <p>A fair bid is <b>${bid.bid}</b>, for ${withCells(app, bid.move)}, with ${black} and
      ${white} chips.</p>
    <p class="hint of-board">On the board: how often each cell decides the game, in per cent.</p>
    <details><summary>Details</summary>
      ${said.slice(1).map((line) => html`<p>${withCells(app, line)}</p>`)}</details></div>`;
}
