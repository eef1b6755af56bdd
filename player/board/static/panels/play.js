// Play: the form that begins a game, and a game in progress.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { clockView } from "../clock.js";
import { name } from "../layers.js";
import {
  endGame, giveHint, levelOf, personPlays, playState, startGame, takeBack,
} from "../playing.js";
import { verdictPanel } from "./answer.js";
import { movesPanel } from "./moves.js";
import { button, confirmed } from "./fields.js";
import { beforeGame } from "./newgame.js";
import { whyPanel } from "./why.js";

const RESIGN = ["Resign", "Resign this game?", "Yes, resign"];

export function playPanels(app) {
  const play = playState(app);
  return play.isOn || play.winner !== null ? underWay(app, play)
    : beforeGame(app, play, (isNew) => startGame(app, play, isNew));
}

function underWay(app, play) {
  const busy = app.busy.get("play"), isOver = play.winner !== null;
  const standing = `${isOver ? `${name(play.winner)} has won` : `${name(app.turn)} is to move`}.`;
  const enough = () => app.server.finish("play");
  return html`<section><h2>Game</h2>
    ${play.engine === null ? "" : html`<p class="hint">${name(play.engine)} is the engine:
      level ${levelOf(app)?.title}.</p>`}
    ${clockView(app, play)}
    <p class="slot">${withCells(app, play.said)}</p>
    <p class="slot waiting">${busy ? html`${busy.text || "thinking ..."}
      ${button("Enough", enough)}`
      : html`<span class="standing">${standing}</span>`}</p>
    ${gameButtons(app, play, isOver, Boolean(busy))} ${endButtons(app, play, isOver)}</section>
    ${app.isRevealed ? analysisInGame(app, play, isOver) : ""} ${movesPanel(app)}`;
}

// The analysis in a game; while it is on, also the engine's reason for its last move.
function analysisInGame(app, play, isOver) {
  return html`${play.account && !isOver ? html`<section><p><b>The last move:</b>
      ${withCells(app, play.account)}</p></section>` : ""}
    ${verdictPanel(app)} ${whyPanel(app)}`;
}

// Buttons keep their places: they are disabled, not removed. The second click of a double click on
// Hint does not play it.
function gameButtons(app, play, isOver, isBusy) {
  const isMine = !isOver && app.turn !== play.engine, isOff = !isMine || isBusy;
  const help = ({ detail: clicks }) => {
    if (!isOff && clicks < 2) giveHint(app, play);
  };
  const why = () => { app.isRevealed = !app.isRevealed; app.look(); app.redraw(); };
  return html`<p class="buttons">
    <button type="button" aria-disabled=${isOff}
      @click=${help}>${play.hinted ? "Play the hint" : "Hint"}</button>
    <button type="button" ?disabled=${isOver} aria-pressed=${Boolean(app.isRevealed)}
      @click=${why}>Why</button>
    ${button("Take back", () => takeBack(app, play), app.node === play.start)}
    ${play.swap ? button("Swap", () => personPlays(app, play, "swap-pieces"),
      !isMine || !app.node.state.swap) : ""}</p>`;
}

// The buttons that end the game, apart from the others.
function endButtons(app, play, isOver) {
  const stop = button(isOver ? "Another game" : "Stop without a result",
    () => endGame(app, play));
  const resign = () => personPlays(app, play, "resign");
  return html`<p class="buttons apart">${isOver
    ? button("Go through the game", () => app.setMode("analyze"))
    : confirmed(app, play, RESIGN, resign, app.turn === play.engine)}
    ${play.isEnding && !isOver ? "" : stop}</p>`;
}
