// Hidden stones: a person's own view, and a curtain between two people at one screen.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";
import { forget, recall, remember } from "../memory.js";
import { helloOf } from "../socket.js";
import { say } from "../speech.js";
import { fromRecord } from "../tree.js";
import { working } from "./working.js";

const START = { base: "classic", noise: "silent", engine: "white", player: "belief", size: 5, game: null, keys: {}, rules: "",
  view: null, seat: null, heard: [], supposed: null, invitation: null, isApart: false };
const APART = { "": "", "apart-white": "white", "apart-black": "black" };
const LOOK_AGAIN = 1000; // milliseconds, while the other player thinks

export function darkPanels(app) {
  app.dark ??= { ...START };
  const dark = app.dark;
  if (dark.game === null) return app.server.isGuest ? leftSeat() : startForm(app, dark);
  return html`<section><h2>Dark Hex</h2><p>${dark.rules}</p>${working(app, "dark")} ${dark.seat === null ? curtain(app, dark) : seatView(app, dark)}
    <p class="buttons"><button type="button" @click=${() => end(app, dark)}>End the game</button></p></section>`;
}

function leftSeat() {
  return html`<section><h2>Dark Hex</h2><p>You were invited to one game, and have no seat in it here. This page may be closed.</p></section>`;
}

function startForm(app, dark) {
  const set = (key, title, options) => html`<label>${title} <select @change=${(event) => { dark[key] = event.target.value || null; app.changed(); }}>
    ${options.map(([value, text]) => html`<option value=${value ?? ""} ?selected=${dark[key] === value}>${text}</option>`)}</select></label>`;
  const start = (event) => { event.preventDefault(); begin(app, dark); };
  return html`<section><h2>Dark Hex</h2><p>You see your own stones alone, and those that you have hit.</p><form class="fields" @submit=${start}>
    ${set("base", "A hidden stone that is hit costs", [["classic", "nothing (classic)"], ["abrupt", "the turn (abrupt)"]])}
    ${set("noise", "The other player hears", [["silent", "nothing"], ["noisy", "a noise"], ["flash", "where"]])}
    ${set("engine", "The other player is", [["white", "the engine, White"], ["black", "the engine, Black"],
      [null, "a person at this screen"], ["apart-white", "a person elsewhere, White"], ["apart-black", "a person elsewhere, Black"]])}
    ${!["white", "black"].includes(dark.engine) ? "" : set("player", "Engine", [["belief", "belief, the strongest"], ["blind", "blind"], ["random", "random"]])}
    <label>Board <input type="number" min="2" max="11" .value=${String(dark.size)} @change=${(event) => { dark.size = Number(event.target.value); }}></label>
    <p class="buttons"><button>New game</button></p></form></section>`;
}

async function begin(app, dark) {
  const fields = { size: dark.size, base: dark.base, noise: dark.noise };
  if (APART[dark.engine]) fields.elsewhere = APART[dark.engine];
  else if (dark.engine !== null) fields[dark.engine] = dark.player;
  await takeSeat(app, dark, await app.work("dark", "dark-start", fields));
}

// Take the seat to which somebody has invited, at another page.
export async function join(app, invitation) {
  app.setMode("dark");
  app.dark = { ...START };
  const found = await app.work("dark", "dark-join", { invitation });
  if (found !== null) app.dark.size = found.size;
  await takeSeat(app, app.dark, found);
}

async function takeSeat(app, dark, found) {
  if (found === null) return;
  const isApart = !["white", "black"].includes(dark.engine) && Object.keys(found.keys).length === 1 || Boolean(found.size);
  Object.assign(dark, { game: found.game, keys: found.keys, rules: found.rules, invitation: found.invitation, isApart,
    isGuest: app.server.isGuest });
  if (dark.isGuest) app.server.hello = helloOf(dark);
  await sit(app, dark);
}

// Show what the person at this page knows; of two at one screen, neither until one says so.
async function sit(app, dark) {
  app.onPress = (cell) => { attempt(app, dark, cell); return true; };
  hide(app, dark);
  keepSeat(dark);
  const seats = Object.keys(dark.keys);
  if (seats.length === 1) await see(app, dark, seats[0]);
  if (dark.isApart) wait(app, dark, dark.game);
}

// A reload loses no seat: this tab keeps its key, and asks the server anew what that seat knows.
function keepSeat({ base, noise, engine, player, size, game, keys, rules, invitation, isApart, isGuest }) {
  remember("dark", { base, noise, engine, player, size, game, keys, rules, invitation, isApart, isGuest }, sessionStorage);
}

// Take the seat up again that this tab had; return whether there is one, in a game that still is.
export async function returnToSeat(app) {
  const kept = recall("dark", null, sessionStorage);
  if (kept === null) return false;
  app.setMode("dark");
  app.dark = { ...START, ...kept };
  const [key] = Object.values(kept.keys);
  if (await app.ask("dark-turn", { game: kept.game, key }) !== null) {
    await sit(app, app.dark);
    return true;
  }
  end(app, app.dark);
  app.setMode("analyze");
  return false;
}

// Look from time to time whether the other person, elsewhere, has come or moved.
async function wait(app, dark, game) {
  if (dark.game !== game || app.dark !== dark) return;
  if (app.status === "open" && dark.seat !== null && dark.view.winner === null && !app.busy.has("dark")) {
    const found = await app.ask("dark-turn", { game, key: dark.keys[dark.seat] }, { channel: "dark-turn" });
    if (dark.game !== game) return;
    if (found?.complete && dark.invitation !== null) {
      dark.invitation = null;
      keepSeat(dark);
    }
    if (found !== null && (found.heard || found.turn !== dark.view.position.turn)) await see(app, dark, dark.seat);
  }
  if (dark.view?.winner == null) setTimeout(() => wait(app, dark, game), LOOK_AGAIN);
}

// Put an empty board on the screen: what one person knows is gone from the page.
function hide(app, dark) {
  Object.assign(dark, { view: null, seat: null, supposed: null, heard: [] });
  app.newGame(dark.size, dark.size);
}

async function see(app, dark, seat) {
  const view = await app.work("dark", "dark-view", { game: dark.game, key: dark.keys[seat] });
  if (view === null) return;
  dark.seat = seat;
  show(app, dark, view);
}

function show(app, dark, view) {
  dark.view = view;
  dark.supposed = null;
  dark.heard = view.heard;
  say(view.heard.join(" ") || `${name(view.seat)}'s view.`);
  if (view.record !== null) {
    app.take(view.record);
    app.isRevealed = true;
    app.look(false);
    return;
  }
  const { columns, rows, black, white, turn } = view.position;
  const step = { parent: -1, color: null, move: null, black, white, cleared: [], turn, comment: "", properties: [], marks: [] };
  app.game = fromRecord({ columns, rows, info: [], nodes: [step], cursor: null }).game;
  app.go(app.game.root, false);
}

async function attempt(app, dark, cell) {
  if (dark.seat === null || dark.view.winner !== null || app.busy.has("dark")) return;
  if (dark.view.position.turn !== dark.seat) { app.complain("it is not your turn: pass the screen"); return; }
  const view = await app.work("dark", "dark-attempt", { game: dark.game, key: dark.keys[dark.seat], cell });
  if (view !== null) show(app, dark, view);
}

function curtain(app, dark) {
  return html`<p>The board is hidden. Whose eyes are at the screen?</p><p class="buttons">
    ${Object.keys(dark.keys).map((seat) => html`<button type="button" @click=${() => see(app, dark, seat)}>I am ${name(seat)}</button>`)}</p>`;
}

function seatView(app, dark) {
  const { view } = dark;
  const isOver = view.winner !== null, isMine = view.position.turn === dark.seat;
  const suppose = async () => {
    const found = await app.work("dark", "dark-view", { game: dark.game, key: dark.keys[dark.seat], supposes: true });
    if (found !== null) dark.supposed = found.supposed;
    app.changed();
  };
  return html`${dark.invitation === null ? "" : invitation(app, dark)}
    <p><b>${name(dark.seat)}'s view.</b> ${isOver ? `${name(view.winner)} has won; this is the truth.` : isMine ? "It is your turn: click a cell." : "The other player is to move."}</p>
    ${dark.heard.length ? html`<p class="change">${dark.heard.join(" ")}</p>` : ""}
    <p>${view.remembered}</p>
    ${view.words.length ? html`<p>All attempts: ${view.words.join(", ")}.</p>` : ""}
    <p class="buttons">
      ${!isOver && isMine ? html`<button type="button" @click=${suppose}>What may be hidden</button>` : ""}
      ${!isOver && Object.keys(dark.keys).length === 2 ? html`<button type="button" @click=${() => hide(app, dark)}>Hide the board, pass the screen</button>` : ""}</p>
    ${dark.supposed ? dark.supposed.said.map((line) => html`<p>${line}</p>`) : ""}`;
}

// What the other person opens, in a window of this browser or on another device.
function invitation(app, dark) {
  const link = `${location.origin}/?seat=${dark.invitation}`;
  return html`<p class="change">Nobody has the other seat yet. Whoever opens this address first has it, and sees its stones alone:
      <a href=${link} target="_blank" rel="noopener">another window</a></p>
    <p><label>Address <input readonly .value=${link} @focus=${(event) => event.target.select()}></label></p>`;
}

function end(app, dark) {
  Object.assign(dark, { ...START, base: dark.base, noise: dark.noise, engine: dark.engine, size: dark.size });
  app.onPress = undefined;
  forget("dark", sessionStorage);
  app.changed();
}

export function darkMarks(app, marks) {
  for (const [cell, place] of Object.entries(app.dark?.supposed?.cells ?? {})) marks.numbers.set(cell, place);
}
