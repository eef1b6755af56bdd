// A game as a tree of nodes, and the stones at each of them. Cells go by name, as in the files.

export const OTHER = { black: "white", white: "black" };
const GIVES_UP = new Set(["resign", "forfeit"]);

export function cellName(column, row) {
  return String.fromCharCode(97 + column) + (row + 1);
}

export function columnAndRow(cell) {
  return [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
}

export function isCell(game, name) {
  if (!/^[a-z][1-9][0-9]?$/.test(name)) return false;
  const [column, row] = columnAndRow(name);
  return column < game.columns && row < game.rows;
}

export function cellsOf(game) {
  const cells = [];
  for (let row = 0; row < game.rows; row++) {
    for (let column = 0; column < game.columns; column++) cells.push(cellName(column, row));
  }
  return cells;
}

function newNode(parent, fields) {
  const node = { color: null, move: null, black: [], white: [], cleared: [], turn: null,
    comment: "", properties: [], marks: [], ...fields, parent, children: [] };
  parent?.children.push(node);
  return node;
}

export function emptyGame(columns, rows = columns) {
  return { columns, rows, info: [], root: newNode(null, {}) };
}

// The game of a record, and the node at which it stands: the cursor's, else `atEnd` decides.
export function fromRecord(record, atEnd = true) {
  const nodes = [];
  for (const { parent, ...fields } of record.nodes) {
    nodes.push(newNode(parent < 0 ? null : nodes[parent], fields));
  }
  const game = { columns: record.columns, rows: record.rows, info: record.info, root: nodes[0] };
  const line = mainLine(game.root);
  let node = atEnd ? line[line.length - 1] : line[0];
  if (record.cursor !== null) {
    let left = record.cursor;
    node = game.root;
    for (const step of line) {
      if (step.move !== null && left-- === 0) break;
      node = step;
    }
  }
  return { game, node };
}

// The record of a whole game, variation by variation.
export function toRecord(game) {
  const nodes = [];
  const waiting = [[game.root, -1]];
  while (waiting.length) {
    const [node, parent] = waiting.pop();
    const number = nodes.push(plain(node, parent)) - 1;
    for (const child of [...node.children].reverse()) waiting.push([child, number]);
  }
  return { columns: game.columns, rows: game.rows, info: game.info, nodes, cursor: null };
}

// The record of the line through a node, without other variations; it stands at the node.
export function lineRecord(game, node) {
  const line = lineThrough(node);
  const cursor = path(node).filter((step) => step.move !== null).length;
  const moves = line.filter((step) => step.move !== null).length;
  return { columns: game.columns, rows: game.rows, info: game.info,
    nodes: line.map((step, number) => plain(step, number - 1)),
    cursor: cursor === moves ? null : cursor };
}

// The record of a game up to a node and no further, as a player is asked with it.
export function cutRecord(game, node) {
  return { columns: game.columns, rows: game.rows, info: game.info,
    nodes: path(node).map((step, number) => plain(step, number - 1)), cursor: null };
}

function plain(node, parent) {
  const { color, move, black, white, cleared, turn, comment, properties } = node;
  return { parent, color, move, black, white, cleared, turn, comment, properties };
}

// The nodes from the first to this one.
export function path(node) {
  const nodes = [];
  for (let step = node; step !== null; step = step.parent) nodes.push(step);
  return nodes.reverse();
}

function mainLine(node) {
  const nodes = [node];
  while (node.children.length) nodes.push(node = node.children[0]);
  return nodes;
}

// The line that goes through a node: to it, then on by the first child of each.
export function lineThrough(node) {
  return [...path(node), ...mainLine(node).slice(1)];
}

// Where the line of a node begins to differ from the main line; null on the main line.
export function branchOf(node) {
  for (let step = node; step.parent !== null; step = step.parent) {
    if (step.parent.children[0] !== step) return step;
  }
  return null;
}

// Add a move after a node, or find it there.
export function addMove(node, color, move) {
  const known = node.children.find((child) => child.color === color && child.move === move
    && !child.black.length && !child.white.length && !child.cleared.length);
  return known ?? newNode(node, { color, move });
}

// Put a node with stones set up by hand after a node that has moves, else change the node itself.
export function setUp(node, cell, color, turn) {
  const target = node.move === null && !node.children.length ? node : newNode(node, { turn });
  target.turn = turn;
  for (const list of ["black", "white", "cleared"]) {
    target[list] = target[list].filter((other) => other !== cell);
  }
  target[color ?? "cleared"].push(cell);
  forget(target);
  return target;
}

export function remove(node) {
  node.parent.children = node.parent.children.filter((child) => child !== node);
  return node.parent;
}

export function forget(node) {
  node.stones = undefined;
  node.children.forEach(forget);
}

// Put a variation first among its siblings.
export function promote(node) {
  const siblings = node.parent.children;
  siblings.splice(siblings.indexOf(node), 1);
  siblings.unshift(node);
}

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

// Say in the record who is to move first where nothing else tells: Black. Return whether it was so.
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
