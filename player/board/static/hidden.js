// A game of hidden stones. The server has them; a page shows the view of one seat at a time.

import { name } from "./layers.js";
import { TAB, forget, recall, remember } from "./memory.js";
import { helloOf } from "./socket.js";
import { WAIT, say } from "./state.js";
import { emptyRecord, fromRecord } from "./tree.js";

// The answer to questions about a position in which there may be hidden stones.
export const UNSEEN = "Stones may lie here that you do not see, so nothing is judged.";

const START = {
  base: "classic", noise: "silent", engine: "white", player: "belief", size: 5, game: null,
  keys: {}, rules: "", view: null, seat: null, heard: [], supposed: null, invitation: null,
  isApart: false, isEnding: false, left: null, coming: null, board: null,
};
const KEPT = ["base", "noise", "engine", "player", "size", "game", "keys", "rules", "invitation",
  "isApart", "isGuest"];
const APART = { "apart-white": "white", "apart-black": "black" };
const LOOK_AGAIN = 1000; // milliseconds, while the other player thinks

export function darkState(app) {
  app.dark ??= { ...START };
  return app.dark;
}

export async function begin(app, dark) {
  const fields = { size: dark.size, base: dark.base, noise: dark.noise };
  if (APART[dark.engine]) fields.elsewhere = APART[dark.engine];
  else if (dark.engine !== null) fields[dark.engine] = dark.player;
  await takeSeat(app, dark, await app.work("dark", "dark-start", fields));
}

// Take the seat of an invitation from another page.
export async function join(app, invitation) {
  app.setMode("dark");
  app.dark = { ...START };
  const answer = await app.work("dark", "dark-join", { invitation });
  if (answer !== null) app.dark.size = answer.size;
  await takeSeat(app, app.dark, answer);
}

async function takeSeat(app, dark, found) {
  if (found === null) return;
  const { game, keys, rules, invitation } = found;
  const isAlone = Object.keys(keys).length === 1;
  const isApart = !["white", "black"].includes(dark.engine) && isAlone || Boolean(found.size);
  const { isGuest } = app.server;
  Object.assign(dark, { game, keys, rules, invitation, isApart, isGuest });
  if (dark.isGuest) app.server.hello = helloOf(dark);
  await sit(app, dark);
}

async function sit(app, dark) {
  app.presses.set("dark", (cell) => attempt(app, dark, cell));
  keepSeat(dark);
  await comeBackToSeat(app);
  if (dark.isApart) wait(app, dark, dark.game);
}

// Return to the game: show the view of the only seat at this page; with two, hide both until a
// person asks for one.
export async function comeBackToSeat(app) {
  const { dark } = app;
  if (app.mode !== "dark" || !dark?.game || app.game === dark.board) return;
  hide(app, dark);
  const seats = Object.keys(dark.keys);
  if (seats.length === 1) await see(app, dark, seats[0]);
}

// Whether the board may show answers about a game: it is still on, and no other game is there.
const isShown = (app, dark, game) => dark.game === game
  && (app.mode === "dark" || app.game === dark.board);

// Store the seat in this tab, so that a reload can ask the server for its view again.
function keepSeat(dark) {
  const kept = Object.fromEntries(KEPT.map((key) => [key, dark[key]]));
  remember("dark", kept, TAB);
}

// Take the stored seat of this tab again; return whether there is one and its game still exists.
// Check that first, before asking which of two people is at the screen.
export async function returnToSeat(app) {
  const kept = recall("dark", null, TAB);
  if (kept === null) return false;
  app.setMode("dark");
  const [key] = Object.values(kept.keys);
  if (await app.work("dark", "dark-turn", { game: kept.game, key }) !== null) {
    app.dark = { ...START, ...kept };
    await sit(app, app.dark);
    return true;
  }
  if (app.status === "open") forget("dark", TAB); // else a later reload returns
  app.lost = app.problem;
  app.setMode("analyze");
  return false;
}

// Poll whether the person at the other page has come, moved or left.
async function wait(app, dark, game) {
  if (dark.game !== game || app.dark !== dark) return;
  const isIdle = app.status === "open" && dark.seat !== null && !app.busy.has("dark")
    && isShown(app, dark, game);
  if (isIdle && dark.view.winner === null) {
    const key = dark.keys[dark.seat];
    const answer = await app.ask("dark-turn", { game, key }, { channel: "dark-turn" });
    if (dark.game !== game) return;
    if (answer === null && app.status === "open") return; // the game is gone; `ask` reports it
    if (answer !== null && dark.view !== null) await takeNews(app, dark, answer);
  }
  const isOver = dark.view?.winner != null || dark.left !== null;
  if (!isOver) setTimeout(() => wait(app, dark, game), LOOK_AGAIN);
}

async function takeNews(app, dark, { complete, heard, turn, left }) {
  if (complete && dark.invitation !== null) {
    dark.invitation = null;
    keepSeat(dark);
  }
  if (heard || turn !== dark.view.position.turn) await see(app, dark, dark.seat);
  if (left === null) return;
  dark.left = left;
  say(standing(dark));
  app.redraw();
}

// Show an empty board, and drop the view of a seat from the page.
export function hide(app, dark) {
  Object.assign(dark, { view: null, seat: null, supposed: null, heard: [] });
  app.take(emptyRecord(dark.size, dark.size), { isPushed: !app.game.isHidden });
  app.game.isHidden = app.node.isFixed = true;
  dark.board = app.game;
}

export async function see(app, dark, seat) {
  const { game } = dark;
  dark.coming = app.work("dark", "dark-view", { game, key: dark.keys[seat] });
  const view = await dark.coming;
  if (view === null || !isShown(app, dark, game)) return;
  dark.seat = seat;
  show(app, dark, view);
}

// How the game ended, or who is to move.
export function standing({ view, left, seat }) {
  if (view?.winner != null) return `${name(view.winner)} has won; all stones are shown.`;
  if (left !== null) return `${name(left)} has left: the game is over.`;
  return view.position.turn === seat ? "It is your turn: click a cell."
    : "The other player is to move.";
}

function show(app, dark, view) {
  Object.assign(dark, { view, supposed: null, heard: view.heard });
  say(`${view.heard.join(" ") || `${name(view.seat)}'s view.`} ${standing(dark)}`);
  if (view.record !== null) {
    app.take(view.record, { isPushed: false });
    dark.board = app.game;
    app.isRevealed = true;
    app.look(false);
    return;
  }
  const { columns, rows, black, white, turn } = view.position;
  const set = Object.fromEntries([...black.map((cell) => [cell, "black"]),
    ...white.map((cell) => [cell, "white"])]);
  const record = emptyRecord(columns, rows), [root] = record.nodes;
  Object.assign(root, { black, white, turn, state: { ...root.state, set, turn } });
  const { game } = fromRecord(record);
  app.game = dark.board = Object.assign(game, { isHidden: true, key: dark.board.key });
  game.root.isFixed = true;
  app.go(app.game.root, false);
}

// Attempt a cell; return whether that was legal. An early click waits for the view.
async function attempt(app, dark, cell) {
  await dark.coming;
  if (app.busy.has("dark")) return app.complain(WAIT);
  if (dark.seat === null) return app.complain("the board is hidden: choose who you are");
  if (dark.view.winner !== null) return app.complain("the game is over");
  if (dark.left !== null) return app.complain(`${name(dark.left)} has left the game`);
  if (dark.view.position.turn !== dark.seat) {
    const isShared = Object.keys(dark.keys).length === 2;
    return app.complain(`it is not your turn${isShared ? ": pass the screen" : ""}`);
  }
  dark.isEnding = false;
  const { game } = dark, key = dark.keys[dark.seat];
  const view = await app.work("dark", "dark-attempt", { game, key, cell });
  if (view && dark.seat && isShown(app, dark, game)) show(app, dark, view);
  if (app.status !== "open") dark.board = null; // the attempt may count: look again
  return view !== null;
}

export async function suppose(app, dark) {
  if (app.busy.has("dark")) return app.complain(WAIT);
  const { view } = dark, key = dark.keys[dark.seat];
  const answer = await app.work("dark", "dark-suppose", { game: dark.game, key });
  if (answer !== null && view === dark.view) dark.supposed = answer;
}

// Leave the game, and tell the other page.
export function end(app, dark) {
  const { game, keys, base, noise, engine, player, size } = dark;
  if (dark.isGuest) remember("guest", true, TAB);
  for (const key of Object.values(keys)) app.ask("dark-leave", { game, key });
  Object.assign(dark, { ...START, base, noise, engine, player, size });
  app.presses.delete("dark");
  forget("dark", TAB);
  app.redraw();
}

export function darkMarks(app, marks) {
  const cells = app.dark?.supposed?.cells ?? {};
  for (const [cell, place] of Object.entries(cells)) marks.numbers.set(cell, place);
}
