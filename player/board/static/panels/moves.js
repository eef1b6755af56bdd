// The moves as a tree: the main line, and each variation indented under the move it replaces.

import { html } from "../vendor/lit-html.js";
import { guard } from "../vendor/directives/guard.js";
import { inNames, name } from "../layers.js";
import { label } from "../stones.js";
import { branchOf } from "../tree.js";
import { closeMenu } from "./over.js";

export function movesPanel(app) {
  const { game } = app;
  return html`<section class="moves" aria-label="Moves">
    <div class="moves-head">${players(game)} ${app.hidesMoves ? "" : moveMenu(app)}</div>
    <div class="tree-of-moves" role="group" aria-label="All moves"
      @contextmenu=${openMenu} @keydown=${(event) => steps(app, event)}
      >${line(app, game.root)}</div></section>`;
}

// The other button of the mouse, or a long press, goes to a move and opens its menu.
function openMenu(event) {
  const menu = event.currentTarget.parentElement.querySelector(".menu");
  const move = event.target.closest(".move");
  if (menu === null || move === null) return;
  event.preventDefault();
  move.click();
  menu.open = true;
}

// What can be done to the move that is shown; the first position has nothing to delete.
function moveMenu(app) {
  const branch = branchOf(app.node);
  return html`<details class="more menu" @click=${closeMenu}>
    <summary>This move</summary><div class="menu-items">
      <button type="button" ?disabled=${app.node.parent === null}
        @click=${() => app.remove()}>Delete from here</button>
      <button type="button" ?disabled=${branch === null}
        @click=${() => app.promote(branch)}>Make this variation the main line</button>
    </div></details>`;
}

// Who plays, and who has won by the record, as the server words it.
function players({ root: { info }, result = "" }) {
  const about = new Map(info), [black, white] = ["PB", "PW"].map((entry) => about.get(entry));
  const isNamed = black || white, won = inNames(result);
  const players = isNamed ? `${name("black")}: ${black ?? "?"}, ${name("white")}: ${white ?? "?"}`
    : "";
  const said = [players, won].filter(Boolean).join(". ");
  return html`<p title=${said}>${said}</p>`; // which may be cut off
}

// A line of play: its buttons in a row, and after each move the variations of it.
function line(app, start) {
  const items = [];
  for (let node = start; node !== undefined; node = node.children[0]) {
    items.push(moveButton(app, node));
    if (node.comment) items.push(html`<div class="comment-text">${node.comment}</div>`);
    const others = node.parent === null || node === start ? [] : node.parent.children.slice(1);
    for (const other of others) {
      items.push(html`<div class="variation">${line(app, other)}</div>`);
    }
  }
  return items;
}

function moveButton(app, node) {
  const winner = node.summary?.winner ?? null, isHere = node === app.node;
  const said = label(node) + glyph(node);
  const look = [node.color ?? "setup", winner === null ? "" : `won-${winner}`,
    node.comment ? "has-comment" : "", glyph(node) === "??" ? "blunder" : "",
    isFall(node) ? "notable" : ""].join(" ");
  const isOff = app.hidesMoves;
  return guard([node, look, isHere, said, isOff], () => html`<button type="button"
    class="move ${look}" aria-current=${isHere ? "step" : "false"} tabindex=${isHere ? 0 : -1}
    ?disabled=${isOff} @click=${() => app.go(node)}>${said}</button>`);
}

export const isMistake = ({ verdict }) => Boolean(verdict?.mistake)
  || verdict?.verdict === "proved loss";

// Whether the estimate fell, which is no mistake.
export const isFall = ({ verdict }) => verdict?.verdict === "estimate fell";

// As on other sites: two question marks for a mistake, an exclamation mark for an only move.
function glyph(node) {
  if (isMistake(node)) return "??";
  return node.verdict?.verdict === "only move" ? "!" : "";
}

// Scroll the list, and nothing but it, to the move that is shown.
export function showMove(root) {
  const list = root.querySelector(".tree-of-moves");
  const here = list?.querySelector("[aria-current='step']");
  if (!here) return;
  const [box, button] = [list.getBoundingClientRect(), here.getBoundingClientRect()];
  // Browsers scroll by whole pixels.
  if (button.top < box.top) list.scrollTop -= Math.ceil(box.top - button.top);
  else if (button.bottom > box.bottom) list.scrollTop += Math.ceil(button.bottom - box.bottom);
}

// One stop of the Tab key; arrows walk along the buttons for whoever came by it.
function steps(app, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined || app.isByPointer) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(event.target) + by];
  next?.focus();
  next?.click();
}
