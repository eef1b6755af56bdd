// Puzzles: positions in which the user finds a winning move.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { recall } from "../memory.js";
import { thumbnail } from "../picture.js";
import {
  numberOf, openSuite, puzzleState, showPuzzle, showSolution, task,
} from "../puzzling.js";
import { stonesAt } from "../stones.js";
import { fromRecord } from "../tree.js";
import { button, fileField, row, working } from "./fields.js";

export const SUITES = [
  ["proved", "74 proved puzzles, in five grades"],
  ["classic", "Classic puzzles from the literature"],
];

export function puzzlePanels(app) {
  const puzzle = puzzleState(app);
  if (puzzle.list.length === 0) return suites(app, puzzle);
  return puzzle.place < 0 ? gallery(app, puzzle) : onePuzzle(app, puzzle);
}

function suites(app, puzzle) {
  const own = async (file) => openSuite(app, puzzle, await app.textOf(file));
  const shipped = async (suite) => openSuite(app, puzzle,
    (await app.ask("shipped", { name: suite }))?.text);
  return html`<section><h2>Puzzles</h2><p>Find the move that wins.</p><ul class="rows">
    ${SUITES.map(([suite, title]) => row(title, () => shipped(suite)))}</ul>
    ${fileField("or a suite of your own", own)}</section>`;
}

// All puzzles of a suite with pictures, by the grade in their names; solved ones have a tick.
function gallery(app, puzzle) {
  const done = new Set(recall("solved", []));
  const grades = [...new Set(puzzle.list.map(gradeOf))].sort();
  const solved = puzzle.list.filter((one) => done.has(one.name)).length;
  const others = () => { puzzle.list = []; app.redraw(); };
  const tiles = (grade) => puzzle.list.map((one, place) => (gradeOf(one) === grade
    ? tile(app, puzzle, place, done) : ""));
  return html`<section><h2>Puzzles</h2><p>${solved} of ${puzzle.list.length} solved.
      ${button("Other suites", others)}</p>
    ${grades.map((grade) => html`${grade ? html`<h3>Grade ${grade}</h3>` : ""}
      <ul class="recent">${tiles(grade)}</ul>`)}</section>`;
}

const gradeOf = ({ name: title }) => /grade(\d)/.exec(title)?.[1] ?? "";

// The title of a puzzle: "5x5, 1" for "5x5-grade1-01", "3x3, Hein 2" for "3x3-hein-02".
function titleOf({ name: title }) {
  const parts = /^(\d+x\d+)-(?:grade\d|([a-z])([a-z]+))-0*(\d+)$/.exec(title);
  if (parts === null) return title;
  const [, size, initial, rest, number] = parts;
  return `${size}, ${initial ? `${initial.toUpperCase()}${rest} ` : ""}${number}`;
}

function tile(app, puzzle, place, done) {
  const one = puzzle.list[place], { game } = fromRecord(one.game);
  return html`<li><button type="button" title=${one.name}
    @click=${() => showPuzzle(app, puzzle, place)}>${thumbnail(game, stonesAt(game.root))}
    <span><bdi>${titleOf(one)}</bdi>${done.has(one.name) ? " ✓ solved" : ""}</span></button></li>`;
}

function onePuzzle(app, puzzle) {
  const one = puzzle.list[puzzle.place];
  return html`<section><h2>${numberOf(puzzle)}</h2><p>${task(puzzle)}</p>
    <p class="slot ${puzzle.isSolved ? "proved" : "change"}"
      role="status">${withCells(app, puzzle.said)}</p>
    ${working(app, "puzzle")} ${buttons(app, puzzle)}
    <details><summary>Details</summary><p class="hint">${one.name}. ${one.source ?? ""}</p>
    </details></section>`;
}

function buttons(app, puzzle) {
  const { place, list } = puzzle;
  const leave = () => {
    app.server.cancel("puzzle");
    puzzle.place = -1;
    app.presses.delete("puzzle");
    app.want(`.recent [title="${CSS.escape(list[place].name)}"]`);
  };
  const to = (other) => () => showPuzzle(app, puzzle, other);
  return html`<p class="buttons">
    ${button("Next puzzle", to(place + 1), place + 1 === list.length)}
    ${button("Again", to(place))}
    ${button("Show the solution", () => showSolution(app, puzzle), puzzle.isSolved)}
    ${button("Previous puzzle", to(place - 1), place === 0)}
    ${button("Other puzzles", leave)}</p>`;
}
