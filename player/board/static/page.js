// The whole page: the board on one side, the panels of the mode on the other.

import { html } from "./vendor/lit-html.js";
import { boardView } from "./board.js";
import { icon } from "./icons.js";
import { analyzePanels } from "./panels/analyze.js";
import { bidsPanels } from "./panels/bids.js";
import { darkPanels } from "./panels/dark.js";
import { offered, toast } from "./panels/over.js";
import { helpPanel } from "./panels/help.js";
import { playPanels } from "./panels/play.js";
import { puzzlePanels } from "./panels/puzzles.js";
import { loadPanel, sharePanel } from "./panels/share.js";
import { setupPanel } from "./panels/setup.js";
import { solvePanels } from "./panels/solve.js";

const MODES = [
  ["analyze", "Analyze", analyzePanels],
  ["play", "Play", playPanels],
  ["solve", "Solve", solvePanels],
  ["puzzle", "Puzzles", puzzlePanels],
  ["bidding", "Bids", bidsPanels],
  ["dark", "Dark", darkPanels],
  ["load", "Load", loadPanel],
  ["share", "Share", sharePanel],
  ["setup", "Set up", setupPanel],
  ["help", "Help", helpPanel],
];

export function page(app) {
  const [, , panels] = MODES.find(([mode]) => mode === app.mode);
  return html`
    <header>
      <h1>hsearch board</h1>
      <nav aria-label="What to do">
        ${MODES.map(([mode, title]) => html`<button type="button" class="mode" aria-current=${mode === app.mode ? "page" : "false"}
          @click=${() => app.setMode(mode)}>${title}</button>`)}
        <label class="mode-choice">What to do <select @change=${(event) => app.setMode(event.target.value)}>
          ${MODES.map(([mode, title]) => html`<option value=${mode} .selected=${mode === app.mode}>${title}</option>`)}</select></label>
      </nav>
    </header>
    ${stateOfServer(app)}
    <main class="${app.mode} ${app.onPress === undefined ? "" : "under-way"}">
      <section class="board-side" aria-label="Board">
        ${boardView(app)}
        ${app.hidesMoves ? "" : moveButtons(app)}
        ${moveBox(app)}
        ${app.problem ? html`<p class="problem">${app.problem}</p>` : ""}
        ${app.notice ? html`<p class="notice">${app.notice}</p>` : ""}
      </section>
      <div class="panels">${panels(app)}</div>
    </main>
    ${toast(app)} ${offered(app)}`;
}

function stateOfServer(app) {
  if (app.status === "refused") return html`<p class="away" role="alert">${app.refusal}</p>`;
  if (app.status === "away") return html`<p class="away" role="alert">The server is away; the game is kept here. Looking for it ...</p>`;
  return "";
}

function moveButtons(app) {
  const isFirst = app.node.parent === null, isLast = app.node.children.length === 0;
  const button = (text, name, action, isOff) => html`<button type="button" class="icon" aria-label=${text} title=${text}
    ?disabled=${isOff} @click=${action}>${icon(name)}</button>`;
  return html`<div class="buttons" role="group" aria-label="Moves">
    ${button("First", "first", () => app.first(), isFirst)}
    ${button("Previous", "previous", () => app.previous(), isFirst)}
    ${button("Next", "next", () => app.next(), isLast)}
    ${button("Last", "last", () => app.last(), isLast)}
    ${app.follow === null ? "" : html`<button type="button" @click=${() => app.stepBack()}>Take back the question</button>`}
  </div>`;
}

function moveBox(app) {
  const submit = (event) => {
    event.preventDefault();
    const box = event.target.elements.move;
    const word = box.value.trim().toLowerCase();
    if (word && app.obey(word)) box.value = "";
  };
  return html`<form class="move-box" @submit=${submit}>
    <label>Move or question <input name="move" autocomplete="off" autocapitalize="off" spellcheck="false"
      placeholder="e9, swap, why" maxlength="20"></label>
    <button>Go</button>
  </form>`;
}
