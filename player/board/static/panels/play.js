// A game against the engine, or of two people.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";
import { recall, remember } from "../memory.js";
import { say } from "../speech.js";
import { maySwap, moveWord, stonesAt } from "../stones.js";
import { OTHER, cutRecord } from "../tree.js";
import { verdictPanel } from "./analyze.js";
import { clockView, startClock, stopClock, switchClock } from "./clock.js";
import { whyPanel } from "./why.js";

const START = { engine: "white", level: "hexy:level=3", swap: true, size: 11, isOn: false, minutes: 0,
  said: "", winner: null, account: "" };
const LEVELS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((level) => [`hexy:level=${level}`, String(level)]),
  ["hexy", "all of hexy"],
  ["tree:time=1", "tree, a second a move"],
  ["tree:time=5", "tree, five seconds"],
];

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
  return play.isOn || play.winner !== null ? underWay(app, play) : beforeGame(app, play);
}

function beforeGame(app, play) {
  const set = (key) => (event) => {
    const { type, checked, value } = event.target;
    play[key] = type === "checkbox" ? checked : type === "number" ? Number(value) : value;
    app.changed();
  };
  const start = (event) => { event.preventDefault(); startGame(app, play, event.submitter?.value === "new"); };
  return html`<section><h2>Play</h2><form class="fields" @submit=${start}>
    <label>White is <select @change=${(event) => { play.engine = event.target.value === "engine" ? "white" : play.engine === "white" ? null : play.engine; app.changed(); }}>
      <option value="engine" ?selected=${play.engine === "white"}>the engine</option><option value="person" ?selected=${play.engine !== "white"}>a person</option></select></label>
    <label>Black is <select @change=${(event) => { play.engine = event.target.value === "engine" ? "black" : play.engine === "black" ? null : play.engine; app.changed(); }}>
      <option value="person" ?selected=${play.engine !== "black"}>a person</option><option value="engine" ?selected=${play.engine === "black"}>the engine</option></select></label>
    <label>Level <select @change=${set("level")}>${LEVELS.map(([level, said]) => html`<option
      value=${level} ?selected=${play.level === level}>${said}</option>`)}</select></label>
    <label>Board <input type="number" min="3" max="19" .value=${String(play.size)} @change=${set("size")}></label>
    <label class="switch"><input type="checkbox" .checked=${play.swap} @change=${set("swap")}> The second player may swap</label>
    <label>Clock <input type="number" min="0" max="180" .value=${String(play.minutes)} @change=${set("minutes")}> minutes each, 0 is none</label>
    <p class="buttons"><button value="new">New game</button>
      ${hasStones(app) ? html`<button value="here">Go on from this position</button>` : ""}</p></form></section>`;
}

function hasStones(app) {
  const { black, white } = stonesAt(app.node);
  return black.size + white.size > 0;
}

export function startGame(app, play, isNew) {
  const { engine, level, swap, size, minutes } = play;
  remember("play", { engine, level, swap, size, minutes });
  if (isNew) app.newGame(size, size);
  Object.assign(play, { isOn: true, winner: null, said: "", account: "",
    game: app.game, node: app.node, start: app.node });
  app.isRevealed = false;
  app.layer = "automatic";
  app.onPress = (cell) => personPlays(app, play, cell);
  startClock(app, play);
  next(app, play);
}

function underWay(app, play) {
  const busy = app.busy.get("play");
  const isOver = play.winner !== null;
  return html`<section><h2>Game</h2>
    <p class="standing">${isOver ? `${name(play.winner)} has won.` : `${name(app.turn)} is to move${app.turn === play.engine ? ": the engine" : ""}.`}</p>
    ${play.engine === null ? "" : html`<p class="hint">${name(play.engine)} is the engine: ${opponent(play)}.</p>`}
    ${clockView(app, play)}
    ${play.said ? html`<p>${play.said}</p>` : ""}
    ${busy ? html`<p class="waiting">${busy.text || "thinking ..."} <button type="button" @click=${() => app.server.finish("play")}>Move now</button></p>` : ""}
    <p class="buttons">
      ${isOver ? "" : html`<button type="button" ?disabled=${Boolean(busy)} @click=${() => hint(app, play)}>Hint</button>
        <button type="button" @click=${() => { app.isRevealed = !app.isRevealed; app.look(); app.changed(); }} aria-pressed=${Boolean(app.isRevealed)}>Why</button>`}
      <button type="button" ?disabled=${app.node.parent === null} @click=${() => takeBack(app, play)}>Take back</button>
      ${!isOver && play.swap && app.turn !== play.engine && maySwap(app.game, app.node)
        ? html`<button type="button" @click=${() => personPlays(app, play, "swap-pieces")}>Swap</button>` : ""}
      ${isOver ? "" : html`<button type="button" ?disabled=${app.turn === play.engine} @click=${() => personPlays(app, play, "resign")}>Resign</button>`}
      ${isOver ? html`<button type="button" @click=${() => app.setMode("analyze")}>Go through the game</button>` : ""}
      <button type="button" @click=${() => endGame(app, play)}>${isOver ? "Another game" : "End the game"}</button>
    </p></section>
    ${app.isRevealed ? html`${play.account ? html`<section><h2>The last move</h2><p>${play.account}</p></section>` : ""}
      ${verdictPanel(app)} ${whyPanel(app)}` : ""}`;
}

function opponent(play) {
  const [level, said] = LEVELS.find(([each]) => each === play.level);
  return level.startsWith("hexy:") ? `level ${said}` : said;
}

export function endGame(app, play) {
  stopClock(app);
  app.server.cancel("play");
  Object.assign(play, { isOn: false, winner: null, said: "" });
  app.presses.delete("play");
  app.changed();
}

// Take a person's move; whatever it is, the click is dealt with.
function personPlays(app, play, cell) {
  if (!play.isOn || play.winner !== null) return true;
  if (app.turn === play.engine) { app.complain("the engine is to move"); return true; }
  const mover = app.turn;
  if (!app.play(cell)) return true;
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
  play.said = `Hint: ${moveWord(found.move)}. ${found.reason} ${found.advice}`;
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
