// The short places of the menu More: Set up, View, Help.

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

// View: the look of the board, and what the page does automatically.

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

// Help.

const KEYS = [
  ["← →", "previous and next move, where the board has no focus by keys"],
  ["Space", "pause the search of Analyze, or resume it, where nothing has the focus by keys"],
  ["← → ↑ ↓", "on the board: along the row and the column"],
  ["Shift+↑ Shift+↓", "along the third direction"],
  ["Home End", "first and last move; on the board the ends of the row, with Ctrl of the board"],
  ["PageUp PageDown", "ends of the column"],
  ["Enter, Space", "play, or ask"],
  ["j k", "next and previous move"],
  ["n p", "before the next and the previous mistake"],
  ["f l", "first and last move"],
  ["[ ]", "previous and next turning point"],
  ["1 to 8", "what is shown"],
  ["a", "Ask mode on and off"],
  ["Ctrl+Z", "undo; with Shift, redo"],
  ["Esc", "back from a line of play, or from this page"],
  ["?", "this page, and back"],
];
const POINTING = [
  ["Wheel over the board", "previous and next move"],
  ["Long press on a cell", "the same as pointing at it with a mouse"],
  ["Right button or long press on a move", "its menu: delete it, or make it the main line"],
];
const WORDS = [
  ["Proved", "holds whatever the opponent does: by connections, or by a search to the end; "
    + "marked ■. Everything else is an estimate, marked ≈."],
  ["36 % (1,200)", "a move to play: its estimated chance to win, and how many simulations of the "
    + "search began with it. The most searched is first; a chance from few is uncertain."],
  ["Full connection", "joins two points even if the opponent moves first."],
  ["Semi connection", "joins them if its owner moves first, at its key (★)."],
  ["Carrier", "the empty cells that a connection needs, marked with dots. A move outside needs "
    + "no reply."],
  ["Must-play", "the cells, marked with rings, in which alone a move can hold against all that "
    + "is threatened."],
  ["Weak links", "cells on which much depends for both players, found by two electrical "
    + "circuits; an estimate."],
  ["Net", "how likely the net takes each move for the best one, before any search; an estimate."],
  ["Chances", "the chance to win after each move that was searched; the darker its cell, the more "
    + "simulations stand behind it. An estimate, but for ✓ and ✕: proved to win and to lose."],
  ["Swap map", "on an empty board: the first moves, marked with rings, that the second player "
    + "should take over."],
  ["Ask mode", "a click on a cell of a proof plays it for the opponent and shows the reply, move "
    + "after move; Esc returns."],
];
const BOX = [
  ["e9", "play there"], ["swap, pass, resign", "play that"], ["undo", "one move back"],
  ["hint", "a move to play"], ["who", "who is proved to win"],
  ["threat", "the must-play region"], ["why", "why the proof holds"],
];

export function helpPanel() {
  return html`<section><h2>Hex</h2><p>${name("black")} joins north and south, ${name("white")}
      joins west and east. Players take turns to place a stone; stones never move. Exactly one of
      the two succeeds. With the swap rule the second player may take over the first stone.</p>
    </section>
    <section><h2>Words</h2>${list(WORDS, (word) => word)}</section>
    <section><h2>Keys</h2>${list(KEYS, (keys) => html`<kbd>${keys}</kbd>`)}</section>
    <section><h2>Mouse and finger</h2>${list(POINTING, (acts) => acts)}</section>
    <section><h2>The move box</h2>${list(BOX, (words) => html`<kbd>${words}</kbd>`)}</section>`;
}

function list(rows, term) {
  return html`<dl>${rows.map(([what, meaning]) => html`<div><dt>${term(what)}</dt>
    <dd>${meaning}</dd></div>`)}</dl>`;
}
