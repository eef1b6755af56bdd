// Play: the form that begins a game, and a game in progress.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { clockView } from "../clock.js";
import { name } from "../layers.js";
import {
  endGame, hint, levelOf, personPlays, playState, startGame, takeBack,
} from "../playing.js";
import { verdictPanel } from "./answer.js";
import { movesPanel } from "./moves.js";
import { beforeGame } from "./newgame.js";
import { whyPanel } from "./why.js";

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
      <button type="button" @click=${enough}>Enough</button>`
      : html`<span class="standing">${standing}</span>`}</p>
    ${gameButtons(app, play, isOver, Boolean(busy))} ${endButtons(app, play, isOver)}</section>
    ${app.isRevealed ? analysisInGame(app, play, isOver) : ""} ${movesPanel(app)}`;
}

// The analysis in a game; while it is on, also the engine's reason for its last move.
function analysisInGame(app, play, isOver) {
  return html`${play.account && !isOver ? html`<section><h2>The last move</h2>
      <p>${withCells(app, play.account)}</p></section>` : ""}
    ${verdictPanel(app)} ${whyPanel(app)}`;
}

// Buttons keep their places: they are disabled, not removed. The second click of a double click on
// Hint does not play it.
function gameButtons(app, play, isOver, isBusy) {
  const isMine = !isOver && app.turn !== play.engine, isOff = !isMine || isBusy;
  const help = ({ detail: clicks }) => {
    if (!isOff && clicks < 2) hint(app, play);
  };
  const why = () => { app.isRevealed = !app.isRevealed; app.look(); app.redraw(); };
  return html`<p class="buttons">
    <button type="button" aria-disabled=${isOff}
      @click=${help}>${play.hinted ? "Play the hint" : "Hint"}</button>
    <button type="button" ?disabled=${isOver} aria-pressed=${Boolean(app.isRevealed)}
      @click=${why}>Why</button>
    <button type="button" ?disabled=${app.node === play.start}
      @click=${() => takeBack(app, play)}>Take back</button>
    ${play.swap ? html`<button type="button" ?disabled=${!isMine || !app.node.state.swap}
      @click=${() => personPlays(app, play, "swap-pieces")}>Swap</button>` : ""}</p>`;
}

// The buttons that end the game, apart from the others; resigning needs a confirmation.
function endButtons(app, play, isOver) {
  const button = (title, act, isOff = false) => html`<button type="button" ?disabled=${isOff}
    @click=${act}>${title}</button>`;
  const ask = (isResigning) => () => {
    play.isResigning = isResigning;
    app.want(".apart button");
  };
  const stop = () => endGame(app, play);
  if (isOver) {
    return html`<p class="buttons apart">
      ${button("Go through the game", () => app.setMode("analyze"))}
      ${button("Another game", stop)}</p>`;
  }
  if (play.isResigning) {
    return html`<p class="buttons apart"><span>Resign this game?</span>
      ${button("No, play on", ask(false))}
      ${button("Yes, resign", () => personPlays(app, play, "resign"))}</p>`;
  }
  return html`<p class="buttons apart">
    ${button("Resign", ask(true), app.turn === play.engine)}
    ${button("Stop without a result", stop)}</p>`;
}

