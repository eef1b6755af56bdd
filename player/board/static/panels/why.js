// Why the proof holds: its parts, each with its argument folded, told once and referred to after.

import { html } from "../vendor/lit-html.js";
import { guard } from "../vendor/directives/guard.js";

export function whyPanel(app) {
  const { why } = app;
  if (why === null || app.found?.connection == null) return "";
  const pointed = app.pointed ?? app.focused;
  return guard([why, pointed], () => reasons(why, pointed));
}

function reasons(why, pointed) {
  const { parts, arguments: proofs } = why.explanation;
  const told = new Set();
  return html`<section class="why"><h2>Why</h2>
    ${why.said.summary.filter((line) => !line.startsWith("   part")).map((line) => html`<p>${line.trim()}</p>`)}
    <ul class="tree">${parts.map((part) => partItem(part, proofs, why.said.arguments, told, pointed))}</ul>
    ${why.said.guide ? html`<details><summary>How to read it</summary><p>${why.said.guide}</p></details>` : ""}
  </section>`;
}

function partItem(part, proofs, said, told, pointed) {
  const ends = part.ends.join("–");
  const isHit = pointed !== null && part.carrier.includes(pointed);
  const cells = part.carrier.length === 1 ? "1 cell" : `${part.carrier.length} cells`;
  const size = part.carrier.length ? `, ${cells}` : "";
  if (part.argument === null) {
    return html`<li class=${isHit ? "hit" : ""}>${ends}: ${part.shape}${part.carrier.length && part.carrier.length <= 3 ? ` ${part.carrier.join(" ")}` : size}</li>`;
  }
  const title = html`${ends}${part.shape ? `: ${part.shape}` : ""}${size}`;
  if (told.has(part.argument)) return html`<li class=${isHit ? "hit" : ""}>${title}, by (${part.argument}) above</li>`;
  told.add(part.argument);
  const proof = proofs[part.argument - 1], words = said[part.argument - 1];
  const inner = proof.cases.flatMap((one) => one.parts.filter((each) => each.argument !== null));
  return html`<li class=${isHit ? "hit" : ""}><details><summary>(${part.argument}) ${title}</summary>
    <ol class="cases">${words.cases.map((line, place) => html`<li class=${pointed !== null && answers(proof.cases, place, pointed) ? "hit" : ""}>${line}</li>`)}</ol>
    ${inner.length ? html`<ul class="tree">${inner.map((each) => partItem(each, proofs, said, told, pointed))}</ul>` : ""}
  </details></li>`;
}

// Whether a case is the one that answers an intrusion.
function answers(cases, place, cell) {
  return cases[place].on.includes(cell);
}
