// The moves as a tree: the main line, and each variation indented under the move it replaces; and
// the note on a move.

import { html } from "../vendor/lit-html.js";
import { guard } from "../vendor/directives/guard.js";
import { inNames, name } from "../layers.js";
import { isFall, isMistake } from "../reviewing.js";
import { label } from "../stones.js";
import { branchOf, isGivenUp } from "../tree.js";
import { button, closeMenu } from "./fields.js";

// The moves; `isOver`: with the result, which a game in Play has at its end.
export function movesPanel(app, isOver = true) {
  const { game } = app;
  return html`<section class="moves" aria-label="Moves">
    <div class="moves-head">${players(game, isOver)} ${app.hidesMoves ? "" : moveMenu(app)}</div>
    <div class="tree-of-moves" role="group" aria-label="All moves"
      @contextmenu=${openMenu} @keydown=${(event) => stepByKey(app, event)}
      >${line(app, game.root)}</div></section>`;
}

// A right click or a long press goes to a move and opens its menu.
function openMenu(event) {
  const menu = event.currentTarget.parentElement.querySelector(".menu");
  const move = event.target.closest(".move");
  if (menu === null || move === null) return;
  event.preventDefault();
  move.click();
  menu.open = true;
}

// The menu for the move that is shown; the root cannot be deleted.
function moveMenu(app) {
  const branch = branchOf(app.node);
  return html`<details class="more menu" @click=${closeMenu}>
    <summary>This move</summary><div class="menu-items">
      ${button("Delete from here", () => app.remove(), app.node.parent === null)}
      ${button("Make this variation the main line", () => app.promote(branch), branch === null)}
    </div></details>`;
}

// The players, and the result in the server's words.
function players({ root: { info }, result = "" }, isOver) {
  const about = new Map(info), [black, white] = ["PB", "PW"].map((entry) => about.get(entry));
  const isNamed = black || white, won = isOver && inNames(result);
  const players = isNamed ? `${name("black")}: ${black ?? "?"}, ${name("white")}: ${white ?? "?"}`
    : "";
  const said = [players, won].filter(Boolean).join(". ");
  return html`<p title=${said}>${said}</p>`; // the text may be cut off
}

// A line of play: its moves as buttons, each followed by its comment and variations.
function line(app, start) {
  const items = [];
  for (let node = start; node !== undefined; node = node.children[0]) {
    items.push(moveButton(app, node));
    if (node.comment) items.push(html`<div class="comment-text">${node.comment}</div>`);
    const others = node === start ? [] : node.parent.children.slice(1);
    for (const other of others) {
      items.push(html`<div class="variation">${line(app, other)}</div>`);
    }
  }
  return items;
}

function moveButton(app, node) {
  const isOff = app.hidesMoves, isHere = node === app.node;
  const isJudged = !isOff && !isGivenUp(node), winner = isJudged ? node.summary?.winner : null;
  const sign = isOff ? "" : glyph(node), said = label(node) + sign;
  const look = [node.color ?? "setup", winner ? `won-${winner}` : "",
    node.comment ? "has-comment" : "", sign === "??" ? "blunder" : "",
    !isOff && isFall(node) ? "notable" : ""].join(" ");
  return guard([node, look, isHere, said, isOff], () => html`<button type="button"
    class="move ${look}" aria-current=${isHere ? "step" : "false"} tabindex=${isHere ? 0 : -1}
    ?disabled=${isOff} @click=${() => app.visit(node)}>${said}</button>`);
}

// The usual sign for a move: ?? for a mistake, ! for an only move.
function glyph(node) {
  if (isMistake(node)) return "??";
  return node.verdict?.verdict === "only move" ? "!" : "";
}

// Scroll the list, but not the page, to the move that is shown.
export function showMove(root) {
  const list = root.querySelector(".tree-of-moves");
  const here = list?.querySelector("[aria-current='step']");
  if (!here) return;
  const [box, button] = [list.getBoundingClientRect(), here.getBoundingClientRect()];
  // Browsers scroll by whole pixels.
  if (button.top < box.top) list.scrollTop -= Math.ceil(box.top - button.top);
  else if (button.bottom > box.bottom) list.scrollTop += Math.ceil(button.bottom - box.bottom);
}

// Arrows move along the buttons, which are one Tab stop, if the focus came by keyboard.
function stepByKey(app, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined || app.isByPointer) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(event.target) + by];
  next?.focus();
  next?.click();
}

// The comment on a move, and entries of the record.
export function notePanel(app) {
  return html`<label class="comment">Comment<textarea rows="4" .value=${app.node.comment}
      maxlength="5000" @input=${(event) => app.comment(event.target.value)}></textarea></label>
    <div class="about">${field(app, "PB", name("black"))} ${field(app, "PW", name("white"))}
      ${field(app, "RE", "Result")} ${field(app, "DT", "Date")}</div>`;
}

// A field for an entry of the record, by its SGF name. Spaces around the text are not stored, but
// stay in the field while it is typed, as the value to draw is the same.
function field(app, entry, title) {
  const { info } = app.game.root;
  const value = info.find(([key]) => key === entry)?.[1] ?? "";
  return html`<label>${title} <input .value=${value} maxlength="100" autocomplete="off"
    @input=${(event) => app.inform(entry, event.target.value.trim())}></label>`;
}
