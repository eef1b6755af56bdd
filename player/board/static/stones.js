// The stones at a node of a game, as the server says what each node changes, and moves in words.

import { name } from "./layers.js";
import { cellsOf } from "./tree.js";

// The stones after a node: { black, white } as sets, the last one, and the number of each move's.
export function stonesAt(node) {
  if (node.stones?.state === node.state) return node.stones;
  const before = node.parent === null
    ? { black: new Set(), white: new Set(), numbers: new Map() } : stonesAt(node.parent);
  const { state } = node;
  const stones = { black: new Set(before.black), white: new Set(before.white),
    numbers: new Map(before.numbers), last: state.last, moves: state.moves, state };
  for (const [cell, color] of Object.entries(state.set)) {
    stones.black.delete(cell);
    stones.white.delete(cell);
    stones.numbers.delete(cell);
    if (color !== null) stones[color].add(cell);
    if (color !== null && node.move !== null) stones.numbers.set(cell, state.moves);
  }
  node.stones = stones;
  return stones;
}

// The position after a node, as the server is asked about it.
export function positionAt(game, node) {
  const { black, white } = stonesAt(node);
  const order = (cells) => cellsOf(game).filter((cell) => cells.has(cell));
  return { columns: game.columns, rows: game.rows, black: order(black), white: order(white),
    turn: node.state.turn };
}

// Whether nothing has happened on the board yet.
export const isFirstSight = ({ game, stones: { black, white } }) => game.root.children.length === 0
  && black.size + white.size === 0;

// Whether a node says whose turn it is, and nothing more: a coin fell, or bids were compared.
const isTurn = ({ black, white, cleared, turn }) => turn !== null
  && black.length + white.length + cleared.length === 0;

// A word for a node's move, with its number.
export function label(node) {
  if (node.parent === null) return "start";
  if (node.move === null) return isTurn(node) ? `${name(node.turn)}'s turn` : "setup";
  return `${node.state.moves} ${moveWord(node.move)}`;
}

// A move as people say it.
export function moveWord(move) {
  return move.replace("-pieces", "").replace("-", " ");
}
