// Play: the form that begins a game, and a game in progress.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { name } from "../layers.js";
import {
  clockView, endGame, giveHint, isClosed, isOver, levelOf, personPlays, playState, startGame,
  takeBack,
} from "../playing.js";
import { OTHER } from "../tree.js";
import { verdictPanel } from "./answer.js";
import { button, checkbox, confirmed, number, select } from "./fields.js";
import { movesPanel } from "./moves.js";
import { whyPanel } from "./why.js";

const RESIGN = ["Resign", "Resign this game?", "Yes, resign"];

export function playPanels(app) {
  const play = playState(app);
  return play.isOn || play.winner !== null ? underWay(app, play)
    : beforeGame(app, play);
}

function underWay(app, play) {
  const busy = app.busy.get("play"), isOver = play.winner !== null;
  const standing = `${isOver ? `${name(play.winner)} has won` : `${name(app.turn)} is to move`}.`;
  const enough = () => app.server.finish("play");
  const isUnasked = !isOver && !app.pending && play.node.state.turn === play.engine;
  return html`<section><h2>Game</h2>
    ${play.engine === null ? "" : html`<p class="hint">${name(play.engine)} is the engine:
      level ${levelOf(app)?.title}.</p>`}
    ${clockView(app, play)}
    <p class="slot">${withCells(app, play.said)}</p>
    <p class="slot waiting">${busy ? html`${busy.text || "thinking ..."}
      ${button("Enough", enough)}`
      : html`<span class="standing">${standing}</span>
        ${isUnasked ? button("Let the engine move", () => app.comeBack()) : ""}`}</p>
    ${gameButtons(app, play, isOver, Boolean(busy))} ${endButtons(app, play, isOver)}</section>
    ${app.isRevealed ? analysisInGame(app, play, isOver) : ""} ${movesPanel(app, isOver)}`;
}

// The analysis in a game; while it is on, also the engine's reason for its last move.
function analysisInGame(app, play, isOver) {
  return html`${play.account && !isOver ? html`<section><p><b>The last move:</b>
      ${withCells(app, play.account)}</p></section>` : ""}
    ${verdictPanel(app)} ${whyPanel(app)}`;
}

// Buttons are disabled, not removed. The second click of a double click on Hint does not play it.
function gameButtons(app, play, isOver, isBusy) {
  const isMine = !isOver && app.turn !== play.engine, isOff = !isMine || isBusy;
  const help = ({ detail: clicks }) => {
    if (!isOff && clicks < 2) giveHint(app, play);
  };
  const why = () => {
    app.isRevealed = !app.isRevealed;
    if (!app.isRevealed) app.comeBack(); // Why may have shown another position
    app.look();
    app.redraw();
  };
  return html`<p class="buttons">
    <button type="button" aria-disabled=${isOff}
      @click=${help}>${play.hinted ? "Play hint" : "Hint"}</button>
    <button type="button" ?disabled=${isOver} aria-pressed=${app.isRevealed}
      @click=${why}>Why</button>
    ${button("Take back", () => takeBack(app, play), play.node === play.start)}
    ${play.swap ? button("Swap", () => personPlays(app, play, "swap-pieces"),
      !isMine || !app.node.state.swap) : ""}</p>`;
}

function endButtons(app, play, isOver) {
  const stop = button(isOver ? "Another game" : "Stop without a result",
    () => endGame(app, play));
  const resign = () => personPlays(app, play, "resign");
  return html`<p class="buttons apart">${isOver
    ? button("Go through the game", () => app.setMode("analyze"))
    : confirmed(app, play, RESIGN, resign, app.turn === play.engine)}
    ${play.isEnding && !isOver ? "" : stop}</p>`;
}

function beforeGame(app, play) {
  const { black, white } = app.stones;
  const start = (event) => startGame(app, play, event.submitter?.value !== "here");
  return html`<section><h2>Play</h2><form class="fields" @submit=${start}>
    ${sideChoice(app, play)} ${levelChoice(app, play)}
    ${number(app, play, "size", "Board", 3, 19)}
    ${checkbox("The second player may swap", play.swap, (isOn) => set(app, play, "swap", isOn))}
    ${number(app, play, "minutes", "Clock, minutes each (0: none)", 0, 180)}
    <p class="buttons"><button value="new">New game</button>
      ${black.size + white.size && !isClosed(app) && !app.game.isHidden
        ? html`<button value="here">Play from this position</button>` : ""}</p>
    <p class="hint">
      <span class="of-board">The first click on the board also begins a game${isOver(app)
        ? ", on an empty board" : ""}.</span>
      ${worth(app, play)}</p></form></section>`;
}

function set(app, play, key, value) {
  play[key] = value;
  app.redraw();
}

// The choice of the person's color: the engine has the other one, or neither for two people.
function sideChoice(app, play) {
  const here = play.isRandom ? "random" : play.engine === null ? "both" : OTHER[play.engine];
  const choose = (value) => {
    play.isRandom = value === "random";
    set(app, play, "engine", value === "both" ? null : value === "white" ? "black" : "white");
  };
  const sides = [["black", name("black")], ["white", name("white")], ["random", "random"],
    ["both", "both: two people"]];
  return select("You play", here, sides, choose);
}

function levelChoice(app, play) {
  const levels = app.levels.map((level) => [level.spec, level.title + gain(level, play)]);
  const choose = (level) => set(app, play, "level", level);
  return select("Opponent", play.level, levels, choose, play.engine === null);
}

// The Elo gain of a level over the one below, on this board size, else on all sizes together.
function gain({ gain: together, gains }, { size }) {
  const points = gains[size] ?? together;
  return points === null ? "" : ` (${points < 0 ? "" : "+"}${points})`;
}

const worth = (app, play) => (app.levels.every((level) => gain(level, play) === "") ? ""
  : `The number after a level is its Elo gain over the level below: with +100 it won 64 games of
    100, with +200 76.`);
