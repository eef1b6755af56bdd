// Positions in which one move wins: find it.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";
import { say } from "../speech.js";
import { positionAt } from "../stones.js";
import { addMove, isCell } from "../tree.js";
import { working } from "./working.js";

export function puzzlePanels(app) {
  app.puzzle ??= { list: [], place: -1, said: "", wrong: 0, isSolved: false, me: null };
  const puzzle = app.puzzle;
  if (puzzle.place < 0) {
    return html`<section><h2>Puzzles</h2><p>Find the move that wins.</p><ul class="rows">
      ${[["proved", "74 proved puzzles, in five grades"], ["classic", "Classic puzzles from the literature"]].map(([suite, title]) => html`<li>
        <button type="button" class="row" @click=${() => open(app, puzzle, suite)}>${title}</button></li>`)}</ul>
      <p><label>or a suite of your own <input type="file" @change=${async (event) => begin(app, puzzle, await event.target.files[0]?.text())}></label></p></section>`;
  }
  const one = puzzle.list[puzzle.place];
  return html`<section><h2>Puzzle ${puzzle.place + 1} of ${puzzle.list.length}</h2>
    <label>Puzzle <select @change=${(event) => show(app, puzzle, Number(event.target.value))}>
      ${puzzle.list.map((each, place) => html`<option value=${place} ?selected=${place === puzzle.place}>${each.name}</option>`)}</select></label>
    <p>${name(puzzle.me)} is to move and wins, joining ${puzzle.me === "black" ? "north and south" : "west and east"}. Find the move.</p>
    ${puzzle.said ? html`<p class=${puzzle.isSolved ? "proved" : "change"} role="status">${puzzle.said}</p>` : ""}
    ${working(app, "puzzle")}
    <p class="buttons"><button type="button" @click=${() => solution(app)}>Show the solution</button>
      <button type="button" @click=${() => show(app, puzzle, puzzle.place)}>Again</button>
      <button type="button" ?disabled=${puzzle.place === 0} @click=${() => show(app, puzzle, puzzle.place - 1)}>Previous puzzle</button>
      <button type="button" ?disabled=${puzzle.place + 1 === puzzle.list.length} @click=${() => show(app, puzzle, puzzle.place + 1)}>Next puzzle</button>
      <button type="button" @click=${() => { puzzle.place = -1; app.onPress = undefined; app.changed(); }}>Other puzzles</button></p>
    ${one.source ? html`<p class="hint">${one.source}</p>` : ""}</section>`;
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
  puzzle.list = list;
  show(app, puzzle, 0);
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
  app.changed();
}
