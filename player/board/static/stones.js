// The stones at a node, computed from the changes that the server sends, and moves in words.

import { name } from "./layers.js";
import { cellsOf, isGivenUp } from "./tree.js";

// The stones after a node: sets of cells by color, the last stone, and move numbers by cell.
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

// The position after a node, in the JSON of questions.
export function positionAt(game, node) {
  const { black, white } = stonesAt(node);
  const order = (cells) => cellsOf(game).filter((cell) => cells.has(cell));
  return { columns: game.columns, rows: game.rows, black: order(black), white: order(white),
    turn: node.state.turn };
}

// Whether the board is empty and the game has no moves.
export const isFirstSight = ({ game, stones: { black, white } }) => game.root.children.length === 0
  && black.size + white.size === 0;

// Whether a node only sets the turn: after a coin or bids.
const isTurn = ({ black, white, cleared, turn }) => turn !== null
  && black.length + white.length + cleared.length === 0;

// A short label for a node: its move with the number.
export function label(node) {
  if (node.parent === null) return "start";
  if (node.move === null) return isTurn(node) ? `${name(node.turn)}'s turn` : "setup";
  return `${node.state.moves} ${moveWord(node.move)}`;
}

// A move in words.
export function moveWord(move) {
  return move.replace("-pieces", "").replace("-", " ");
}

// A move as a sentence: "Red a3.", "Red passes.", "Red swaps."; the end of a game has its own.
export function moveSentence({ color, move }) {
  if (move === null || isGivenUp({ move })) return "";
  const words = moveWord(move).replace("pass", "passes").replace("swap", "swaps");
  return `${name(color)} ${words}.`;
}

// How the game ended at this node, in a few words; null if it did not.
export function outcome(app) {
  if (app.node.move === "resign") return `${name(app.node.color)} resigned`;
  if (app.node.move === "forfeit") return `${name(app.node.color)} forfeited`;
  const { winner: won } = { dark: app.dark?.view, bidding: app.bids?.state }[app.mode] ?? {};
  if (won && app.node === app.game.root.end) return `${name(won)} has won`;
  const { proof, outcome: ended, winner } = app.found?.analysis ?? {};
  return proof === "chain" || ended != null ? `${name(winner)} has won` : null;
}
