// What the user sets: stones and marks, the look of the board, what the page does automatically.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";
import { MARKS } from "../tree.js";
import { checkbox, numberField, select } from "./fields.js";

// Set up: stones and marks by hand, and an empty board.

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

// View: settings.

const TURNS = [
  [0, "automatic"], [10, "flat"], [11, "upright"], [9, "diamond"], [12, "tall diamond"],
];
const SWITCHES = [
  ["mirrored", "Mirrored"], ["numbers", "Move numbers"], ["coordinates", "Names in the cells"],
  ["reviews", "Review games that are opened"], ["deepens", "Review them more and more deeply"],
  ["letters", "Letters are keys anywhere, not on the board alone"],
  ["sound", "A sound when a stone is placed"],
];

export function viewPanel(app) {
  return html`<section><h2>View</h2> ${rotation(app)}
    ${SWITCHES.map(([key, title]) =>
      checkbox(title, app.settings[key], (isOn) => app.set(key, isOn)))}
    ${players(app)}</section>`;
}

function rotation(app) {
  const here = app.settings.rotation;
  const turns = TURNS.some(([turn]) => turn === here) ? TURNS
    : [...TURNS, [here, `${here} o'clock`]];
  return select("Board", here, turns, (turn) => app.set("rotation", Number(turn)));
}

function players(app) {
  const here = app.settings.redBlue ? "red" : "black";
  const names = [["red", "Red and Blue"], ["black", "Black and White"]];
  return select("Players", here, names, (chosen) => app.setColors(chosen === "red"));
}
