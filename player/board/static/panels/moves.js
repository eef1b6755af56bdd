// The moves as a tree: the main line, and each variation indented under the move it replaces.

import { html } from "../vendor/lit-html.js";
import { guard } from "../vendor/directives/guard.js";
import { name } from "../layers.js";
import { label } from "../stones.js";
import { branchOf } from "../tree.js";

export function movesPanel(app) {
  return html`<section class="moves" aria-label="Moves"><div class="moves-head">${players(app.game)} ${moveMenu(app)}</div>
    <div class="tree-of-moves" role="group" aria-label="All moves" @keydown=${steps}>${line(app, app.game.root)}</div>
  </section>`;
}

// What can be done to the move that is shown; the first position has nothing to delete.
function moveMenu(app) {
  const branch = branchOf(app.node);
  return html`<details class="more menu" @click=${(event) => { if (event.target.tagName === "BUTTON") event.currentTarget.open = false; }}>
    <summary>This move</summary><div class="menu-items">
      <button type="button" ?disabled=${app.node.parent === null} @click=${() => app.remove()}>Delete from here</button>
      <button type="button" ?disabled=${branch === null} @click=${() => app.promote(branch)}>Make this variation the main line</button>
    </div></details>`;
}

function players(game) {
  const about = new Map(game.info);
  const named = [about.get("PB"), about.get("PW")];
  if (!named.some(Boolean)) return "";
  return html`<p>${name("black")}: ${named[0] ?? "?"}, ${name("white")}: ${named[1] ?? "?"}${about.get("RE") ? `, ${about.get("RE")}` : ""}</p>`;
}

// A line of play: its buttons in a row, and after each move the variations of it.
function line(app, start) {
  const items = [];
  for (let node = start; node !== undefined; node = node.children[0]) {
    items.push(moveButton(app, node));
    if (node.comment) items.push(html`<div class="comment-text">${node.comment}</div>`);
    for (const other of node.parent === null || node === start ? [] : node.parent.children.slice(1)) {
      items.push(html`<div class="variation">${line(app, other)}</div>`);
    }
  }
  return items;
}

function moveButton(app, node) {
  const winner = node.summary?.winner ?? null;
  const isHere = node === app.node, said = label(node);
  const look = `${node.color ?? "setup"} ${winner === null ? "" : `won-${winner}`} ${node.comment ? "has-comment" : ""} ${node.verdict?.notable ? "notable" : ""}`;
  return guard([node, look, isHere, said], () => html`<button type="button" class="move ${look}"
    aria-current=${isHere ? "step" : "false"} tabindex=${isHere ? 0 : -1} @click=${() => app.go(node)}>${said}</button>`);
}

// Scroll the list, and nothing but it, to the move that is shown.
export function showMove(root) {
  const list = root.querySelector(".tree-of-moves"), here = list?.querySelector("[aria-current='step']");
  if (!here) return;
  const [box, button] = [list.getBoundingClientRect(), here.getBoundingClientRect()];
  if (button.top < box.top) list.scrollTop -= box.top - button.top;
  else if (button.bottom > box.bottom) list.scrollTop += button.bottom - box.bottom;
}

// One stop of the Tab key; arrows walk along the buttons.
function steps(event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(event.target) + by];
  next?.focus();
  next?.click();
}
