// The review of the game that is on the board: what each move did, and where it turned.

import { html } from "../vendor/lit-html.js";
import { lineRecord } from "../tree.js";
import { say } from "../speech.js";
import { working } from "./working.js";

export function reviewPanel(app) {
  const nodes = app.line.filter((node) => node.move !== null);
  if (nodes.length === 0) return "";
  const { review } = app;
  const ask = async (event) => {
    event.preventDefault();
    const game = app.game, line = [...nodes];
    const record = { ...lineRecord(game, line[line.length - 1]), cursor: null };
    const found = await app.work("review", "review", { game: record, effort: event.target.elements.effort.value });
    if (found === null || app.game !== game) return;
    app.review = { ...found, game, nodes: line };
    line.forEach((node, place) => { node.verdict = found.moves[place]; });
    say(found.said.join(" "));
    app.changed();
  };
  return html`<section><h2>Review</h2><form class="buttons" @submit=${ask}>
    <label>Effort <select name="effort"><option>quick</option><option>normal</option><option>deep</option></select></label>
    <button ?disabled=${app.busy.has("review")}>Review this game</button></form>
    ${working(app, "review")}
    ${review && review.game === app.game ? html`${review.said.map((line) => html`<p>${line}</p>`)}
      <ul class="rows">${review.moves.filter((move) => move.notable).map((move) => html`<li><button type="button" class="row"
        @click=${() => app.go(review.nodes[move.number - 1])}><b>${move.number} ${move.move}</b>: ${move.word}. ${move.basis}.</button></li>`)}</ul>` : ""}
    ${app.node.verdict ? html`<p class="change">${app.node.verdict.number} ${app.node.verdict.move}: ${app.node.verdict.word}. ${app.node.verdict.basis}.</p>` : ""}
  </section>`;
}
