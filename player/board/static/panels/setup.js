// Set up stones and marks by hand.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";
import { MARKS } from "../tree.js";
import { numberField } from "./fields.js";

export function setupPanel(app) {
  return html`<section><h2 id="stone">Set up stones</h2>
    <p>Click a cell, or draw over several; click a stone or a mark again to take it
      away. An arrow takes two clicks.</p>
    <div class="layers" role="radiogroup" aria-labelledby="stone">
      ${stoneChoice(app, "black", `${name("black")} stone`)}
      ${stoneChoice(app, "white", `${name("white")} stone`)}
      ${stoneChoice(app, "alternate", "In turn")} ${stoneChoice(app, null, "Remove")}
      ${Object.entries(MARKS).map(([sign, title]) =>
        stoneChoice(app, sign, `Mark: ${title}`))}</div>
    <h2 id="to-move">To move</h2>
    <div class="layers" role="radiogroup" aria-labelledby="to-move">
      ${turnChoice(app, "black")} ${turnChoice(app, "white")}</div></section>
    ${emptyBoard(app)}`;
}

function stoneChoice(app, color, title) {
  const choose = () => {
    Object.assign(app, { setupColor: color, arrowFrom: null });
    app.redraw();
  };
  return html`<label class="chip"><input type="radio" name="stone"
    .checked=${app.setupColor === color} @change=${choose}> ${title}</label>`;
}

// A refused turn leaves the radio buttons as they were.
function turnChoice(app, color) {
  const set = async ({ target }) => {
    await app.setTurn(color);
    target.closest(".layers").querySelector(`[value=${app.turn}]`).checked = true;
  };
  return html`<label class="chip"><input type="radio" name="turn" value=${color}
    .checked=${app.turn === color} @change=${set}> ${name(color)}</label>`;
}

function emptyBoard(app) {
  const { columns, rows } = app.game;
  const start = (event) => {
    const { columns, rows } = event.target.elements;
    app.newGame(Number(columns.value), Number(rows.value));
  };
  const side = (name, title, value) => numberField(title, value, { least: 1, most: 19, name });
  return html`<section><h2>New board</h2><form @submit=${start}>
    ${side("columns", "Columns", columns)} ${side("rows", "Rows", rows)}
    <button>Empty board</button></form></section>`;
}
