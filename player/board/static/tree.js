// A game as a tree of nodes. Cells have names, as in files.

export const OTHER = { black: "white", white: "black" };

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

// A step that changes nothing; its lists are never changed in place.
const BLANK = { color: null, move: null, black: [], white: [], cleared: [], turn: null,
  comment: "", properties: [] };

export function newNode(parent, fields) {
  const node = { ...BLANK, marks: [], ...fields, parent, children: [] };
  parent?.children.push(node);
  return node;
}

// The record of an empty board.
export function emptyRecord(columns, rows) {
  const state = { set: {}, turn: "black", moves: 0, last: null, swap: false };
  return { columns, rows, info: [], cursor: null,
    nodes: [{ parent: -1, ...BLANK, marks: [], state }] };
}

export const emptyGame = (columns, rows = columns) =>
  fromRecord(emptyRecord(columns, rows)).game;

// The nodes of a game, in the order of its record.
export function nodesOf({ root }) {
  const nodes = [];
  for (const waiting = [root]; waiting.length;) {
    const node = waiting.pop();
    nodes.push(node);
    waiting.push(...[...node.children].reverse());
  }
  return nodes;
}

// The number of nodes, plus one if the root has stones: 1 for an empty game.
export function sizeOf({ root }) {
  return nodesOf({ root }).length + (root.black.length + root.white.length > 0 ? 1 : 0);
}

// Add the descendants of `other` to `node`, unless they are there already; return the last node of
// their first line.
export function graft(node, other) {
  let end = null;
  for (const child of other.children) {
    const here = isPlain(child) ? addMove(node, child.color, child.move, child.state)
      : copyOf(node, child);
    if (!here.comment) here.comment = child.comment;
    const last = graft(here, child);
    end ??= last;
  }
  return end ?? node;
}

// Whether a node is a move and sets up no stones.
const isPlain = ({ black, white, cleared, move }) => move !== null
  && black.length + white.length + cleared.length === 0;

function copyOf(place, { parent, children, ...fields }) {
  return newNode(place, fields);
}

// The game of a record, and its current node: the cursor's, else the end or start by `atEnd`.
export function fromRecord(record, atEnd = true) {
  const nodes = [];
  for (const { parent, ...fields } of record.nodes) {
    nodes.push(newNode(parent < 0 ? null : nodes[parent], fields));
  }
  const game = { columns: record.columns, rows: record.rows, root: nodes[0] };
  game.root.info = record.info;
  game.root.end = endOf(game);
  let node = atEnd ? game.root.end : game.root;
  if (record.cursor !== null) {
    let left = record.cursor;
    node = game.root;
    for (const step of mainLine(game.root)) {
      if (step.move !== null && left-- === 0) break;
      node = step;
    }
  }
  return { game, node };
}

// The end of the main line. The result of a record holds at `root.end`, where the record ended
// when it was read or got the result, even if moves are added after that.
export function endOf(game) {
  let node = game.root;
  while (node.children.length) [node] = node.children;
  return node;
}

// Whether turns alternate, so that neither bids nor coins decide who moves: SGF's RU.
export const alternates = ({ root }) => !root.info.some(([entry, rule]) => entry === "RU"
  && /^(bidding|random-turn)\b/.test(rule));

const VARIANT = /^X[BCDH]$/; // properties for bids, coins, collisions and chips

// Set the swap rule of a record, SGF's RU. Drop bids and coins: turns alternate now.
export function setRule(game, swaps) {
  const { root } = game, isPlain = alternates(game);
  const has = root.info.some(([entry, rule]) => entry === "RU" && rule === "swap");
  if (has === swaps && isPlain) return;
  const others = root.info.filter(([entry]) => entry !== "RU");
  root.info = swaps ? [...others, ["RU", "swap"]] : others;
  for (const node of isPlain ? [] : nodesOf(game)) {
    node.properties = node.properties.filter(([entry]) => !VARIANT.test(entry));
    forget(node, true);
  }
}

// Set the result of a record, SGF's RE, or remove it if null. Return whether it may have changed.
export function setResult(game, result, node = endOf(game)) {
  const others = game.root.info.filter(([entry]) => entry !== "RE");
  if (others.length === game.root.info.length && !result) return false;
  game.root.info = result ? [...others, ["RE", result]] : others;
  game.root.end = node;
  return true;
}

// Whether a game has just begun, so a swap is still possible.
export const isBegun = ({ state }) => state.moves < 2;

// Whether the result of the record holds at a node: at the end of the game, on the main line.
const hasResult = ({ root }, node) => node === root.end && branchOf(node) === null;

// Whether a player gave up at a node, so only the result counts.
export const isGivenUp = ({ move }) => ["resign", "forfeit"].includes(move);

// Whether the record ends the game at a node: by its move, or by RE.
export const isEnd = (game, node) => isGivenUp(node) || hasResult(game, node);

// The entries of a record cut at a node: without the result, unless it holds there.
function infoAt(game, node = endOf(game)) {
  const { info } = game.root;
  return hasResult(game, node) ? info : info.filter(([entry]) => entry !== "RE");
}

// The record of a whole game in depth-first order. With `isKept` it has marks and states, which
// the server computes itself, and the result even if moves follow, because they may be undone.
// Otherwise moves after a game of bids or coins, which need neither, are a variation that begins
// with its last node again.
export function toRecord(game, isKept = false) {
  const { root } = game, nodes = [], waiting = [[root, -1]];
  const end = !isKept && !alternates(game) && root.end !== root && root.end || undefined;
  while (waiting.length) {
    const [node, parent] = waiting.pop();
    const step = fieldsOf(node, parent), number = nodes.length;
    nodes.push(isKept ? { ...step, marks: node.marks, state: node.state } : step);
    if (node === end && node.children.length && branchOf(node) === null) {
      waiting.push([{ ...node, comment: "" }, parent]);
    } else for (const child of [...node.children].reverse()) waiting.push([child, number]);
  }
  const info = isKept ? root.info : infoAt(game, end);
  return { columns: game.columns, rows: game.rows, info, nodes, cursor: null };
}

// The record of the line through a node, without other variations; its cursor is at the node.
export function lineRecord(game, node) {
  const line = lineThrough(node), end = line.at(-1), cursor = plyOf(node);
  return { columns: game.columns, rows: game.rows, info: infoAt(game, end),
    nodes: line.map((step, number) => fieldsOf(step, number - 1)),
    cursor: cursor === plyOf(end) ? null : cursor };
}

// The record of a game up to a node, for questions: with one more `step`, if given; if `isOwn`,
// the step changes the last node.
export function cutRecord(game, node, step = null, isOwn = false) {
  const nodes = path(node).map((each, number) => fieldsOf(each, number - 1));
  if (step !== null && isOwn) nodes.push({ ...nodes.pop(), ...step });
  else if (step !== null) nodes.push({ ...BLANK, ...step, parent: nodes.length - 1 });
  return { columns: game.columns, rows: game.rows, info: infoAt(game, node), nodes, cursor: null };
}

function fieldsOf(node, parent) {
  const { color, move, black, white, cleared, turn, comment, properties } = node;
  return { parent, color, move, black, white, cleared, turn, comment, properties };
}

// The nodes from the root to this one.
export function path(node) {
  const nodes = [];
  for (let step = node; step !== null; step = step.parent) nodes.push(step);
  return nodes.reverse();
}

// The last node of each ply of a line: after a move, a node may give the turn, as after a coin.
export const pliesOf = (line) => line.filter((_, place) => line[place + 1]?.move !== null);

// The node of the move that led to a node; the root if there is none.
export function moveOf(node) {
  while (node.move === null && node.parent !== null) node = node.parent;
  return node;
}

// The number of moves before a node.
export const plyOf = (node) => path(node).filter(({ move }) => move !== null).length;

// The path to a node as the index of the child at each step, and the node of such a path.
export const stepsTo = (node) => path(node).slice(1).map((step) =>
  step.parent.children.indexOf(step));
// Whether a node was not deleted, nor one before it.
export const isThere = (node) => !stepsTo(node).includes(-1);
export const nodeAt = ({ root }, steps) => steps.reduce(
  (at, step) => at.children[step] ?? at, root);

// The next node: the child that was shown last, else the first.
export function nextOf({ children, latest }) {
  return children.includes(latest) ? latest : children[0];
}

function mainLine(node) {
  const nodes = [node];
  while (node.children.length) nodes.push(node = nextOf(node));
  return nodes;
}

// The line through a node: the path to it, then the continuation that was shown last.
export function lineThrough(node) {
  return [...path(node), ...mainLine(node).slice(1)];
}

// The node at which the path to a node leaves its main line, the last such; null if none.
export function branchOf(node) {
  for (let step = node; step.parent !== null; step = step.parent) {
    if (step.parent.children[0] !== step) return step;
  }
  return null;
}

// The child of a node with a move; undefined if there is none.
export function moveAfter(node, color, move) {
  return node.children.find((child) => child.color === color && child.move === move
    && isPlain(child));
}

// Return the child of a node with a move; add it, with its state, if there is none.
export function addMove(node, color, move, state) {
  return moveAfter(node, color, move) ?? newNode(node, { color, move, state });
}

// Whether stones set up by hand go into the node itself, not into a child: no game or puzzle
// returns to it (`isFixed`).
export const isOpen = (node) => node.move === null && !node.children.length && !node.isFixed;

// The fields of the node that sets up a stone on a cell, or empties it if `color` is null.
export function withStone(node, cell, color, turn) {
  const before = isOpen(node) ? node : BLANK, step = { turn };
  for (const list of ["black", "white", "cleared"]) {
    step[list] = before[list].filter((other) => other !== cell);
  }
  step[color ?? "cleared"].push(cell);
  return step;
}

// Change an open node, or add a child to any other; return that node.
export function setUp(node, step, state) {
  if (!isOpen(node)) return newNode(node, { ...step, state });
  forget(node);
  return Object.assign(node, step, { state });
}

// Fields of a node with the server's answers: those to ask again for names of players, and others.
const ANSWERS = ["found", "why", "links", "openings", "verdict", "candidates", "estimate",
  "isSearched"];
const OTHERS = ["solved", "odds", "summary", "policy", "tried", "work", "compiling", "asking"];

// Drop all answers about a node, whose stones have changed; with `isNames`, those with names.
export function forget(node, isNames = false) {
  for (const answer of isNames ? ANSWERS : [...ANSWERS, ...OTHERS]) node[answer] = undefined;
}

// Marks for cells: shapes by their SGF property, consecutive letters or numbers, and arrows.
export const MARKS = {
  TR: "triangle", SQ: "square", CR: "circle", MA: "cross", letter: "A B C", number: "1 2 3",
  AR: "arrow",
};
const MARKING = new Set(["TR", "SQ", "CR", "MA", "SL", "LB"]);

// Draw an arrow between two cells of a node, or remove it if it is there.
export function toggleArrow(node, from, to) {
  const value = `${from}:${to}`;
  const isIt = (mark) => mark.shape === "arrow" && mark.cell === from && mark.text === to;
  const isThere = node.marks.some(isIt), entry = ([name]) => name === "AR";
  const drawn = node.properties.find(entry)?.[1] ?? [];
  const others = drawn.filter((one) => one.toLowerCase() !== value);
  const values = isThere ? others : [...others, value];
  node.marks = node.marks.filter((mark) => !isIt(mark));
  if (!isThere) node.marks.push({ cell: from, shape: "arrow", text: to });
  node.properties = node.properties.filter((one) => !entry(one));
  if (values.length) node.properties.push(["AR", values]);
}

const isNumber = (text) => /^[0-9]+$/.test(text);

// Put a mark on a cell of a node, replacing other marks, or remove it if it is there.
export function toggleMark(node, cell, sign) {
  const isLabel = sign === "letter" || sign === "number";
  const [property, shape] = isLabel ? ["LB", "label"] : [sign, MARKS[sign]];
  const isSame = (one) => one.cell === cell && one.shape === shape
    && (!isLabel || isNumber(one.text) === (sign === "number"));
  const isThere = node.marks.some(isSame);
  node.marks = node.marks.filter((one) => one.cell !== cell || one.shape === "arrow");
  const left = node.properties.map(([name, values]) => [name, MARKING.has(name)
    ? values.filter((value) => value.split(":")[0].toLowerCase() !== cell) : values]);
  node.properties = left.filter(([, values]) => values.length);
  if (isThere) return;
  const text = isLabel ? nextLabel(node.marks, sign) : "";
  node.marks.push({ cell, shape, text });
  const value = isLabel ? `${cell}:${text}` : cell;
  const own = node.properties.find(([name]) => name === property);
  if (own === undefined) node.properties.push([property, [value]]);
  else own[1].push(value);
}

// The first letter or number that no mark has.
function nextLabel(marks, sign) {
  const taken = new Set(marks.map(({ text }) => text));
  const label = (place) => (sign === "number" ? String(place + 1)
    : String.fromCharCode(65 + place % 26));
  for (let place = 0; place < 400; place++) if (!taken.has(label(place))) return label(place);
  return "*";
}

export function remove(node) {
  node.parent.children = node.parent.children.filter((child) => child !== node);
  return node.parent;
}

// Move a node to the front of its siblings; put it back if it was deleted.
export function promote(node) {
  const { parent } = node;
  parent.children = [node, ...parent.children.filter((other) => other !== node)];
}

// Add what follows a node in a record of its line. Make the whole line the main line, and its end
// that of the game; return it.
export function continueLine(game, node, { nodes }) {
  let last = node;
  for (const { parent, ...fields } of nodes.slice(path(node).length)) {
    last = newNode(last, fields);
  }
  path(last).slice(1).forEach(promote);
  game.root.end = last;
  return last;
}
