// Put stones by hand.

import { html } from "../vendor/lit-html.js";
import { SHAPES } from "../tree.js";

export function setupPanel(app) {
  const choice = (color, title) => html`<label class="chip"><input type="radio" name="stone" .checked=${app.setupColor === color}
    @change=${() => { app.setupColor = color; app.changed(); }}> ${title}</label>`;
  const turn = (color, title) => html`<label class="chip"><input type="radio" name="turn" .checked=${app.turn === color}
    @change=${() => app.setTurn(color)}> ${title}</label>`;
  const size = (event) => {
    event.preventDefault();
    const { columns, rows } = event.target.elements;
    app.newGame(Number(columns.value), Number(rows.value));
  };
  return html`<section><h2 id="stone">Set up stones</h2>
    <p>Click a cell to put a stone or a mark; click a stone to remove it, a mark to take it away.</p>
    <div class="layers" role="radiogroup" aria-labelledby="stone">${choice("black", "Black stone")} ${choice("white", "White stone")} ${choice(null, "Remove")}
      ${Object.entries(SHAPES).map(([property, shape]) => choice(property, `Mark: ${shape}`))}</div>
    <h2 id="to-move">To move</h2>
    <div class="layers" role="radiogroup" aria-labelledby="to-move">${turn("black", "Black")} ${turn("white", "White")}</div></section>
    <section><h2>New board</h2>
    <form @submit=${size}><label>Columns <input name="columns" type="number" min="1" max="19" .value=${String(app.game.columns)}></label>
      <label>Rows <input name="rows" type="number" min="1" max="19" .value=${String(app.game.rows)}></label> <button>Empty board</button></form></section>`;
}
