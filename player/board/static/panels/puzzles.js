// Positions in which one move wins: find it.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";
import { recall, remember } from "../memory.js";
import { thumbnail } from "../picture.js";
import { say } from "../speech.js";
import { positionAt, stonesAt } from "../stones.js";
import { addMove, fromRecord, isCell } from "../tree.js";
import { working } from "./working.js";

const SUITES = [["proved", "74 proved puzzles, in five grades"], ["classic", "Classic puzzles from the literature"]];

export function puzzlePanels(app) {
  app.puzzle ??= { list: [], place: -1, said: "", wrong: 0, isSolved: false, me: null };
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

// All puzzles of a suite with pictures, by grade where their names have one; those solved are ticked.
function gallery(app, puzzle) {
  const done = new Set(recall("solved", []));
  const gradeOf = ({ name: title }) => /grade(\d)/.exec(title)?.[1] ?? "";
  const grades = [...new Set(puzzle.list.map(gradeOf))].sort();
  const solved = puzzle.list.filter((one) => done.has(one.name)).length;
  return html`<section><h2>Puzzles</h2><p>${solved} of ${puzzle.list.length} solved.
      <button type="button" @click=${() => { puzzle.list = []; app.changed(); }}>Other suites</button></p>
    ${grades.map((grade) => html`${grade ? html`<h3>Grade ${grade}</h3>` : ""}<ul class="recent">
      ${puzzle.list.map((one, place) => (gradeOf(one) === grade ? tile(app, puzzle, place, done) : ""))}</ul>`)}</section>`;
}

function tile(app, puzzle, place, done) {
  const one = puzzle.list[place], { game } = fromRecord(one.game);
  return html`<li><button type="button" @click=${() => show(app, puzzle, place)}>${thumbnail(game, stonesAt(game.root))}
    <span>${one.name}${done.has(one.name) ? " ✓ solved" : ""}</span></button></li>`;
}

function onePuzzle(app, puzzle) {
  const one = puzzle.list[puzzle.place], isLast = puzzle.place + 1 === puzzle.list.length;
  const sides = puzzle.me === "black" ? "north and south" : "west and east";
  const leave = () => { puzzle.place = -1; app.onPress = undefined; app.changed(); };
  return html`<section><h2>Puzzle ${puzzle.place + 1} of ${puzzle.list.length}</h2>
    <p>${name(puzzle.me)} is to move and wins, joining ${sides}. Find the move.</p>
    <p class="slot ${puzzle.isSolved ? "proved" : "change"}" role="status">${puzzle.said}</p>
    ${working(app, "puzzle")}
    <p class="buttons"><button type="button" ?disabled=${isLast} @click=${() => show(app, puzzle, puzzle.place + 1)}>Next puzzle</button>
      <button type="button" @click=${() => show(app, puzzle, puzzle.place)}>Again</button>
      <button type="button" @click=${() => solution(app)}>Show the solution</button>
      <button type="button" ?disabled=${puzzle.place === 0} @click=${() => show(app, puzzle, puzzle.place - 1)}>Previous puzzle</button>
      <button type="button" @click=${leave}>Other puzzles</button></p>
    <p class="hint">${one.name}. ${one.source ?? ""}</p></section>`;
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
  const node = app.node;
  if (app.stones.black.has(cell) || app.stones.white.has(cell)) { app.complain(`${cell} is not empty`); return; }
  const found = await app.work("puzzle", "puzzle", { position: positionAt(app.game, node), cell, wrong: puzzle.wrong });
  if (found === null || node !== app.node) return;
  puzzle.said = found.said;
  say(found.said);
  puzzle.wrong = found.wrong;
  if (!found.wins) app.showLine(found.reply === null ? [cell] : [cell, found.reply]);
  if (found.solved) remember("solved", [...new Set([...recall("solved", []), puzzle.list[puzzle.place].name])]);
  if (found.wins) {
    puzzle.isSolved = found.solved;
    app.isRevealed = found.solved;
    const mine = addMove(node, puzzle.me, cell);
    app.go(found.reply === null ? mine : addMove(mine, puzzle.me === "black" ? "white" : "black", found.reply), false);
  }
  app.changed();
}

async function solution(app) {
  const found = await app.work("puzzle", "puzzle", { position: positionAt(app.game, app.node) });
  if (found === null) return;
  app.puzzle.said = found.solution === null ? "Nothing wins from here any more." : `${found.solution} wins.`;
  say(app.puzzle.said);
  if (found.solution !== null) { // play it, and show why it wins
    app.isRevealed = app.puzzle.isSolved = true;
    app.go(addMove(app.node, app.turn, found.solution), false);
  }
  app.changed();
}
