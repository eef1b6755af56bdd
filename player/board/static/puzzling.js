// Puzzles: a suite, tries, the solution.

import { name, quantity } from "./layers.js";
import { TAB, recall, remember } from "./memory.js";
import { WAIT, say } from "./state.js";
import { isCell, nodeAt, stepsTo } from "./tree.js";

const NEXT = ".panels .buttons button:enabled"; // gets the focus once a puzzle is solved
const START = { list: [], place: -1, said: "", wrong: 0, isSolved: false, me: null, game: null };

export function puzzleState(app) {
  app.puzzle ??= { ...START };
  return app.puzzle;
}

export const numberOf = ({ place, list }) => `Puzzle ${place + 1} of ${list.length}`;

// The task; once it is solved, the result.
export function task({ list, place, me, isSolved }) {
  const { stones } = list[place], sides = me === "black" ? "north and south" : "west and east";
  if (isSolved) return `${name(me)} wins, joining ${sides}.`;
  const least = stones ? `; ${quantity(stones, "stone")} ${stones > 1 ? "are" : "is"} enough` : "";
  return `${name(me)} is to move and wins, joining ${sides}${least}. Find the move.`;
}

export async function openSuite(app, puzzle, text) {
  const found = text ? await app.ask("read", { text }) : null;
  if (found === null) return;
  const list = found.games.filter((one) => one.wins?.length);
  if (list.length === 0) { app.complain("no position in it names its winning moves"); return; }
  Object.assign(puzzle, { list, place: -1 });
  remember("suite", list, TAB);
  say(`${quantity(list.length, "puzzle")}: choose one.`);
  app.want(".recent button"); // the button of the suite is gone
}

export function showPuzzle(app, puzzle, place) {
  app.server.cancel("puzzle"); // a try in another one
  Object.assign(puzzle, { place, said: "", wrong: 0, isSolved: false });
  app.isRevealed = false;
  app.take(puzzle.list[place].game);
  Object.assign(puzzle, { me: app.turn, game: app.game, node: app.node });
  app.game.isPuzzle = app.node.isFixed = true;
  app.presses.set("puzzle", (cell) => tryCell(app, puzzle, cell));
  say(`${numberOf(puzzle)}. ${task(puzzle)}`);
  app.wantBoard();
}

// The puzzle and its current node, for a reload.
export function packPuzzle({ game, puzzle }) {
  if (!puzzle?.list.length) return null;
  const { list, game: own, node, ...plain } = puzzle;
  return own === game && plain.place >= 0 ? { ...plain, node: stepsTo(node) } : { place: -1 };
}

export function resumePuzzle(app, { node, ...plain }) {
  const list = recall("suite", [], TAB), { game } = app;
  const puzzle = app.puzzle = { ...START, ...plain, list };
  if (list[puzzle.place] === undefined) { puzzle.place = -1; return; }
  Object.assign(puzzle, { game, node: nodeAt(game, node) });
  game.isPuzzle = puzzle.node.isFixed = true;
  app.presses.set("puzzle", (cell) => tryCell(app, puzzle, cell));
}

// Return to the puzzle, whatever the board has shown meanwhile.
export function comeBackToPuzzle(app) {
  const { puzzle } = app;
  if (puzzle === undefined || puzzle.place < 0) return;
  app.isRevealed = puzzle.isSolved;
  if (puzzle.game !== app.game) app.enter(puzzle.game, puzzle.node);
  else if (puzzle.node !== app.node) app.go(puzzle.node, false);
}

// Try a move; return whether it was legal and answered.
async function tryCell(app, puzzle, cell) {
  if (puzzle.isSolved) return app.complain("this puzzle is solved: Analyze continues from here");
  if (app.busy.has("puzzle")) return app.complain(WAIT);
  if (!isCell(app.game, cell)) return app.complain(`${cell}: a move is a cell of this board`);
  if (!app.isEmpty(cell)) return app.complain(`${cell} is not empty`);
  const { wrong } = puzzle, { position } = app;
  app.hush();
  const answer = await app.workHere("puzzle", "puzzle", { position, cell, wrong });
  if (answer === null) return false;
  Object.assign(puzzle, { said: answer.said, wrong: answer.wrong });
  if (!answer.wins && app.mode !== "puzzle") return true;
  say(answer.said);
  if (!answer.wins) { // show the reply, and the cells that it needs
    app.show({ lineShown: answer.reply === null ? [cell] : [cell, answer.reply],
      part: { cells: answer.carrier, ends: [], stones: [], lines: [] } });
  } else await advance(app, puzzle, cell, answer);
  app.redraw();
  return true;
}

// Play a winning move and the reply to it; the last one solves the puzzle.
async function advance(app, puzzle, cell, { solved, reply }) {
  puzzle.isSolved = app.isRevealed = solved;
  for (const move of reply === null ? [cell] : [cell, reply]) {
    if (puzzle.node !== app.node || !await app.play(move)) return; // another puzzle was chosen
    puzzle.node = app.node;
  }
  if (!solved) return;
  const title = puzzle.list[puzzle.place].name;
  remember("solved", [...new Set([...recall("solved", []), title])]);
  app.want(NEXT);
}

// Play a winning move, and reveal the analysis.
export async function showSolution(app, puzzle) {
  const answer = await app.workHere("puzzle", "puzzle", { position: app.position });
  if (answer === null) return;
  const { solution: move } = answer;
  puzzle.said = move === null ? "No move that wins was found." : `${move} wins.`;
  say(puzzle.said);
  if (move === null) return;
  app.isRevealed = puzzle.isSolved = true;
  await app.play(move);
  puzzle.node = app.node;
  app.want(NEXT);
}
