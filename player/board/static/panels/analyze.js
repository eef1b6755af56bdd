// Analyze: the answer, how the game went, its moves, and tabs for the rest.

import { html } from "../vendor/lit-html.js";
import { LAYERS, name } from "../layers.js";
import { verdictPanel } from "./answer.js";
import { graphPanel } from "./graph.js";
import { movesPanel } from "./moves.js";
import { reviewPanel } from "./review.js";
import { whyPanel } from "./why.js";

export function analyzePanels(app, moveBar) {
  return html`<div class="column regions">${verdictPanel(app)} ${graphPanel(app)} ${movesPanel(app)} ${moveBar} ${tabs(app)}</div>`;
}

// What is shown on the board, in one row under it.
export function layerStrip(app) {
  return html`<div class="strip"><div class="layers" role="radiogroup" aria-label="Show">
      ${LAYERS.map(([layer, title], place) => html`<label class="chip"><input type="radio" name="layer" .checked=${app.layer === layer}
        @change=${() => app.setLayer(layer)}> ${title} <kbd aria-hidden="true">${place + 1}</kbd></label>`)}
    </div>
    <label class="chip" title="A click asks and does not play"><input type="checkbox" .checked=${app.asks}
      @change=${(event) => app.setAsks(event.target.checked)}> Ask<span class="unseen">: a click asks and does not play</span></label></div>`;
}

function whyTab(app) {
  const { shown } = app;
  return html`${app.follow === null ? "" : html`<p>${app.follow.moves.length} asked.
      <button type="button" @click=${() => app.leaveFollow()}>Back to the game (Esc)</button></p>`}
    <p class="hint">${hint(app, shown)}</p>
    ${shown === "connections" && app.found !== null ? pairPanel(app) : whyPanel(app)}`;
}

function noteTab(app) {
  return html`<label class="comment">Comment<textarea rows="5" .value=${app.node.comment} maxlength="5000"
    @input=${(event) => app.comment(event.target.value)}></textarea></label>`;
}

const TABS = [["why", "Why", whyTab], ["review", "Review", reviewPanel], ["note", "Note", noteTab]];

function tabs(app) {
  const [here, , panel] = TABS.find(([tab]) => tab === app.tab);
  return html`<section class="tabs"><div role="tablist" aria-label="More about this position">
    ${TABS.map(([tab, title]) => html`<button type="button" role="tab" id="tab-${tab}" aria-selected=${tab === here}
      aria-controls="tab-panel" @click=${() => { app.tab = tab; app.changed(); }}>${title}</button>`)}</div>
    <div role="tabpanel" id="tab-panel" aria-labelledby="tab-${here}" tabindex="0">${panel(app)}</div></section>`;
}

function hint(app, shown) {
  if (app.found === null) return "";
  const isOver = app.found.chain.length > 0;
  const asked = app.asks ? "Click a cell to see it answered." : "Point at a cell to see the reply.";
  const hints = {
    proof: isOver ? `Circles: the chain that joins ${name(app.found.analysis.winner)}'s edges.`
      : app.found.connection === null ? "No connection proves a winner here."
      : `Dots: the cells that ${name(app.found.connection.color)}'s proof needs${app.found.connection.key ? "; star: where it starts" : ""}. ${asked}`,
    mustplay: isOver ? "The game is over: nothing is left to play."
      : app.found.mustplay.forced ? "Rings: the only moves that can hold. Point at another cell to see the threat that rules it out."
      : "Nothing is threatened: every cell may be played.",
    links: "Numbers: the five weakest links, where most depends on one cell (estimate).",
    connections: app.asks ? "Click two stones or cells to list what joins them."
      : "Lines: direct connections between groups and edges; dots: the cells they need.",
    none: "",
  };
  return hints[shown];
}

function pairPanel(app) {
  const { ends, rows } = app.pair;
  const links = app.node.links;
  if (rows === null) {
    return html`<p>${links ? `${links.links.length} links${links.more ? `, ${links.more} more are not drawn` : ""}.` : ""}
      ${ends.length === 1 ? `${ends[0]} is chosen; click the other end.` : ""}</p>`;
  }
  const pages = Math.ceil(rows.total / 50);
  return html`<p>${rows.total} connections of ${ends.join(" and ")}.</p>
    <ol class="rows" start=${rows.page * 50 + 1}>
      ${rows.rows.map((row) => html`<li><button type="button" class="row" @click=${() => app.showPair(row)}
        @pointerenter=${() => app.showPair(row)} aria-pressed=${app.pair.shown === row}>${row.said}</button></li>`)}
    </ol>
    ${pages > 1 ? html`<p><button type="button" ?disabled=${rows.page === 0} @click=${() => app.list(rows.page - 1)}>Earlier</button>
      page ${rows.page + 1} of ${pages}
      <button type="button" ?disabled=${rows.page + 1 >= pages} @click=${() => app.list(rows.page + 1)}>Later</button></p>` : ""}`;
}
