// Positions in which one move wins: find it.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { name } from "../layers.js";
import { recall, remember } from "../memory.js";
import { thumbnail } from "../picture.js";
import { say } from "../speech.js";
import { positionAt, stonesAt } from "../stones.js";
import { fromRecord, isCell } from "../tree.js";
import { working } from "./working.js";

const SUITES = [
  ["proved", "74 proved puzzles, in five grades"],
  ["classic", "Classic puzzles from the literature"],
];
const START = { list: [], place: -1, said: "", wrong: 0, isSolved: false, me: null };

export function puzzlePanels(app) {
  app.puzzle ??= { ...START };
  const { puzzle } = app;
  if (puzzle.list.length === 0) return suites(app, puzzle);
  return puzzle.place < 0 ? gallery(app, puzzle) : onePuzzle(app, puzzle);
}

function suites(app, puzzle) {
  const own = async (event) => begin(app, puzzle, await event.target.files[0]?.text());
  return html`<section><h2>Puzzles</h2><p>Find the move that wins.</p><ul class="rows">
    ${SUITES.map(([suite, title]) => html`<li><button type="button" class="row"
      @click=${() => open(app, puzzle, suite)}>${title}</button></li>`)}</ul>
    <p><label>or a suite of your own <input type="file" @change=${own}></label></p></section>`;
}

// All puzzles of a suite with pictures, by grade where their names have one; those solved are
// ticked.
function gallery(app, puzzle) {
  const done = new Set(recall("solved", []));
  const grades = [...new Set(puzzle.list.map(gradeOf))].sort();
  const solved = puzzle.list.filter((one) => done.has(one.name)).length;
  const others = () => { puzzle.list = []; app.changed(); };
  const tiles = (grade) => puzzle.list.map((one, place) => (gradeOf(one) === grade
    ? tile(app, puzzle, place, done) : ""));
  return html`<section><h2>Puzzles</h2><p>${solved} of ${puzzle.list.length} solved.
      <button type="button" @click=${others}>Other suites</button></p>
    ${grades.map((grade) => html`${grade ? html`<h3>Grade ${grade}</h3>` : ""}
      <ul class="recent">${tiles(grade)}</ul>`)}</section>`;
}

const gradeOf = ({ name: title }) => /grade(\d)/.exec(title)?.[1] ?? "";

// "5x5-grade1-01" is the first of its grade on 5x5.
function titleOf({ name: title }) {
  const parts = /^(\d+x\d+)-grade\d-0*(\d+)$/.exec(title);
  return parts === null ? title : `${parts[1]}, ${parts[2]}`;
}

function tile(app, puzzle, place, done) {
  const one = puzzle.list[place], { game } = fromRecord(one.game);
  return html`<li><button type="button" title=${one.name} @click=${() => show(app, puzzle, place)}
    >${thumbnail(game, stonesAt(game.root))}
    <span>${titleOf(one)}${done.has(one.name) ? " ✓ solved" : ""}</span></button></li>`;
}

function onePuzzle(app, puzzle) {
  const one = puzzle.list[puzzle.place];
  const sides = puzzle.me === "black" ? "north and south" : "west and east";
  return html`<section><h2>Puzzle ${puzzle.place + 1} of ${puzzle.list.length}</h2>
    <p>${name(puzzle.me)} is to move and wins, joining ${sides}. Find the move.</p>
    <p class="slot ${puzzle.isSolved ? "proved" : "change"}"
      role="status">${withCells(app, puzzle.said)}</p>
    ${working(app, "puzzle")} ${buttons(app, puzzle)}
    <details><summary>Details</summary><p class="hint">${one.name}. ${one.source ?? ""}</p>
    </details></section>`;
}

function buttons(app, puzzle) {
  const { place, list } = puzzle;
  const leave = () => { puzzle.place = -1; app.onPress = undefined; app.changed(); };
  const button = (title, act, isOff = false) => html`<button type="button" ?disabled=${isOff}
    @click=${act}>${title}</button>`;
  const to = (other) => () => show(app, puzzle, other);
  return html`<p class="buttons"><button type="button" class="next-puzzle"
      ?disabled=${place + 1 === list.length} @click=${to(place + 1)}>Next puzzle</button>
    ${button("Again", to(place))} ${button("Show the solution", () => solution(app))}
    ${button("Previous puzzle", to(place - 1), place === 0)}
    ${button("Other puzzles", leave)}</p>`;
}

async function open(app, puzzle, suite) {
  const found = await app.ask("shipped", { name: suite });
  if (found !== null) await begin(app, puzzle, found.text);
}

async function begin(app, puzzle, text) {
  if (!text) return;
  const found = await app.ask("read", { text });
  if (found === null) return;
  const list = found.games.filter((one) => one.wins?.length);
  if (list.length === 0) { app.complain("no position in it says which moves win"); return; }
  Object.assign(puzzle, { list, place: -1 });
  app.changed();
}

function show(app, puzzle, place) {
  Object.assign(puzzle, { place, said: "", wrong: 0, isSolved: false });
  app.isRevealed = false;
  app.take(puzzle.list[place].game);
  puzzle.me = app.turn;
  app.onPress = (cell) => { attempt(app, puzzle, cell); return true; };
  app.changed();
}

async function attempt(app, puzzle, cell) {
  if (puzzle.isSolved || app.busy.has("puzzle") || !isCell(app.game, cell)) return;
  if (!app.isEmpty(cell)) { app.complain(`${cell} is not empty`); return; }
  const { node } = app, position = positionAt(app.game, node);
  const found = await app.work("puzzle", "puzzle", { position, cell, wrong: puzzle.wrong });
  if (found === null || node !== app.node) return;
  Object.assign(puzzle, { said: found.said, wrong: found.wrong });
  say(found.said);
  if (!found.wins) refute(app, cell, found);
  else await goOn(app, puzzle, cell, found);
  app.changed();
}

// The move that loses and the answer to it as ghost stones, and the cells that the answer needs.
function refute(app, cell, { reply, carrier }) {
  app.showLine(reply === null ? [cell] : [cell, reply]);
  app.showPart({ cells: carrier, ends: [], stones: [], lines: [] });
}

// A move that wins stays on the board, with the answer to it; the last one solves the puzzle.
async function goOn(app, puzzle, cell, { solved, reply }) {
  puzzle.isSolved = app.isRevealed = solved;
  await app.play(cell);
  if (reply !== null) await app.play(reply);
  if (!solved) return;
  const title = puzzle.list[puzzle.place].name;
  remember("solved", [...new Set([...recall("solved", []), title])]);
  app.want(".next-puzzle");
}

async function solution(app) {
  const found = await app.work("puzzle", "puzzle", { position: positionAt(app.game, app.node) });
  if (found === null) return;
  app.puzzle.said = found.solution === null ? "Nothing wins from here any more."
    : `${found.solution} wins.`;
  say(app.puzzle.said);
  if (found.solution !== null) { // play it, and show why it wins
    app.isRevealed = app.puzzle.isSolved = true;
    await app.play(found.solution);
  }
  app.changed();
}
