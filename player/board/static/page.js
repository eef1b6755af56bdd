// The page: the header, the board on one side, the panels of the place on the other.

import { html } from "./vendor/lit-html.js";
import { boardView, withCells } from "./board.js";
import { analyzePanels, layerStrip, legend } from "./panels/analyze.js";
import { bidsPanels } from "./panels/bids.js";
import { darkPanels } from "./panels/dark.js";
import { closeMenu, icon, offerPanel, toastPanel } from "./panels/fields.js";
import { helpPanel, setupPanel, viewPanel } from "./panels/more.js";
import { evaluationBar } from "./panels/answer.js";
import { playPanels } from "./panels/play.js";
import { puzzlePanels } from "./panels/puzzles.js";
import { openPanel, sharePanel } from "./panels/files.js";
import { solvePanels } from "./panels/solve.js";

const PANELS = {
  analyze: analyzePanels, play: playPanels, solve: solvePanels, puzzle: puzzlePanels,
  bidding: bidsPanels, dark: darkPanels, load: openPanel, share: sharePanel, setup: setupPanel,
  help: helpPanel, view: viewPanel,
};
const PLACES = [["analyze", "Analyze"], ["play", "Play"], ["puzzle", "Puzzles"]];
const ACTIONS = [["load", "Open"], ["share", "Share"]];
const MORE = [["setup", "Set up"], ["solve", "Solve"], ["bidding", "Bids"], ["dark", "Dark"],
  ["view", "View"], ["help", "Help"]];

export function page(app) {
  const look = [app.mode, app.onPress === undefined ? "" : "under-way",
    app.isDrawerOpen ? "drawer" : ""].join(" ");
  return html`
    ${header(app)}
    ${stateOfServer(app)}
    <main class=${look}>
      <section class="board-side" aria-label="Board">
        ${evaluationBar(app)}
        ${boardView(app)}
        ${line(app)}
        ${app.mode === "analyze" ? layerStrip(app) : html`<div class="strip"></div>`}
      </section>
      ${app.mode === "analyze" ? analyzePanels(app, moveBar(app)) : otherPanels(app)}
    </main>
    ${toastPanel(app)} ${offerPanel(app)}`;
}

function otherPanels(app) {
  return html`<div class="panels column" role="region" aria-label="What to do here"
    tabindex="0">${PANELS[app.mode](app)}</div>${moveBar(app)}`;
}

function header(app) {
  const place = ([mode, title]) => html`<button type="button" class="mode"
    aria-current=${mode === app.mode ? "page" : "false"}
    @click=${() => app.setMode(mode)}>${title}</button>`;
  const isMore = MORE.some(([mode]) => mode === app.mode);
  const isOpen = ([mode]) => !(app.isVisitor && mode === "dark"); // the server refuses its games
  return html`<header>
    <h1>hsearch board</h1>
    ${app.server.isGuest ? "" : html`
    <nav aria-label="Places">${PLACES.map(place)}</nav>
    <nav aria-label="Games">${ACTIONS.map(place)}
      <details class="more" @click=${closeMenu}>
        <summary class="mode ${isMore ? "here" : ""}">More</summary>
        <div class="menu-items">${MORE.filter(isOpen).map(place)}</div></details></nav>`}
    ${app.busy.size ? html`<div class="busy" aria-hidden="true"></div>` : ""}
  </header>`;
}

function stateOfServer(app) {
  const away = "The server is away; the game is kept here. Looking for it ...";
  if (!["refused", "away"].includes(app.status)) return "";
  const words = app.status === "refused" ? app.refusal : away;
  return html`<p class="away" role="alert">${words}</p>`;
}

// A line of fixed height: a message, or the sentence about the cell of interest.
function line(app) {
  const { problem, notice, regarded } = app, reply = app.replyLine();
  const isNews = regarded !== null && regarded !== app.toldAt && reply;
  const isTold = (problem || notice) && !isNews;
  return html`<div class="line">
    <p class="reply-line" aria-hidden="true">${withCells(app, (!isTold && reply) || "\u00a0")}</p>
    ${isTold || reply ? "" : legend(app)}
    ${isTold && problem && app.mode !== "load" ? html`<p class="problem">${problem}</p>` : ""}
    ${isTold && notice ? html`<p class="notice">${withCells(app, notice)}</p>` : ""}</div>`;
}

function moveBar(app) {
  const isOpen = app.isDrawerOpen;
  const turn = () => { app.isDrawerOpen = !isOpen; app.redraw(); };
  return html`<div class="move-bar">${moveButtons(app)} ${moveBox(app)}
    <button type="button" class="drawer-button" aria-expanded=${isOpen}
      @click=${turn}>${isOpen ? "Board" : "Details"}</button></div>`;
}

// The buttons are disabled, not removed, while a game is on.
function moveButtons(app) {
  const { hidesMoves, node } = app;
  const isFirst = hidesMoves || node.parent === null;
  const isLast = hidesMoves || node.children.length === 0;
  const button = (text, name, action, isOff) => html`<button type="button" class="icon"
    aria-label=${text} title=${text} ?disabled=${isOff} @click=${action}>${icon(name)}</button>`;
  return html`<div class="buttons" role="group" aria-label="Moves">
    ${button("First", "first", () => app.first(), isFirst)}
    ${button("Previous", "previous", () => app.previous(), isFirst)}
    ${button("Next", "next", () => app.next(), isLast)}
    ${button("Last", "last", () => app.last(), isLast)}
    ${app.follow === null ? "" : button("Take back the question", "back", () => app.stepBack())}
  </div>`;
}

function moveBox(app) {
  const submit = async (event) => {
    const box = event.target.elements.move, { value } = box, word = value.trim().toLowerCase();
    box.value = ""; // what is typed before the answer stays
    if (word && !await app.obey(word)) box.value ||= value;
  };
  return html`<form class="move-box" @submit=${submit}>
    <label><span class="unseen">Move or question</span> <input name="move" autocomplete="off"
      autocapitalize="off" spellcheck="false" placeholder="a2, swap, why" maxlength="20"></label>
    <button>Go</button>
  </form>`;
}
