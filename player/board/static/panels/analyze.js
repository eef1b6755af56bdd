// Analyze: the answer, the graph, the moves, and tabs for the rest.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { LAYERS, name, perCent, quantity, titleOf } from "../layers.js";
import { verdictPanel } from "./answer.js";
import { DARKEST } from "../picture.js";
import { isFirstSight } from "../stones.js";
import { button } from "./fields.js";
import { graphPanel } from "./graph.js";
import { movesPanel, notePanel } from "./moves.js";
import { reviewPanel } from "./review.js";
import { whyPanel } from "./why.js";

const OVER = "The game is over: nothing is left to play.";
const HEXAGON = "M0 -.95l.82 .475v.95l-.82 .475l-.82 -.475v-.95z";

export function analyzePanels(app, moveBar) {
  return html`<div class="column regions">${verdictPanel(app)} ${graphPanel(app)}
    ${movesPanel(app)} ${moveBar} ${tabs(app)}</div>`;
}

// The choice of the layer, in one row under the board.
export function layerStrip(app) {
  const layer = ([key, title], place) => html`<label class="chip"
    title="Key ${place + 1}"><input type="radio" name="layer"
    .checked=${app.layer === key} @change=${() => app.setLayer(key)}> ${titleOf(app, [key, title])}
    <kbd aria-hidden="true">${place + 1}</kbd></label>`;
  return html`<div class="strip"><div class="layers" role="radiogroup" aria-label="Show">
      ${LAYERS.map(layer)}</div>
    <label class="chip" title="A click asks and does not play"><input type="checkbox"
      .checked=${app.asks} @change=${(event) => app.setAsks(event.target.checked)}>
      Ask<span class="unseen">: a click asks and does not play</span></label></div>`;
}

function whyTab(app) {
  if (app.isTrying) return html`<p class="hint">The move is yours to find.</p>`;
  const { shown, found } = app;
  if (app.hasResultOnly) return html`<p class="hint">${OVER}</p>`;
  return html`${app.follow === null ? "" : html`<p>${asked(app.follow)}
      ${button("Back to the game (Esc)", () => app.leaveFollow())}</p>
      <p>${withCells(app, app.replyLine())}</p>`}
    <p class="hint">${hintFor(app, shown)}</p>
    ${found !== null && isMustplayNews(found)
      ? html`<p class="mustplay">${withCells(app, found.said.mustplay)}</p>` : ""}
    ${shown === "connections" && found !== null ? pairPanel(app) : whyPanel(app)}
    ${found !== null && found.connection === null && !found.chain.length
      ? html`<p>${button("Ask the solver", () => app.setMode("solve"))}</p>` : ""}`;
}

const asked = ({ moves }) => (moves.length === 0 ? "The line begins with the key."
  : `${quantity(moves.length, "cell")} asked about.`);

// Whether the must-play region deserves a sentence: it excludes moves, and the winner is open.
const isMustplayNews = ({ mustplay, proved }) => mustplay.forced && proved === null;

const TABS = [
  ["why", "Why", whyTab], ["review", "Review", reviewPanel], ["note", "Note", notePanel],
];

function tabs(app) {
  const [here, , panel] = TABS.find(([tab]) => tab === app.tab);
  const choose = (tab) => { app.tab = tab; app.redraw(); };
  return html`<section class="tabs"><div role="tablist" aria-label="More about this position"
      @keydown=${(event) => switchTab(app, event)}>
    ${TABS.map(([tab, title]) => html`<button type="button" role="tab" id="tab-${tab}"
      aria-selected=${tab === here} aria-controls="tab-panel" tabindex=${tab === here ? 0 : -1}
      @click=${() => choose(tab)}>${title}</button>`)}</div>
    <div role="tabpanel" id="tab-panel" aria-labelledby="tab-${here}"
      tabindex="0">${panel(app)}</div></section>`;
}

// Arrows switch tabs, if the focus came by keyboard.
function switchTab(app, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined || app.isByPointer) return;
  event.preventDefault();
  const place = TABS.findIndex(([tab]) => tab === app.tab);
  [app.tab] = TABS[(place + by + TABS.length) % TABS.length];
  app.want(`#tab-${app.tab}`);
}

function hintFor(app, shown) {
  const { found } = app;
  if (found === null) return "";
  const isOver = found.chain.length > 0;
  const hints = {
    proof: proofHint(app, isOver),
    mustplay: isOver ? OVER
      : found.mustplay.lost ? `Every move loses. ${hintIfLost(found.mustplay)}`
      : found.mustplay.forced ? "Rings: the only moves that can hold. Point at another cell "
        + "to see the threat that rules it out."
      : "No threat is known, so no cell is ruled out.",
    links: "Numbers: the five weakest links, where most depends on one cell (estimate).",
    connections: "Lines: direct connections between groups and edges; dots: the cells they need. "
      + "Point at a stone to see its own; click two to list what joins them (empty cells with "
      + "Ask on).",
    policy: "Numbers: how likely the net takes a cell for the best move, in per cent, before any "
      + "search (estimate).",
    chances: "Numbers: the chance to win after each move that was searched, in per cent "
      + "(estimate); ✓ and ✕: proved to win and to lose.",
    openings: app.node.openings?.said ?? "",
    none: "",
  };
  return hints[shown];
}

// The legend of numbers and shades, in the line under the board if that has no message.
export function legend(app) {
  const { mode, shown, node: { policy, tried }, found } = app;
  if (mode !== "analyze" || app.follow !== null) return "";
  if (shown === "policy" && policy) {
    const most = perCent(Math.max(0, ...Object.values(policy)));
    return scale("The net's first guess, in %.", "From 0", `to ${most}`);
  }
  if (shown !== "chances" || found === null) return "";
  if (tried?.length) {
    return scale(`${name(app.turn)}'s chance in %.`, "Searched little", "much");
  }
  return html`<p class="legend">${found.proved !== null ? "Who wins is proved: no chance is left."
    : isFirstSight(app) ? "Nothing is searched on an empty board."
    : app.settings.searches ? "Searching ..." : "The search is paused: Space resumes it."}</p>`;
}

// A scale from the lightest shade to the darkest, with labels.
function scale(words, least, most) {
  return html`<p class="legend">${words} <span class="scale">${least}
    ${[0.2, 0.6, 1].map((part) => html`<svg class="shade" viewBox="-1 -1 2 2"
      aria-hidden="true"><path class="cell" d=${HEXAGON} /><path class="heat" d=${HEXAGON}
      fill-opacity=${part * DARKEST} /></svg>`)} ${most}</span></p>`;
}

// A search may have proved the loss although no known threat rules out a cell.
function hintIfLost({ threats }) {
  return threats.length === 0 ? "No known threat shows it, but a search has proved it."
    : "Point at a cell to see a threat that rules it out, if one is known.";
}

function proofHint(app, isOver) {
  const { connection, proved } = app.found;
  if (isOver) return `Circles: the chain that joins ${name(proved.winner)}'s edges.`;
  if (connection === null && proved !== null) {
    return "The proof is a search: it marks no cells. The solver shows its moves and saves it.";
  }
  if (connection === null) return "No connection proves a winner here.";
  const asked = app.asks ? "Click a cell to see it answered."
    : "Point at a cell to see the reply.";
  const star = connection.key ? "; star: where it starts" : "";
  return `Dots: the cells that ${name(connection.color)}'s proof needs${star}. ${asked}`;
}

function pairPanel(app) {
  const { ends, rows } = app.pair;
  if (rows === null) return pairStart(app, ends);
  const pages = Math.ceil(rows.total / 50);
  return html`<p>${withCells(app, rows.said)}</p>
    <ol class="rows" start=${rows.page * 50 + 1}>${rows.rows.map((row) => html`<li>
      <button type="button" class="row" @click=${() => app.showPair(row)}
        @pointerenter=${() => app.showPair(row)}
        aria-pressed=${app.pair.shown === row}>${row.said}</button></li>`)}</ol>
    ${pages > 1 ? pager(app, rows.page, pages) : ""}`;
}

function pairStart(app, ends) {
  const { links } = app.node;
  const more = links?.more ? `, and ${links.more} more that ${links.more === 1 ? "is" : "are"} not
    drawn` : "";
  return html`<p>${links ? `${quantity(links.links.length, "link")}${more}.` : ""}
    ${ends.length === 1 ? `${ends[0]} is chosen; click the other end.`
      : ends.length === 2 ? `Looking for what joins ${ends.join(" and ")} ...` : ""}</p>`;
}

function pager(app, page, pages) {
  return html`<p>${button("Previous", () => app.list(page - 1), page === 0)}
    page ${page + 1} of ${pages}
    ${button("Next", () => app.list(page + 1), page + 1 >= pages)}</p>`;
}
