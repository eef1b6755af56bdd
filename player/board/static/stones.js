// The stones at a node of a game, who is to move there, and its move in words.

import { OTHER, cellName, cellsOf, columnAndRow, lineThrough, path } from "./tree.js";

const GIVES_UP = new Set(["resign", "forfeit"]);

// The stones after a node: { black, white } as sets, the cell of the last stone, how many moves.
export function stonesAt(node) {
  if (node.stones !== undefined) return node.stones;
  const before = node.parent === null
    ? { black: new Set(), white: new Set(), last: null, moves: 0, numbers: new Map() }
    : stonesAt(node.parent);
  const stones = { black: new Set(before.black), white: new Set(before.white),
    last: before.last, moves: before.moves, numbers: new Map(before.numbers) };
  for (const color of ["black", "white"]) {
    for (const cell of node[color]) {
      stones[OTHER[color]].delete(cell);
      stones[color].add(cell);
    }
  }
  for (const cell of node.cleared) {
    stones.black.delete(cell);
    stones.white.delete(cell);
    stones.numbers.delete(cell);
  }
  if (node.move !== null) move(stones, node);
  node.stones = stones;
  return stones;
}

function move(stones, node) {
  stones.moves += 1;
  if (node.move === "swap-pieces") {
    const [cell] = stones[OTHER[node.color]];
    const [column, row] = columnAndRow(cell);
    stones[OTHER[node.color]].delete(cell);
    stones.last = cellName(row, column);
    stones[node.color].add(stones.last);
    stones.numbers = new Map([[stones.last, stones.moves]]);
  } else if (/^[a-z]+[0-9]+$/.test(node.move)) {
    stones[node.color].add(node.move);
    stones.last = node.move;
    stones.numbers.set(node.move, stones.moves);
  }
}

// Who is to move after a node: what the record says, else whoever has fewer stones.
export function turnAt(node) {
  let said = null;
  for (const step of path(node)) {
    if (step.turn !== null) said = step.turn;
    if (step.move !== null && !(GIVES_UP.has(step.move) && said !== null)) said = nextColor(step);
  }
  const next = nextMove(node);
  if (next !== null && !(GIVES_UP.has(next.move) && said !== null)) return next.color;
  return said ?? turnByNumbers(node) ?? "black";
}

// Who is to move if the players took turns from Black on; null if the stones do not tell.
function turnByNumbers(node) {
  const { black, white } = stonesAt(node);
  const more = black.size - white.size;
  return more === 0 ? "black" : more === 1 ? "white" : null;
}

// Say in the record who is to move first where nothing else does: Black. Return whether it was so.
export function settleTurn(game) {
  const isTold = lineThrough(game.root).some((node) => node.turn !== null || node.move !== null)
    || turnByNumbers(game.root) !== null;
  if (!isTold) game.root.turn = "black";
  return !isTold;
}

function nextMove(node) {
  for (let step = node.children[0]; step !== undefined; step = step.children[0]) {
    if (step.turn !== null) return null;
    if (step.move !== null) return step;
  }
  return null;
}

function nextColor({ color, move: action }) {
  return GIVES_UP.has(action) || action === "swap-sides" ? color : OTHER[color];
}

// The position after a node, as the server is asked about it.
export function positionAt(game, node) {
  const { black, white } = stonesAt(node);
  const order = (cells) => cellsOf(game).filter((cell) => cells.has(cell));
  return { columns: game.columns, rows: game.rows, black: order(black), white: order(white),
    turn: turnAt(node) };
}

export function maySwap(game, node) {
  const { black, white, moves } = stonesAt(node);
  return moves === 1 && black.size + white.size === 1 && game.columns === game.rows
    && (turnAt(node) === "white" ? black : white).size === 1;
}

// A word for a node's move, with its number.
export function label(node) {
  if (node.move === null) return node.parent === null ? "start" : "setup";
  return `${stonesAt(node).moves} ${moveWord(node.move)}`;
}

// A move as people say it.
export function moveWord(move) {
  return move.replace("-pieces", "").replace("-", " ");
}
