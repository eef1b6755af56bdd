// A game against the engine, or of two people: what begins it, continues it and ends it.

import { startClock, stopClock, switchClock } from "./clock.js";
import { name } from "./layers.js";
import { recall, remember } from "./memory.js";
import { say } from "./speech.js";
import { OTHER, cutRecord, isCell, path } from "./tree.js";

const START = {
  engine: "white", level: "level:3", swap: true, size: 11, isOn: false, minutes: 0, said: "",
  winner: null, account: "", isResigning: false, isRandom: false, hinted: null, taken: [],
};

export function playState(app) {
  if (app.playing === undefined) {
    app.playing = { ...START, ...recall("play", {}) };
  }
  if (app.levels.length > 0 && levelOf(app) === undefined) app.playing.level = START.level;
  return app.playing;
}

// The level of the game, of those that the server has.
export function levelOf(app) {
  return app.levels.find(({ spec }) => spec === app.playing.level);
}

// The page may have been anywhere meanwhile: the game continues where it stands, unless another
// was loaded.
export function comeBack(app) {
  const play = playState(app);
  if (!play.isOn && play.winner === null) return;
  if (play.game !== app.game) {
    endGame(app, play);
    app.notice = "The game on the board is another one now: that with the engine is over.";
    return;
  }
  if (play.node !== app.node) app.go(play.node, false);
  if (play.isOn && play.winner === null && !app.busy.has("play")) next(app, play);
}

// What a position begins with, also one to which a move was taken back.
const FRESH = { isOn: true, winner: null, said: "", account: "", hinted: null, taken: [] };

export function startGame(app, play, isNew) {
  if (play.isRandom) play.engine = Math.random() < 0.5 ? "black" : "white"; // who begins, no more
  const { engine, level, swap, size, minutes, isRandom } = play;
  remember("play", { engine, level, swap, size, minutes, isRandom });
  if (isNew) app.newGame(size, size);
  Object.assign(play, { ...FRESH, game: app.game, node: app.node, start: app.node });
  app.isRevealed = false;
  app.layer = "automatic";
  app.onPress = (cell) => { personPlays(app, play, cell); return true; };
  startClock(app, play, (winner, why) => over(app, play, winner, why));
  app.wantBoard();
  next(app, play);
}

export function endGame(app, play) {
  stopClock(app);
  app.server.cancel("play");
  Object.assign(play, { ...FRESH, isOn: false, isResigning: false });
  app.lineShown = null;
  app.presses.delete("play");
  app.changed();
}

// Take a person's move.
export async function personPlays(app, play, cell) {
  if (!play.isOn || play.winner !== null || play.isMoving) return;
  if (app.turn === play.engine) { app.complain("the engine is to move"); return; }
  const mover = app.turn;
  if (!play.swap && !app.isEmpty(cell)) { app.complain(`${cell} is not empty`); return; }
  app.lineShown = null;
  play.isResigning = false;
  play.isMoving = true;
  const isPlayed = await app.play(cell); // a click on the stone takes it over
  play.isMoving = false;
  if (!isPlayed || !play.isOn) return;
  Object.assign(play, { node: app.node, said: "", hinted: null, taken: [] });
  app.isRevealed = false;
  if (cell === "resign") over(app, play, OTHER[mover], `${name(mover)} resigned.`);
  else {
    switchClock(app, play);
    next(app, play);
  }
}

// The game goes on until a person is to move, or somebody has won.
async function next(app, play) {
  const node = app.node;
  const found = await app.work("play", "turn", {
    variant: "alternating", game: cutRecord(app.game, node), engine: play.engine,
    player: play.level, swap: play.swap,
  });
  if (found === null || node !== app.node || !play.isOn) return;
  if (found.move !== null) {
    play.account = found.reason;
    app.isRevealed = false;
    if (!await app.play(found.move)) return;
    play.node = app.node;
    play.said = found.said;
    switchClock(app, play);
  }
  if (found.winner !== null) over(app, play, found.winner, found.said);
  else if (found.move !== null) say(found.said);
  app.changed();
}

export function over(app, play, winner, why) {
  stopClock(app);
  play.winner = winner;
  play.said = why;
  app.isRevealed = true;
  app.look(false);
  say(`${name(winner)} has won. ${why}`);
  app.changed();
}

// Show a move to play; asked again at the same position, play it.
export async function hint(app, play) {
  if (app.busy.has("play")) { app.complain("the engine is thinking"); return; }
  if (play.hinted !== null) { personPlays(app, play, play.hinted); return; }
  const { node } = app;
  const found = await app.work("play", "hint", {
    game: cutRecord(app.game, node), swap: play.swap,
  });
  if (found === null || node !== app.node) return;
  play.hinted = found.move;
  app.lineShown = isCell(app.game, found.move) ? [found.move] : null;
  play.said = found.said;
  say(play.said);
  app.changed();
}

// Take the person's last move back, and the engine's answer to it.
export function takeBack(app, play) {
  if (app.node.parent === null) return;
  app.server.cancel("play");
  const before = app.node.parent, isEngines = app.node.color === play.engine;
  const node = isEngines && before.parent !== null ? before.parent : before;
  const count = path(app.node).length - path(node).length;
  goOn(app, play, node, [...play.taken, app.node]);
  app.toast(`${count === 1 ? "1 move" : `${count} moves`} taken back.`, "redo");
}

// Give back what was taken back last, until another move is played.
export function giveBack(app, play) {
  const node = play.taken[play.taken.length - 1];
  if (node === undefined || !path(node).includes(app.node)) { say("Nothing to redo."); return; }
  app.server.cancel("play");
  goOn(app, play, node, play.taken.slice(0, -1));
  app.toast("Done again: what was taken back.");
}

// Continue from an earlier or a later position of the game.
function goOn(app, play, node, taken) {
  Object.assign(play, { ...FRESH, node, taken });
  app.lineShown = null;
  app.isRevealed = false;
  app.go(node);
  next(app, play);
}
