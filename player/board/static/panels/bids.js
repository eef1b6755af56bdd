// Bidding and random turns: whole games, the chance to win, and what a fair bid is.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { name } from "../layers.js";
import { say } from "../speech.js";
import { positionAt } from "../stones.js";
import { cutRecord, fromRecord } from "../tree.js";
import { working } from "./working.js";

const START = {
  variant: "bidding", black: 100, white: 100, holder: "black", engine: "white", size: 7,
  isOn: false, state: null, said: "", reason: "", bid: 10, takesTie: true,
};

export function bidsPanels(app) {
  app.bids ??= { ...START };
  const bids = app.bids;
  const game = bids.variant === "bidding" ? biddingGame : randomTurnGame;
  return html`${bids.isOn ? game(app, bids) : startForm(app, bids)} ${oddsPanel(app, bids)}`;
}

function number(bids, key, title, most = 100000) {
  const set = (event) => { bids[key] = Number(event.target.value); };
  return html`<label>${title} <input type="number" min="0" max=${most} .value=${String(bids[key])}
    @change=${set}></label>`;
}

function choice(app, bids, key, title, options) {
  const set = (event) => { bids[key] = event.target.value || null; app.changed(); };
  return html`<label>${title} <select @change=${set}>${options.map(([value, text]) =>
    html`<option value=${value ?? ""} ?selected=${bids[key] === value}>${text}</option>`)}
    </select></label>`;
}

function startForm(app, bids) {
  const start = (event) => { event.preventDefault(); begin(app, bids); };
  const sides = [["white", name("white")], ["black", name("black")]];
  const isBidding = bids.variant === "bidding";
  return html`<section><h2>A game of bids or of chance</h2>
    ${isBidding ? rules() : html`<p>A coin says who moves.</p>`}
    <form class="fields" @submit=${start}>
    ${choice(app, bids, "variant", "Turns",
      [["bidding", "by bids"], ["random-turn", "by a coin"]])}
    ${choice(app, bids, "engine", "The engine is", [...sides, [null, "nobody: two people"]])}
    ${number(bids, "size", "Board", 13)}
    ${isBidding ? html`${number(bids, "black", `${name("black")}'s chips`)}
      ${number(bids, "white", `${name("white")}'s chips`)}
      ${choice(app, bids, "holder", "Tie-break chip", [...sides].reverse())}` : ""}
    <p class="buttons"><button>New game</button></p></form></section>`;
}

const rules = () => html`<ul class="rules">
    <li>Both bid in secret; the higher bid is paid over, and moves.</li>
    <li>On equal bids the holder of the chip * may hand it over, pay and move.</li>
    <li>Or the holder keeps the chip, is paid, and lets the other move.</li></ul>`;

async function begin(app, bids) {
  app.newGame(bids.size, bids.size);
  Object.assign(bids, { isOn: true, said: "", state: null, odds: null });
  app.onPress = (cell) => { move(app, bids, cell); return true; };
  await turn(app, bids, { chips: [bids.black, bids.white, bids.holder] });
}

// Take over the game as the server has it, with bids, chips and coins.
function takeOver(app, bids, found) {
  if (found === null) return;
  bids.state = found;
  const isBid = bids.variant === "bidding" && found.move !== null;
  Object.assign(bids, { said: found.said, reason: isBid ? found.reason : "" });
  say(found.sealed ? "The bid is sealed. The other player bids." : bids.said);
  const { game, node } = fromRecord(found.game);
  app.game = game;
  app.go(node, false);
}

async function turn(app, bids, fields) {
  const { variant, engine } = bids, game = cutRecord(app.game, app.node);
  takeOver(app, bids, await app.work("bids", "turn", { variant, game, engine, ...fields }));
}

function move(app, bids, cell) {
  const { isOn, state, engine } = bids;
  if (!isOn || state === null || state.winner !== null || app.busy.has("bids")) return;
  if (state.mover === null) app.complain("bids come before the move");
  else if (state.mover === engine) app.complain("the engine is to move");
  else turn(app, bids, { cell });
}

function biddingGame(app, bids) {
  const { state } = bids;
  if (state === null) return html`<section><h2>Bidding</h2>${working(app, "bids")}</section>`;
  const { chips, holder, winner, mover } = state;
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

// Who bids now: of two people the second one once the first one's bid is sealed.
function bidForm(app, bids) {
  const { sealed, chips, holder } = bids.state;
  const people = ["black", "white"].filter((color) => color !== bids.engine);
  const bidder = sealed === null ? people[0] : people[1], isShared = people.length === 2;
  const seal = (event) => {
    event.preventDefault();
    const slip = { bid: bids.bid, takes_tie: bids.takesTie };
    bids.bid = isShared ? 0 : bids.bid;
    turn(app, bids, { bids: { [bidder]: slip }, sealed });
  };
  const set = (event) => { bids.bid = Number(event.target.value) || 0; };
  const take = (event) => { bids.takesTie = event.target.checked; };
  return html`<form class="buttons" @submit=${seal}><label>${name(bidder)} bids, sealed
      <input type=${isShared ? "password" : "number"} inputmode="numeric" min="0"
        max=${chips[bidder]} autocomplete="off" .value=${String(bids.bid)} @input=${set}></label>
    ${holder === bidder ? html`<label class="switch"><input type="checkbox"
      .checked=${bids.takesTie} @change=${take}>
      on a tie, hand the chip over and move</label>` : ""}
    <button ?disabled=${app.busy.has("bids")}>Seal the bid</button></form>`;
}

function randomTurnGame(app, bids) {
  const { state, said } = bids, isOn = state !== null && state.winner === null;
  return html`<section><h2>Random turns</h2>
    ${said ? html`<p class="change">${withCells(app, said)}</p>` : ""} ${working(app, "bids")}
    ${isOn ? html`<p>${name(state.mover)} moves: click a cell.</p>` : ""}
    ${endButton(app, bids)}</section>`;
}

function endButton(app, bids) {
  const end = () => {
    app.server.cancel("bids");
    Object.assign(bids, { isOn: false, state: null });
    app.onPress = undefined;
    app.changed();
  };
  return html`<p class="buttons">
    <button type="button" @click=${end}>End the game</button></p>`;
}

function oddsPanel(app, bids) {
  const found = app.node.odds;
  return html`<section><h2>Chances and a fair bid</h2>
    <p class="buttons"><button type="button" ?disabled=${app.busy.has("odds")}
      @click=${() => count(app, bids)}>Count the chances here</button></p>
    ${working(app, "odds")} ${found ? chances(app, found) : ""}</section>`;
}

async function count(app, bids) {
  const { node } = app, { black, white } = bids.state?.chips ?? bids;
  const holder = bids.state?.holder ?? bids.holder, position = positionAt(app.game, node);
  const found = await app.work("odds", "odds", { position, black, white, holder });
  if (found === null) return;
  node.odds = found;
  say(found.said[1]);
  app.changed();
}

function chances(app, { bid, said }) {
  const share = (color) => `${name(color)} ${Math.round(100 * bid.win_probability[color])} %`;
  return html`<p>At random turns ${share("black")}, ${share("white")} win.</p>
    <p>A fair bid is <b>${bid.bid}</b>, for ${withCells(app, bid.move)}.</p>
    <p class="hint">On the board: how often each cell decides the game, in per cent.</p>
    <details><summary>Details</summary>
      ${said.slice(1).map((line) => html`<p>${withCells(app, line)}</p>`)}</details>`;
}

// How often each cell decides, as heat; the first five as numbers in per cent.
export function bidsMarks(app, marks) {
  const found = app.node.odds;
  if (!found) return;
  found.bid.cells.forEach(({ cell, critical }, place) => {
    marks.heat.set(cell, critical);
    if (place < 5) marks.numbers.set(cell, String(Math.round(100 * critical)));
  });
}
