// Why the proof holds: its parts with folded arguments, each given once, then referred to.
// Hover or focus of a part or a case shows it on the board.

import { html } from "../vendor/lit-html.js";
import { guard } from "../vendor/directives/guard.js";
import { withCells } from "../board.js";
import { HUES, quantity } from "../layers.js";
import { OTHER } from "../tree.js";

export function whyPanel(app) {
  const { why } = app;
  if (why === null || app.hasResultOnly || app.found?.connection == null) return "";
  const pointed = app.regarded;
  return guard([why, pointed], () => reasons(app, why, pointed));
}

function reasons(app, why, pointed) {
  const { explanation, said } = why;
  const view = { app, pointed, proofs: explanation.arguments, said: said.arguments,
    given: new Set() };
  const lines = said.summary.filter((line) => !line.startsWith("   part"));
  return html`<section class="why"><h2>Why</h2>
    ${lines.map((line) => html`<p>${withCells(app, line.trim())}</p>`)}
    <ul class="tree">${explanation.parts.map((part) => partItem(part, view))}</ul>
    ${said.guide ? html`<details><summary>How to read it</summary>
      <p>${plain(said.guide)}</p></details>` : ""}
  </section>`;
}

// Replace the backquotes in sentences of the command line.
const plain = (text) => text.replace(/`([^`]*)`/g, "“$1”");

function partItem(part, view) {
  const { pointed, given, app } = view, title = partTitle(part, view);
  const look = pointed !== null && part.carrier.includes(pointed) ? "hit" : "";
  if (part.argument === null) return html`<li class=${look}>${title}</li>`;
  if (given.has(part.argument)) {
    return html`<li class=${look}>${title} by (${part.argument}) above</li>`;
  }
  given.add(part.argument);
  const proof = view.proofs[part.argument - 1], words = view.said[part.argument - 1];
  const inner = proof.cases.flatMap((one) => one.parts.filter((each) => each.argument !== null));
  const marks = marksOfPart(part, view);
  return html`<li class=${look}><details><summary @focus=${() => app.show({ part: marks })}
    @blur=${() => app.show({ part: null })}>(${part.argument}) ${title}</summary>
    <ol class="cases">${words.cases.map((line, place) =>
      caseItem(line, proof.cases[place], view))}</ol>
    ${inner.length ? html`<ul class="tree">${inner.map((each) => partItem(each, view))}</ul>` : ""}
  </details></li>`;
}

// The marks of a part: its carrier, and its link or those of the first case of its argument.
function marksOfPart(part, { app, proofs }) {
  const inner = part.argument === null ? [part] : proofs[part.argument - 1].cases[0].parts;
  return { cells: part.carrier, ends: part.ends, stones: [], lines: linesOf(inner, app) };
}

function linesOf(parts, app) {
  const { color } = app.found.connection;
  return parts.filter(({ carrier }) => carrier.length > 0)
    .map((part, place) => ({ ...part, color, hue: place % HUES }));
}

// The title of a part: its ends, shape and cells.
function partTitle(part, view) {
  const { app } = view, { ends, shape, carrier } = part;
  const size = carrier.length === 0 ? ""
    : carrier.length <= 3 ? ` ${carrier.join(" ")}` : `, ${quantity(carrier.length, "cell")}`;
  const marks = marksOfPart(part, view);
  return html`<span @pointerenter=${() => app.show({ part: marks })}
    @pointerleave=${() => app.show({ part: null })}
    >${ends.join("–")}${shape ? `: ${shape}` : ""}${size}</span>`;
}

// A case: hover shows its reply, and the intrusion before it, as ghost stones.
function caseItem(line, one, { app, pointed }) {
  const owner = app.found.connection.color;
  const stones = [[one.key, owner], ...one.on.slice(0, 1).map((cell) => [cell, OTHER[owner]])];
  const marks = { cells: one.carrier, ends: [], stones: stones.filter(([cell]) => cell),
    lines: linesOf(one.parts, app) };
  const look = pointed !== null && one.on.includes(pointed) ? "hit" : "";
  const show = () => app.show({ part: marks }), hide = () => app.show({ part: null });
  return html`<li class=${look}><button type="button" class="pointer" @pointerenter=${show}
    @pointerleave=${hide} @focus=${show} @blur=${hide}
    >${withCells(app, plain(line))}</button></li>`;
}
