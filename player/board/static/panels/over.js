// What lies over the page: menus, a toast with its button, the question what to do with a game.

import { html } from "../vendor/lit-html.js";

// A choice closes its menu.
export function closeMenu(event) {
  if (event.target.tagName === "BUTTON") event.currentTarget.open = false;
}

export function toast(app) {
  if (app.told === null) return "";
  const { text, way } = app.told, title = way === "undo" ? "Undo" : "Redo";
  return html`<div class="toast" role="region" aria-label="What was done"><span>${text}</span>
    <button type="button" @click=${() => app[way]()}>${title}</button></div>`;
}

// Several games were read, or one came while another is on the board.
export function offered(app) {
  if (app.offered === null) return "";
  const { games } = app.offered;
  return html`<div class="over"><div class="question" role="dialog" aria-label="A game was read">
    ${games.length > 1 ? severalGames(app) : oneGame(app, games[0])}
    <button type="button" @click=${() => app.leave()}>Cancel</button></div></div>`;
}

function severalGames(app) {
  const { games, isAsked } = app.offered;
  const choose = (one) => {
    if (!isAsked) { app.takeOffered(one); return; }
    app.offered = { games: [one], isAsked };
    app.changed();
  };
  return html`<h2>${games.length} games were read: choose one</h2>
    <ul class="rows">${games.map((one) => html`<li><button type="button" class="row"
      @click=${() => choose(one)}>${one.name}</button></li>`)}</ul>`;
}

function oneGame(app, one) {
  const { columns, rows } = one.game;
  const isSame = columns === app.game.columns && rows === app.game.rows;
  return html`<h2>${one.name}: what about the game on the board?</h2>
    <button type="button" @click=${() => app.takeOffered(one)}>Replace it</button>
    ${isSame ? html`<button type="button"
        @click=${() => app.addOffered(one)}>Add as variation</button>`
      : html`<p class="hint">It has another size, ${columns} by ${rows}.</p>`}`;
}
