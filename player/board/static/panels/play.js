// A game against the engine, or of two people.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";
import { recall, remember } from "../memory.js";
import { say } from "../speech.js";
import { maySwap, moveWord } from "../stones.js";
import { OTHER, cutRecord, isCell } from "../tree.js";
import { verdictPanel } from "./answer.js";
import { clockView, startClock, stopClock, switchClock } from "./clock.js";
import { LEVELS, beforeGame } from "./newgame.js";
import { whyPanel } from "./why.js";

const START = { engine: "white", level: "hexy:level=3", swap: true, size: 11, isOn: false, minutes: 0,
  said: "", winner: null, account: "", isResigning: false, isRandom: false };
export function playState(app) {
  if (app.playing === undefined) {
    app.playing = { ...START, ...recall("play", {}) };
    if (!LEVELS.some(([level]) => level === app.playing.level)) app.playing.level = START.level;
  }
  return app.playing;
}

// The page may have been anywhere meanwhile: the game goes on where it stands, unless another was loaded.
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

export function playPanels(app) {
  const play = playState(app);
  return play.isOn || play.winner !== null ? underWay(app, play) : beforeGame(app, play,
    (isNew) => startGame(app, play, isNew),
    (cell) => { startGame(app, play, false); return personPlays(app, play, cell); });
}

export function startGame(app, play, isNew) {
  if (play.isRandom) play.engine = Math.random() < 0.5 ? "black" : "white"; // who moves first, no more
  const { engine, level, swap, size, minutes, isRandom } = play;
  remember("play", { engine, level, swap, size, minutes, isRandom });
  if (isNew) app.newGame(size, size);
  Object.assign(play, { isOn: true, winner: null, said: "", account: "",
    game: app.game, node: app.node, start: app.node });
  app.isRevealed = false;
  app.layer = "automatic";
  app.onPress = (cell) => personPlays(app, play, cell);
  startClock(app, play, (winner, why) => over(app, play, winner, why));
  next(app, play);
}

function underWay(app, play) {
  const busy = app.busy.get("play"), isOver = play.winner !== null;
  const mover = `${name(app.turn)} is to move${app.turn === play.engine ? ": the engine" : ""}.`;
  return html`<section><h2>Game</h2>
    <p class="standing">${isOver ? `${name(play.winner)} has won.` : mover}</p>
    ${play.engine === null ? "" : html`<p class="hint">${name(play.engine)} is the engine: level ${opponent(play)}.</p>`}
    ${clockView(app, play)}
    <p class="slot">${play.said}</p>
    <p class="slot waiting">${busy ? html`${busy.text || "thinking ..."}
      <button type="button" @click=${() => app.server.finish("play")}>Enough</button>` : ""}</p>
    ${gameButtons(app, play, isOver, Boolean(busy))} ${endButtons(app, play, isOver)}</section>
    ${app.isRevealed ? html`${play.account ? html`<section><h2>The last move</h2><p>${play.account}</p></section>` : ""}
      ${verdictPanel(app)} ${whyPanel(app)}` : ""}`;
}

// Buttons keep their places: what cannot be done now is off, not gone.
function gameButtons(app, play, isOver, isBusy) {
  const isMine = !isOver && app.turn !== play.engine;
  const why = () => { app.isRevealed = !app.isRevealed; app.look(); app.changed(); };
  return html`<p class="buttons">
    <button type="button" aria-disabled=${!isMine || isBusy} @click=${() => isMine && hint(app, play)}>Hint</button>
    <button type="button" ?disabled=${isOver} aria-pressed=${Boolean(app.isRevealed)} @click=${why}>Why</button>
    <button type="button" ?disabled=${app.node === play.start} @click=${() => takeBack(app, play)}>Take back</button>
    ${play.swap ? html`<button type="button" ?disabled=${!isMine || !maySwap(app.game, app.node)}
      @click=${() => personPlays(app, play, "swap-pieces")}>Swap</button>` : ""}</p>`;
}

// Apart from the others, and resigning is asked once more.
function endButtons(app, play, isOver) {
  const ask = (isResigning) => { play.isResigning = isResigning; app.changed(); };
  if (isOver) {
    return html`<p class="buttons apart"><button type="button" @click=${() => app.setMode("analyze")}>Go through the game</button>
      <button type="button" @click=${() => endGame(app, play)}>Another game</button></p>`;
  }
  if (play.isResigning) {
    return html`<p class="buttons apart">Resign this game?
      <button type="button" @click=${() => ask(false)}>No, play on</button>
      <button type="button" @click=${() => personPlays(app, play, "resign")}>Yes, resign</button></p>`;
  }
  return html`<p class="buttons apart"><button type="button" ?disabled=${app.turn === play.engine} @click=${() => ask(true)}>Resign</button>
    <button type="button" @click=${() => endGame(app, play)}>Stop without a result</button></p>`;
}

function opponent(play) {
  return LEVELS.find(([level]) => level === play.level)[1];
}

export function endGame(app, play) {
  stopClock(app);
  app.server.cancel("play");
  Object.assign(play, { isOn: false, winner: null, said: "", isResigning: false });
  app.lineShown = null;
  app.presses.delete("play");
  app.changed();
}

// Take a person's move; whatever it is, the click is dealt with.
function personPlays(app, play, cell) {
  if (!play.isOn || play.winner !== null) return true;
  if (app.turn === play.engine) { app.complain("the engine is to move"); return true; }
  const mover = app.turn, isSwap = play.swap && app.stones.last === cell && maySwap(app.game, app.node);
  app.lineShown = null;
  play.isResigning = false;
  if (!app.play(isSwap ? "swap-pieces" : cell)) return true; // a click on the stone takes it over
  play.node = app.node;
  app.isRevealed = false;
  play.said = "";
  if (cell === "resign") { over(app, play, OTHER[mover], `${name(mover)} resigned.`); return true; }
  switchClock(app, play);
  next(app, play);
  return true;
}

// The game goes on until a person is to move, or somebody has won.
async function next(app, play) {
  const node = app.node;
  const found = await app.work("play", "turn", { variant: "alternating", game: cutRecord(app.game, node),
    engine: play.engine, player: play.level, swap: play.swap });
  if (found === null || node !== app.node || !play.isOn) return;
  if (found.move !== null) {
    play.account = found.reason;
    app.isRevealed = false;
    app.play(found.move);
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

export async function hint(app, play) {
  if (app.busy.has("play")) { app.complain("the engine is thinking"); return; }
  const player = play.level.startsWith("tree") ? play.level : "hexy";
  const found = await app.work("play", "choose", { game: cutRecord(app.game, app.node), player, swap: play.swap, seconds: 5 });
  if (found === null) return;
  app.lineShown = isCell(app.game, found.move) ? [found.move] : null;
  const reason = found.reason === found.advice ? "" : found.reason;
  play.said = `Hint: ${moveWord(found.move)}. ${reason} ${found.advice}`;
  say(play.said);
  app.changed();
}

// Take the person's last move back, and the engine's answer to it.
export function takeBack(app, play) {
  if (app.node.parent === null) return;
  app.server.cancel("play");
  let node = app.node.parent;
  if (play.engine !== null && node.parent !== null && app.node.color === play.engine) node = node.parent;
  Object.assign(play, { winner: null, isOn: true, node, said: "", account: "" });
  app.isRevealed = false;
  app.go(node);
  next(app, play);
}
