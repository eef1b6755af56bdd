// What is known of the position: verdict, layers, graph, why, moves.

import { html } from "../vendor/lit-html.js";
import { LAYERS, name } from "../layers.js";
import { graphPanel } from "./graph.js";
import { movesPanel } from "./moves.js";
import { reviewPanel } from "./review.js";
import { whyPanel } from "./why.js";

export function analyzePanels(app) {
  return html`${verdictPanel(app)} ${layerPanel(app)} ${graphPanel(app)} ${whyPanel(app)} ${movesPanel(app)} ${reviewPanel(app)} ${viewPanel(app)}`;
}

// Proof and estimate never look alike: a square and upright words, or a wave and slanted ones.
export function verdictPanel(app) {
  const { found } = app;
  if (found === null) {
    return html`<section class="verdict"><h2>Verdict</h2><p class="waiting">${app.status === "open" ? "Looking ..." : "\u00a0"}</p></section>`;
  }
  const { said } = found;
  const isProved = found.analysis.winner !== null;
  return html`<section class="verdict"><h2>Verdict</h2>
    <p class=${isProved ? "proved" : "open"}>${isProved ? html`<span class="sign-proved" aria-hidden="true">■</span> ` : ""}${said.verdict}</p>
    ${said.estimate ? html`<p class="estimate"><span aria-hidden="true">≈</span> ${said.estimate}</p>` : ""}
    ${said.change ? html`<p class="change">${said.change}</p>` : ""}
    ${said.mustplay ? html`<p>${said.mustplay}</p>` : ""}
    <details><summary>Numbers</summary>${said.more.map((line) => html`<p>${line}</p>`)}</details>
  </section>`;
}

function layerPanel(app) {
  const shown = app.shown;
  return html`<section><h2 id="show">Show</h2>
    <div class="layers" role="radiogroup" aria-labelledby="show">
      ${LAYERS.map(([layer, title], place) => html`<label class="chip"><input type="radio" name="layer" .checked=${app.layer === layer}
        @change=${() => app.setLayer(layer)}> ${title} <kbd aria-hidden="true">${place + 1}</kbd></label>`)}
    </div>
    <p class="hint">${hint(app, shown)}</p>
    <label class="switch"><input type="checkbox" .checked=${app.asks} @change=${(event) => app.setAsks(event.target.checked)}>
      Ask: a click asks and does not play</label>
    ${app.follow === null ? "" : html`<p>${app.follow.moves.length} asked. <button type="button" @click=${() => app.leaveFollow()}>Back to the game (Esc)</button></p>`}
    ${shown === "connections" && app.found !== null ? pairPanel(app) : ""}
  </section>`;
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

const TURNS = [[0, "automatic"], [10, "flat"], [11, "upright"], [9, "diamond"], [12, "tall diamond"]];

export function viewPanel(app) {
  const { settings } = app;
  const check = (key, title) => html`<label class="switch"><input type="checkbox" .checked=${settings[key]}
    @change=${(event) => app.set(key, event.target.checked)}> ${title}</label>`;
  return html`<details><summary><h2>View</h2></summary>
    <label>Board <select @change=${(event) => app.set("rotation", Number(event.target.value))}>
      ${TURNS.map(([turn, title]) => html`<option value=${turn} ?selected=${turn === settings.rotation}>${title}</option>`)}
      ${TURNS.some(([turn]) => turn === settings.rotation) ? "" : html`<option value=${settings.rotation} selected>${settings.rotation} o'clock</option>`}
    </select></label>
    ${check("mirrored", "Mirrored")} ${check("numbers", "Move numbers")}
    ${check("coordinates", "Names in the cells")} ${check("redBlue", "Red and blue stones")}
  </details>`;
}
