// Games with bidding or random turns.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { name } from "../layers.js";
import { say } from "../speech.js";
import { cutRecord, emptyGame, fromRecord, nodeAt, stepsTo } from "../tree.js";
import { checkbox, choice, endButtons, numberField, working } from "./fields.js";
import { oddsPanel } from "./odds.js";

const MOST_CHIPS = 10000; // limit of the server
const START = {
  variant: "bidding", black: 100, white: 100, holder: "black", engine: "white", size: 7,
  isOn: false, state: null, found: null, said: "", reason: "", bid: "10", takesTie: true,
  isEnding: false,
};

export function bidsPanels(app) {
  app.bids ??= { ...START };
  const bids = app.bids;
  const game = bids.variant === "bidding" ? biddingGame : randomTurnGame;
  return html`${bids.isOn ? game(app, bids) : startForm(app, bids)} ${oddsPanel(app, bids)}`;
}

function number(bids, key, title, least, most) {
  const set = (value) => { bids[key] = value; };
  return numberField(title, bids[key], { least, most, set });
}

function startForm(app, bids) {
  const start = (event) => { event.preventDefault(); begin(app, bids); };
  const sides = [["white", name("white")], ["black", name("black")]];
  const isBidding = bids.variant === "bidding";
  return html`<section><h2>A game of bids or of chance</h2>
    ${isBidding ? rules() : html`<p>A coin says who moves.</p>`}
    ${working(app, "bids")}
    <form class="fields" @submit=${start}>
    ${choice(app, bids, "variant", "Turns",
      [["bidding", "by bids"], ["random-turn", "by a coin"]])}
    ${choice(app, bids, "engine", "The engine is", [...sides, [null, "nobody: two people"]])}
    ${number(bids, "size", "Board", 2, 13)}
    ${isBidding ? html`${number(bids, "black", `${name("black")}'s chips`, 0, MOST_CHIPS)}
      ${number(bids, "white", `${name("white")}'s chips`, 0, MOST_CHIPS)}
      ${choice(app, bids, "holder", "Tie-break chip", [...sides].reverse())}` : ""}
    <p class="buttons"><button ?disabled=${app.busy.has("bids")}>New game</button></p></form>
    </section>`;
}

const rules = () => html`<ul class="rules">
    <li>Both bid in secret; the higher bid is paid over, and moves.</li>
    <li>On equal bids the holder of the chip * may hand it over, pay and move.</li>
    <li>Or the holder keeps the chip, is paid, and lets the other move.</li></ul>`;

// Begin a game, unless the server refuses or the page shows another place by then.
async function begin(app, bids) {
  const { variant, engine, size, black, white, holder } = bids, empty = emptyGame(size);
  const fields = { variant, engine, chips: [black, white, holder] };
  const game = cutRecord(empty, empty.root);
  const answer = await app.workHere("bids", "turn", { game, ...fields });
  if (answer === null || app.mode !== "bidding") return;
  app.newGame(size, size);
  Object.assign(bids, { isOn: true, bid: engine === null ? "" : START.bid });
  app.presses.set("bidding", (cell) => move(app, bids, cell));
  showTurn(app, bids, answer);
}

// Show the game as the server returned it, with bids, chips and coins.
function showTurn(app, bids, found) {
  const { key, stamp } = app.game, isBid = bids.variant === "bidding" && found.move !== null;
  const { game, node } = fromRecord(found.game);
  node.isFixed = true;
  Object.assign(bids, { state: found, found: null, said: found.said, game, node, isEnding: false,
    reason: isBid ? found.reason : "" });
  say(found.sealed ? "The bid is sealed. The other player bids." : bids.said);
  app.game = Object.assign(game, { key, stamp });
  app.go(node, false);
  if (found.winner === null && found.mover === null) app.want(".panels form input");
  else app.wantBoard();
}

// Continue the game with acts of people; return whether they were legal. While the page shows
// another place, the answer waits until it returns.
async function playTurn(app, bids, fields) {
  const { variant, engine } = bids, { sealed } = fields;
  const question = { variant, engine, game: cutRecord(bids.game, bids.node) };
  const found = await app.work("bids", "turn", { ...question, ...fields });
  if (found === null && sealed && bids.isOn) await checkSeal(app, bids, { ...question, sealed });
  if (found === null || !bids.isOn) return false;
  Object.assign(bids, { found, bid: engine === null ? "" : bids.bid });
  if (app.mode === "bidding") comeBackToBids(app);
  app.redraw();
  return true;
}

// After a bid was refused: if the server has lost the other one, as in a restart, both bid anew.
async function checkSeal(app, bids, fields) {
  const { state } = bids, found = await app.askQuietly("turn", fields);
  if (app.status === "open") state.sealed = found?.sealed ?? null;
  app.redraw();
}

// The chips, the bids and the current node, for a reload.
export function packBids({ game, bids }) {
  if (!bids?.isOn || bids.game !== game) return null;
  const { game: _, node, ...plain } = bids;
  return { ...plain, node: stepsTo(node), odds: node.odds };
}

export function resumeBids(app, { node, odds, ...plain }) {
  const bids = app.bids = { ...plain, game: app.game, node: nodeAt(app.game, node) };
  bids.node.odds = odds;
  bids.node.isFixed = true;
  app.presses.set("bidding", (cell) => move(app, bids, cell));
}

export function comeBackToBids(app) {
  const { bids } = app;
  if (!bids?.isOn) return;
  if (bids.game !== app.game) {
    end(app, bids);
    app.tell("The game on the board is another one now: that of bids is over.");
  } else if (bids.found !== null) showTurn(app, bids, bids.found);
  else if (bids.node !== app.node) app.go(bids.node, false);
}

function move(app, bids, cell) {
  const { state, engine } = bids;
  if (app.busy.has("bids")) return false;
  if (state.winner !== null) return app.complain("the game is over");
  if (state.mover === null) return app.complain("bids come before the move");
  if (state.mover === engine) return app.complain("the engine is to move");
  return playTurn(app, bids, { cell });
}

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
  const seal = (event) => {
    event.preventDefault();
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

function end(app, bids) {
  app.server.cancel("bids");
  Object.assign(bids, { isOn: false, isEnding: false, state: null, found: null });
  app.presses.delete("bidding");
  app.redraw();
}

function endButton(app, bids) {
  return endButtons(app, bids, bids.state.winner !== null, () => end(app, bids));
}
