// Undo and redo: each act records the nodes that it changed, before and after.

import { forget, newNode, nodesOf } from "./tree.js";

const FIELDS = ["black", "white", "cleared", "turn", "comment", "properties", "marks", "info",
  "end", "state"];
const MOST = 200; // acts that can be undone

// The fields of a node. Only `children` needs a copy: other lists are replaced.
const fieldsOf = (node) => [[...node.children], ...FIELDS.map((field) => node[field])];

// The nodes of a game with their fields.
function snapshot({ root }) {
  const seen = new Map(), waiting = [root];
  while (waiting.length) {
    const node = waiting.pop();
    seen.set(node, fieldsOf(node));
    waiting.push(...node.children);
  }
  return seen;
}

const isSame = ([children, ...fields], [others, ...rest]) => children.length === others.length
  && children.every((child, place) => child === others[place])
  && fields.every((field, place) => field === rest[place]);

function changesOf(before, after) {
  const changes = [];
  for (const [node, fields] of before) {
    const now = after.get(node);
    if (now === undefined || isSame(fields, now)) continue;
    changes.push({ node, before: fields, after: now });
  }
  return changes;
}

// The changes of two consecutive acts, merged.
function merge(ones, others) {
  const union = new Map(ones.map((change) => [change.node, change]));
  for (const change of others) {
    union.set(change.node, { ...change, before: union.get(change.node)?.before ?? change.before });
  }
  return [...union.values()];
}

function restore(node, [children, ...fields]) {
  // Equal states are different objects after a reload.
  if (JSON.stringify(node.state) !== JSON.stringify(fields.at(-1))) forget(node);
  node.children = [...children];
  FIELDS.forEach((field, place) => { node[field] = fields[place]; });
}

export class History {
  constructor() {
    this.done = [];
    this.undone = [];
  }

  // Run `change` on `board`, which has a game and a node; if it returns a node, the board moves
  // there. Consecutive acts with the same `kind` count as one.
  act(board, title, change, kind = null) {
    const { game, node } = board, before = snapshot(game);
    const place = change();
    if (place) board.node = place;
    const after = { game: board.game, node: board.node };
    const changes = after.game === game ? changesOf(before, snapshot(game)) : [];
    // Going to a move that is in the tree already is an act, too.
    if (after.game === game && changes.length === 0 && after.node === node) return board.node;
    const last = this.done.at(-1);
    if (kind !== null && last?.kind === kind) {
      Object.assign(last, { after, changes: merge(last.changes, changes) });
    } else this.done.push({ title, kind, before: { game, node }, after, changes });
    if (this.done.length > MOST) this.done.shift();
    this.undone = [];
    board.prepareSave();
    return board.node;
  }

  // Add a change to the last act, so that both are undone together. Drop the redo list: its
  // acts do not have the change and would revert it.
  amend(board, change) {
    const before = snapshot(board.game), last = this.done.at(-1);
    change();
    const changes = changesOf(before, snapshot(board.game));
    if (changes.length === 0) return;
    if (last !== undefined) last.changes = merge(last.changes, changes);
    this.undone = [];
    board.prepareSave();
  }

  // Drop the acts on a game.
  forget(game) {
    const isOther = ({ before, after }) => before.game !== game || after.game !== game;
    this.done = this.done.filter(isOther);
    this.undone = this.undone.filter(isOther);
  }

  // Whether the last act was a move to `node`.
  isStep(node) {
    const last = this.done.at(-1);
    return last?.after.node === node && last.before.node === node.parent;
  }

  // Undo the last act; return its title and the game and node before it, or null.
  undo() { return shift(this.done, this.undone, "before"); }
  redo() { return shift(this.undone, this.done, "after"); }
}

function shift(from, to, side) {
  const act = from.pop();
  if (act === undefined) return null;
  for (const change of act.changes) restore(change.node, change[side]);
  to.push(act);
  return { title: act.title, ...act[side] };
}

// Fields in which each node is replaced.
const mapNodes = ([children, ...fields], change) => [children.map(change),
  ...fields.map((field, place) => (FIELDS[place] === "end" ? change(field) : field))];

// The latest acts on the game, for a reload. A node of the game is stored by its number; a node
// that was removed is stored with its fields.
export function packHistory({ history: { done, undone }, game, build }) {
  const nodes = nodesOf(game), count = nodes.length;
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  const number = (node) => {
    if (!node) return null;
    if (!numbers.has(node)) numbers.set(node, nodes.push(node) - 1);
    return numbers.get(node);
  };
  const act = ({ title, kind, before, after, changes }) => ({ title,
    kind: typeof kind === "string" ? kind : null, before: number(before.node),
    after: number(after.node), changes: changes.map((change) => ({ node: number(change.node),
      before: mapNodes(change.before, number), after: mapNodes(change.after, number) })) });
  const isElsewhere = ({ before, after }) => before.game !== game || after.game !== game;
  const own = (acts) => acts.slice(acts.findLastIndex(isElsewhere) + 1).map(act);
  const kept = { build, key: game.key, moves: movesOf(nodes), done: own(done),
    undone: own(undone) };
  const others = [];
  for (let place = count; place < nodes.length; place++) { // `number` may append more
    const { parent, color, move } = nodes[place];
    others.push({ color, move, parent: number(parent),
      fields: mapNodes(fieldsOf(nodes[place]), number) });
  }
  return { ...kept, others };
}

const movesOf = (nodes) => nodes.map(({ color, move }) => [color, move]);

// Restore the acts, unless the game or the program is another one now.
export function resumeHistory({ history, game, build }, kept) {
  const nodes = nodesOf(game);
  const isSameGame = kept !== null && kept.build === build && kept.key === game.key
    && JSON.stringify(kept.moves) === JSON.stringify(movesOf(nodes));
  if (!isSameGame) return;
  const { others, done, undone } = kept, at = (number) => (number === null ? null : nodes[number]);
  nodes.push(...others.map(({ color, move }) => newNode(null, { color, move })));
  others.forEach(({ parent, fields }, place) => {
    const node = nodes[nodes.length - others.length + place];
    node.parent = at(parent);
    restore(node, mapNodes(fields, at));
  });
  const act = ({ title, kind, before, after, changes }) => ({ title, kind,
    before: { game, node: at(before) }, after: { game, node: at(after) },
    changes: changes.map((change) => ({ node: at(change.node),
      before: mapNodes(change.before, at), after: mapNodes(change.after, at) })) });
  Object.assign(history, { done: done.map(act), undone: undone.map(act) });
}
