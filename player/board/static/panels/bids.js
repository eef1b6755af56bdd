// Bidding and random turns: the chance to win, critical cells, advice, and whole games.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";
import { say } from "../speech.js";
import { positionAt } from "../stones.js";
import { cutRecord, fromRecord } from "../tree.js";
import { working } from "./working.js";

const START = { variant: "bidding", black: 100, white: 100, holder: "black", engine: "white", size: 7, isOn: false,
  state: null, said: "", bid: 10, takesTie: true };

export function bidsPanels(app) {
  app.bids ??= { ...START };
  const bids = app.bids;
  return html`${bids.isOn ? (bids.variant === "bidding" ? biddingGame(app, bids) : randomTurnGame(app, bids)) : startForm(app, bids)}
    ${oddsPanel(app, bids)}`;
}

function number(bids, key, title, most = 100000) {
  return html`<label>${title} <input type="number" min="0" max=${most} .value=${String(bids[key])} @change=${(event) => { bids[key] = Number(event.target.value); }}></label>`;
}

function choice(app, bids, key, title, options) {
  return html`<label>${title} <select @change=${(event) => { bids[key] = event.target.value || null; app.changed(); }}>
    ${options.map(([value, text]) => html`<option value=${value ?? ""} ?selected=${bids[key] === value}>${text}</option>`)}</select></label>`;
}

function startForm(app, bids) {
  const start = (event) => { event.preventDefault(); begin(app, bids); };
  return html`<section><h2>A game of bids or of chance</h2><form class="fields" @submit=${start}>
    ${choice(app, bids, "variant", "Turns", [["bidding", "by bids"], ["random-turn", "by a coin"]])}
    ${choice(app, bids, "engine", "The engine is", [["white", "White"], ["black", "Black"], [null, "nobody: two people"]])}
    ${number(bids, "size", "Board", 13)}
    ${bids.variant === "bidding" ? html`${number(bids, "black", "Black's chips")} ${number(bids, "white", "White's chips")}
      ${choice(app, bids, "holder", "Tie-break chip", [["black", "Black"], ["white", "White"]])}` : ""}
    <p class="buttons"><button>New game</button></p></form></section>`;
}

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
  bids.said = bids.variant === "bidding" && found.move !== null ? `${found.said} ${found.reason}` : found.said;
  say(found.sealed ? "The bid is sealed. The other player bids." : bids.said);
  const { game } = fromRecord(found.game);
  app.game = game;
  let node = game.root;
  while (node.children.length) node = node.children[0];
  app.go(node, false);
}

async function turn(app, bids, fields) {
  takeOver(app, bids, await app.work("bids", "turn", {
    variant: bids.variant, game: cutRecord(app.game, app.node), engine: bids.engine, ...fields }));
}

function move(app, bids, cell) {
  if (!bids.isOn || bids.state === null || bids.state.winner !== null || app.busy.has("bids")) return;
  if (bids.state.mover === null) app.complain("bids come before the move");
  else if (bids.state.mover === bids.engine) app.complain("the engine is to move");
  else turn(app, bids, { cell });
}

function biddingGame(app, bids) {
  const { state } = bids;
  if (state === null) return html`<section><h2>Bidding</h2>${working(app, "bids")}</section>`;
  const people = ["black", "white"].filter((color) => color !== bids.engine);
  const { sealed } = state;
  const bidder = sealed === null ? people[0] : people[1];
  const isDue = state.winner === null && state.mover === null;
  const seal = (event) => {
    event.preventDefault();
    const slip = { bid: bids.bid, takes_tie: bids.takesTie };
    bids.bid = people.length === 2 ? 0 : bids.bid;
    turn(app, bids, { bids: { [bidder]: slip }, sealed });
  };
  return html`<section><h2>Bidding</h2>
    <p>Black has <b>${state.chips.black}${state.holder === "black" ? "*" : ""}</b> chips, White <b>${state.chips.white}${state.holder === "white" ? "*" : ""}</b> (* breaks ties).</p>
    ${bids.said ? html`<p class="change">${bids.said}</p>` : ""} ${working(app, "bids")}
    ${isDue ? html`<form class="buttons" @submit=${seal}><label>${name(bidder)} bids, sealed
        <input type=${people.length === 2 ? "password" : "number"} inputmode="numeric" min="0" max=${state.chips[bidder]} autocomplete="off"
          .value=${String(bids.bid)} @input=${(event) => { bids.bid = Number(event.target.value) || 0; }}></label>
      ${state.holder === bidder ? html`<label class="switch"><input type="checkbox" .checked=${bids.takesTie} @change=${(event) => { bids.takesTie = event.target.checked; }}> on a tie, hand the chip over and move</label>` : ""}
      <button ?disabled=${app.busy.has("bids")}>Seal the bid</button></form>` : ""}
    ${state.winner === null && state.mover !== null ? html`<p>${name(state.mover)} has won the bids: click a cell.</p>` : ""}
    <p class="buttons"><button type="button" @click=${() => end(app, bids)}>End the game</button></p></section>`;
}

function randomTurnGame(app, bids) {
  const { state } = bids;
  return html`<section><h2>Random turns</h2>${bids.said ? html`<p class="change">${bids.said}</p>` : ""} ${working(app, "bids")}
    ${state !== null && state.winner === null ? html`<p>${name(state.mover)} moves: click a cell.</p>` : ""}
    <p class="buttons"><button type="button" @click=${() => end(app, bids)}>End the game</button></p></section>`;
}

function end(app, bids) {
  app.server.cancel("bids");
  Object.assign(bids, { isOn: false, state: null });
  app.onPress = undefined;
  app.changed();
}

function oddsPanel(app, bids) {
  const node = app.node, found = node.odds;
  const chips = bids.state?.chips ?? bids, holder = bids.state?.holder ?? bids.holder;
  const ask = async () => {
    const answer = await app.work("odds", "odds", { position: positionAt(app.game, node), black: chips.black, white: chips.white, holder });
    if (answer === null) return;
    node.odds = answer;
    say(answer.said[1]);
    app.changed();
  };
  return html`<section><h2>Chances and advice</h2>
    <p class="buttons"><button type="button" ?disabled=${app.busy.has("odds")} @click=${ask}>Count the chances here</button></p>
    ${working(app, "odds")}
    ${found ? html`<p class="hint">On the board: how often each cell decides the game, in per cent.</p>${found.said.slice(1).map((line) => html`<p>${line}</p>`)}` : ""}</section>`;
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
