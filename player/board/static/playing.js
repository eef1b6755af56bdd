// A game against the engine, or of two people: start, moves, end.

import { html } from "./vendor/lit-html.js";
import { name, quantity } from "./layers.js";
import { recall, remember } from "./memory.js";
import { say } from "./state.js";
import { moveSentence } from "./stones.js";
import {
  OTHER, alternates, cutRecord, isBegun, isCell, isEnd, isGivenUp, isThere, nodeAt, path, promote,
  setResult, setRule, stepsTo,
} from "./tree.js";

// The state of play at a new position, also after moves were taken back.
const FRESH = { isOn: true, winner: null, said: "", account: "", hinted: null, taken: [] };
const OFF = { ...FRESH, isOn: false, isEnding: false };
const START = { ...OFF, engine: "white", level: "level:3", swap: true, size: 11, minutes: 0,
  isRandom: false };

export function playState(app) {
  app.playing ??= { ...START, ...recall("play", {}) };
  if (app.levels.length > 0 && levelOf(app) === undefined) app.playing.level = START.level;
  return app.playing;
}

// The level of the game, if the server has it.
export function levelOf(app) {
  return app.levels.find(({ spec }) => spec === app.playing.level);
}

// Return to the game at its current node; end it if another game was loaded meanwhile.
export function comeBackToPlay(app) {
  const play = playState(app);
  if (!play.isOn && play.winner === null) return;
  if (play.game !== app.game || play.winner !== null && !isThere(play.node)) {
    const which = play.engine === null ? "of two people" : "with the engine";
    endGame(app, play);
    app.tell(`The game on the board is another one now: that ${which} is over.`);
    return;
  }
  app.isRevealed = play.winner !== null; // the moves of a finished game may be shown
  if (!isThere(play.node)) app.history.amend(app, () => path(play.node).slice(1).forEach(promote));
  if (play.node !== app.node) app.go(play.node, false);
  showHint(app, play);
  if (play.isOn && play.winner === null && !app.busy.has("play")) continueGame(app, play);
}

export function startGame(app, play, isNew, board = { columns: play.size, rows: play.size }) {
  if (play.isRandom) play.engine = Math.random() < 0.5 ? "black" : "white"; // for this game only
  const { engine, level, swap, size, minutes, isRandom } = play;
  remember("play", { engine, level, swap, size, minutes, isRandom });
  app.hush();
  app.isRevealed = false; // or the empty board would be analyzed
  if (isNew) app.newGame(board.columns, board.rows, swap ? [["RU", "swap"]] : []);
  else if (isBegun(app.node) || !alternates(app.game)) { // later no swap is possible
    app.history.amend(app, () => setRule(app.game, swap && isBegun(app.node)));
    app.judgeAnew();
  }
  Object.assign(play, { ...FRESH, game: app.game, node: app.node, start: app.node });
  app.node.isFixed = true;
  app.layer = "automatic";
  app.presses.set("play", (cell) => personPlays(app, play, cell));
  startClock(app, play);
  app.wantBoard();
  continueGame(app, play);
}

// Begin a game with a click on a cell: from the position shown, or if its game is over, on an
// empty board of the same size.
export async function startByClick(app, cell) {
  await app.begun;
  const play = playState(app);
  startGame(app, play, isOver(app), app.game);
  personPlays(app, play, cell);
}

// Whether a chain or a resignation ends the game here.
export const isClosed = ({ node }) => isGivenUp(node) || (node.found?.chain.length ?? 0) > 0;

// Whether no game goes on from here: it is over, if only by its result, or has hidden stones.
export const isOver = (app) => isClosed(app) || app.game.isHidden || isEnd(app.game, app.node)
  && app.game.root.info.some(([entry, result]) => entry === "RE" && /^[bw]/i.test(result));

// The settings of the game and its nodes, for a reload.
export function packPlay({ game, playing: play }) {
  if (!play?.isOn || play.game !== game) return null;
  const { game: _, moving, node, start, taken, ...plain } = play;
  return { ...plain, node: stepsTo(node), start: stepsTo(start), taken: taken.map(stepsTo) };
}

export function resumePlay(app, { node, start, taken, ...plain }) {
  const { game } = app, play = Object.assign(playState(app), plain, { game,
    node: nodeAt(game, node), start: nodeAt(game, start),
    taken: taken.map((steps) => nodeAt(game, steps)) });
  play.start.isFixed = true;
  app.presses.set("play", (cell) => personPlays(app, play, cell));
  if (play.winner === null) runClock(app, play);
  else if (app.mode === "play") app.isRevealed = true;
}

export function endGame(app, play) {
  stopClock(app);
  app.server.cancel("play");
  Object.assign(play, OFF);
  app.lineShown = null;
  app.presses.delete("play");
  app.redraw();
}

// Return to the game from another position, which Why may show; return whether that was shown.
function isElsewhere(app, play) {
  if (play.winner !== null || play.node === app.node) return false;
  comeBackToPlay(app);
  return true;
}

// Make a person's move; return whether it was played.
export async function personPlays(app, play, cell) {
  while (play.moving) await play.moving;
  if (!play.isOn) return false;
  if (play.winner !== null) return app.complain("the game is over");
  if (isElsewhere(app, play) && isCell(app.game, cell)) return app.tell("The game is here.");
  if (app.turn === play.engine) return app.complain("the engine is to move");
  const mover = app.turn;
  if (!play.swap && !app.isEmpty(cell)) return app.complain(`${cell} is not empty`);
  if (!play.swap && /^swap/.test(cell)) return app.complain("this game is played without swap");
  app.lineShown = null;
  play.isEnding = false;
  play.moving = app.play(cell); // a click on the stone swaps
  const isPlayed = await play.moving;
  play.moving = null;
  if (!isPlayed || !play.isOn) return isPlayed;
  Object.assign(play, { node: app.node, said: "", hinted: null, taken: [] });
  app.isRevealed = false;
  if (cell === "resign") finishGame(app, play, OTHER[mover], `${name(mover)} resigned.`);
  else {
    switchClock(app, play);
    if (play.engine === null) say(`${moveSentence(app.node)} ${name(app.turn)} is to move.`);
    continueGame(app, play);
  }
  return true;
}

// Continue the game until a person is to move or somebody has won. If a person is to move already,
// the server only checks for a winner.
async function continueGame(app, play) {
  const fields = { variant: "alternating", game: cutRecord(app.game, app.node),
    engine: play.engine, player: play.level, swap: play.swap };
  app.server.cancel("seen");
  const found = app.turn === play.engine ? await app.workHere("play", "turn", fields)
    : await app.askQuietly("turn", fields, { channel: "seen", isHere: true });
  if (found === null || !play.isOn) return;
  if (found.move !== null) {
    play.account = found.reason;
    app.isRevealed = false;
    if (!await app.play(found.move)) return;
    play.node = app.node;
    play.said = found.said;
    switchClock(app, play);
  }
  if (found.winner !== null) finishGame(app, play, found.winner, found.said);
  else if (found.move !== null) say(found.said);
  app.redraw();
}

function finishGame(app, play, winner, why, way = null) {
  const { game, node } = play, how = way ?? (isGivenUp(node) ? "Resign" : "");
  stopClock(app);
  ["play", "seen"].forEach((channel) => app.server.cancel(channel)); // if the time was up
  play.winner = winner;
  play.said = why;
  const write = () => setResult(game, `${winner[0].toUpperCase()}+${how}`, node);
  if (game === app.game) app.history.amend(app, write);
  else write();
  app.judgeAnew();
  app.keep();
  if (app.mode === "play") app.isRevealed = true; // elsewhere, it would solve a puzzle
  app.look(false);
  if (app.mode === "play") say(`${name(winner)} has won. ${why}`);
  else app.tell(`In Play ${name(winner)} has won. ${why}`);
  app.redraw();
}

// Show a hint; at a second press in the same position, play it.
export async function giveHint(app, play) {
  isElsewhere(app, play);
  if (app.busy.has("play")) return app.complain("the engine is thinking");
  if (play.winner !== null) return app.complain("the game is over");
  if (play.hinted !== null) { personPlays(app, play, play.hinted); return; }
  const game = cutRecord(app.game, app.node);
  const answer = await app.workHere("play", "hint", { game, swap: play.swap });
  if (answer === null) return;
  Object.assign(play, { hinted: answer.move, said: answer.said });
  if (app.mode !== "play") return; // a return to the game shows it
  showHint(app, play);
  say(play.said);
}

function showHint(app, { hinted }) {
  app.lineShown = hinted !== null && isCell(app.game, hinted) ? [hinted] : null;
}

// Take back the person's last move, with the engine's reply to it.
export function takeBack(app, play) {
  isElsewhere(app, play);
  if (app.node === play.start) return app.tell("Nothing to undo.");
  app.server.cancel("play");
  const before = app.node.parent, isEngines = app.node.color === play.engine;
  const node = isEngines && before !== play.start ? before.parent : before;
  const count = path(app.node).length - path(node).length;
  const taken = [...play.taken, app.node], text = `${quantity(count, "move")} taken back.`;
  continueFrom(app, play, node, taken, text, "redo");
}

// Redo the last `takeBack`, unless another move was played.
export function giveBack(app, play) {
  const node = play.taken.at(-1);
  if (node === undefined || !path(node).includes(app.node)) {
    app.tell("Nothing to redo.");
    return;
  }
  app.server.cancel("play");
  continueFrom(app, play, node, play.taken.slice(0, -1), "Redone: what was taken back.");
}

// Continue from another position of the game, and show what was done.
function continueFrom(app, play, node, taken, ...toast) {
  const isOver = play.winner !== null;
  Object.assign(play, { ...FRESH, node, taken });
  app.lineShown = null;
  app.isRevealed = false;
  app.go(node);
  app.showToast(...toast);
  if (isOver) continueClock(app, play);
  else switchClock(app, play);
  continueGame(app, play);
}

// A clock for each player; off if `minutes` is 0.

function startClock(app, play) {
  const seconds = 60 * play.minutes;
  play.clock = seconds > 0 ? { black: seconds, white: seconds, running: app.turn } : null;
  runClock(app, play);
}

// Run the clock. It stops while the page is closed or the server is away.
function runClock(app, play) {
  stopClock(app);
  if (!play.clock) return;
  play.clock.since = performance.now(); // Date.now() may jump
  app.ticking = setInterval(() => tick(app, play), 250);
}

function stopClock(app) {
  clearInterval(app.ticking);
}

// Stop the mover's clock and start the other one.
function switchClock(app, play) {
  if (!play.clock) return;
  settle(play.clock);
  play.clock.running = app.turn;
}

// Continue a game that was over, with its clock unless that has run out.
function continueClock(app, play) {
  const { clock } = play;
  if (!clock) return;
  clock.running = app.turn;
  if (Math.min(clock.black, clock.white) <= 0) play.clock = null;
  runClock(app, play);
}

function settle(clock) {
  const now = performance.now();
  clock[clock.running] -= (now - clock.since) / 1000;
  clock.since = now;
}

function tick(app, play) {
  const { clock } = play, { running } = clock;
  if (app.status === "open") settle(clock);
  else clock.since = performance.now(); // nobody can move
  const isUp = clock[running] <= 0;
  // A move that was made in time counts, even if the server's answer comes later.
  if (isUp && !play.moving) {
    finishGame(app, play, OTHER[running], `${name(running)}'s time is up.`, "Time");
  }
  app.redraw();
}

export function clockView(app, play) {
  if (!play.clock) return "";
  const time = (color) => {
    const seconds = Math.max(0, Math.ceil(play.clock[color]));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  return html`<p class="clock">${name("black")} ${time("black")},
    ${name("white")} ${time("white")}</p>`;
}
