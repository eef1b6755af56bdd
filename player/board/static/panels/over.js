// Elements over the page: menus, the toast, the question what to do with a game.

import { html } from "../vendor/lit-html.js";
import { sizeOf } from "../tree.js";
import { button, row } from "./fields.js";

// Close a menu after a choice.
export function closeMenu(event) {
  if (event.target.tagName === "BUTTON") shut(event.currentTarget);
}

// Close a menu, and move the focus from inside it to its button.
export function shut(menu) {
  const isIn = menu.contains(document.activeElement);
  menu.open = false;
  if (isIn) menu.querySelector("summary").focus();
}

export function toastPanel(app) {
  if (app.told === null) return "";
  const { text, way } = app.told, title = way === "undo" ? "Undo" : "Redo";
  const hold = () => app.holdToast(), fade = () => app.fade();
  return html`<div class="toast" role="region" aria-label="What was done" @pointerenter=${hold}
    @pointerleave=${fade} @focusin=${hold} @focusout=${fade}><span>${text}</span>
    ${button(title, () => app[way]())}
    <button type="button" class="icon" aria-label="Close" title="Close"
      @click=${() => { app.told = null; app.redraw(); }}>×</button></div>`;
}

// The question about games that were read: several, or one to replace the game on the board.
export function offerPanel(app) {
  if (app.offered === null) return "";
  const { games } = app.offered;
  const cancel = (event) => { event.preventDefault(); app.leave(); };
  return html`<dialog class="question" aria-label="A game was read" @cancel=${cancel}>
    ${games.length > 1 ? severalGames(app) : oneGame(app, games[0])}
    ${button("Cancel", () => app.leave())}</dialog>`;
}

// Open or close the question as a modal dialog, which confines the focus and then restores it.
export function showQuestion(root, { offered: isAsked }) {
  const question = root.querySelector("dialog");
  if (question !== null && isAsked === null) question.close();
  else if (question !== null && !question.open) question.showModal();
}

function severalGames(app) {
  const { games, isAsked } = app.offered;
  const choose = (one) => {
    if (!isAsked) { app.takeOffered(one); return; }
    app.offered = { games: [one], isAsked };
    app.want("dialog button");
  };
  return html`<h2>${games.length} games were read: choose one</h2>
    <ul class="rows">${games.map((one) => row(one.name, () => choose(one)))}</ul>`;
}

function oneGame(app, one) {
  const isLost = sizeOf(app.game) > 1;
  return html`<h2>${one.name}${isLost ? ": what about the game on the board?" : ""}</h2>
    ${one.guess ? html`<p>${one.guess}</p>` : ""}
    ${button(isLost ? "Replace it" : "Play these moves", () => app.takeOffered(one))}
    ${isLost ? adding(app, one) : ""}`;
}

// The button that adds the game to the one on the board, or the reason why that is impossible.
function adding(app, one) {
  const { columns, rows, nodes: [first] } = one.game, { game } = app;
  if (columns !== game.columns || rows !== game.rows) {
    return html`<p class="hint">It has another size, ${columns} by ${rows}.</p>`;
  }
  if (stonesOf(first) !== stonesOf(game.root)) {
    return html`<p class="hint">It begins with other stones.</p>`;
  }
  return button("Add as variation", () => app.addOffered(one));
}

// The initial stones of a game, sorted.
const stonesOf = ({ black, white }) => [[...black].sort(), [...white].sort()].join("|");
