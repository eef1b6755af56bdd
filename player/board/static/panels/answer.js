// The answer: who wins or stands better, in one line, why, and what to play.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";
import { outcome } from "../board.js";
import { turnOf } from "./review.js";

// A bar beside the board: each player's chance, solid where it is proved.
export function evaluationBar(app) {
  const chance = app.hidesAnalysis ? null : shownChance(app);
  const isProved = app.found?.analysis.winner != null && !app.hidesAnalysis;
  const part = chance === null ? 50 : Math.round(100 * chance);
  return html`<div class="evaluation ${isProved ? "proved-bar" : ""} ${chance === null ? "no-chance" : ""}" aria-hidden="true">
    <div class="black" .style=${`flex:${part} 0 0`}></div>
    <div class="white" .style=${`flex:${100 - part} 0 0`}></div></div>`;
}

// Black's chance, of the last answer that there was, so that the bar does not jump.
function shownChance(app) {
  for (let node = app.node; node !== null; node = node.parent) {
    if (node.summary) return node.summary.chance;
  }
  return null;
}

export function verdictPanel(app) {
  const { found } = app;
  const result = outcome(app);
  if (app.node.move === "resign" || app.node.move === "forfeit") {
    return html`<section class="verdict"><h2 class="headline">${result}</h2></section>`;
  }
  if (found === null) {
    return html`<section class="verdict"><h2 class="headline waiting">${app.status === "open" ? "Looking ..." : "\u00a0"}</h2></section>`;
  }
  const { said, analysis } = found;
  const isProved = analysis.winner !== null;
  return html`<section class="verdict">
    <h2 class="headline ${isProved ? "" : "open"}">${headline(app)}</h2>
    ${isProved ? html`<p class="proved"><span class="sign-proved" aria-hidden="true">■</span> ${said.verdict}</p>` : ""}
    ${said.estimate ? html`<p class="estimate"><span aria-hidden="true">≈</span> ${said.estimate}</p>` : ""}
    ${app.review?.record === app.game ? html`<p class="turn">${turnOf(app.review)}</p>` : ""}
    ${said.change ? html`<p class="change">${said.change}</p>` : ""}
    ${isFirstSight(app) ? invitation(app) : candidates(app)}
    ${!isProved && found.mustplay.forced ? html`<p>${said.mustplay}</p>` : ""}
    <details><summary>Details</summary>${isProved ? "" : html`<p>${said.verdict}</p>`}
      ${said.more.map((line) => html`<p>${line}</p>`)}</details>
  </section>`;
}

function headline(app) {
  const { analysis, connection, chance } = app.found;
  const result = outcome(app);
  if (result !== null) return result;
  if (analysis.winner !== null) {
    const key = analysis.winner === app.turn ? connection?.key : null;
    return `${name(analysis.winner)} wins${key ? ` with ${key}` : ""}`;
  }
  if (Math.abs(chance - 0.5) < 0.03) return `${name(app.turn)} to move, even`;
  return `${name(chance > 0.5 ? "black" : "white")} is ahead`;
}

const isFirstSight = (app) => app.game.root.children.length === 0 && app.stones.black.size + app.stones.white.size === 0;

function invitation(app) {
  return html`<p>Play, paste a game, or open an example.</p><p class="buttons">
    <button type="button" @click=${() => app.setMode("play")}>Play a game</button>
    <button type="button" @click=${() => app.setMode("load")}>Open a game</button>
    <button type="button" @click=${() => app.loadShipped("london-2000-queenbee-hexy")}>An example</button></p>`;
}

// Up to three moves with their chances; pointing at one shows its line as ghost stones.
function candidates(app) {
  const list = (app.found.candidates ?? []).slice(0, 3);
  if (list.length === 0) return "";
  return html`<ol class="candidates">${list.map((one) => html`<li><button type="button" class="row"
    @pointerenter=${() => app.showLine(one.line)} @pointerleave=${() => app.showLine(null)}
    @focus=${() => app.showLine(one.line)} @blur=${() => app.showLine(null)}
    @click=${() => app.play(one.move)}><b>${one.move}</b> ${one.said} <span class="hint">${one.line.slice(1).join(" ")}</span></button></li>`)}</ol>`;
}
