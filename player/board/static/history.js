// Undo and redo: what each act changed in the tree, put back as it was, node by node.

import { forget } from "./tree.js";

const FIELDS = ["black", "white", "cleared", "turn", "comment", "properties", "marks", "info",
  "end", "state"];
const MOST = 200; // acts that can be undone

// The nodes of a game with their fields. No list of a node but its children is changed in place.
function snapshot({ root }) {
  const seen = new Map(), waiting = [root];
  while (waiting.length) {
    const node = waiting.pop();
    seen.set(node, [[...node.children], ...FIELDS.map((field) => node[field])]);
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

// The changes of two acts that count as one.
function merged(ones, others) {
  const known = new Map(ones.map((change) => [change.node, change]));
  for (const change of others) {
    known.set(change.node, { ...change, before: known.get(change.node)?.before ?? change.before });
  }
  return [...known.values()];
}

function restore(node, [children, ...fields]) {
  if (node.state !== fields[FIELDS.indexOf("state")]) forget(node);
  node.children = [...children];
  FIELDS.forEach((field, place) => { node[field] = fields[place]; });
}

export class History {
  constructor() {
    this.done = [];
    this.undone = [];
  }

  // Do an act on `board`, which has a game and a node of it; a node that the act returns is where
  // the board stands then. Acts in a row with the same `kind` count as one.
  act(board, title, change, kind = null) {
    const { game, node } = board, before = snapshot(game);
    const place = change();
    if (place) board.node = place;
    const after = { game: board.game, node: board.node };
    const changes = after.game === game ? changesOf(before, snapshot(game)) : [];
    if (after.game === game && changes.length === 0) return board.node;
    const last = this.done[this.done.length - 1];
    if (kind !== null && last?.kind === kind) {
      Object.assign(last, { after, changes: merged(last.changes, changes) });
    } else this.done.push({ title, kind, before: { game, node }, after, changes });
    if (this.done.length > MOST) this.done.shift();
    this.undone = [];
    board.acted();
    return board.node;
  }

  // Change something that the last act has led to: both are undone together. What was undone
  // before knows nothing of it, and would take it back if it were done again.
  amend(board, change) {
    const before = snapshot(board.game), last = this.done[this.done.length - 1];
    change();
    const changes = changesOf(before, snapshot(board.game));
    if (changes.length === 0) return;
    if (last !== undefined) last.changes = merged(last.changes, changes);
    this.undone = [];
    board.acted();
  }

  // Whether the last act was a move, to a node.
  isStep(node) {
    const last = this.done[this.done.length - 1];
    return last?.after.node === node && last.before.node === node.parent;
  }

  // Take back the last act; return its title and where the board was then, or null.
  undo() {
    const act = this.done.pop();
    if (act === undefined) return null;
    for (const { node, before } of act.changes) restore(node, before);
    this.undone.push(act);
    return { title: act.title, ...act.before };
  }

  redo() {
    const act = this.undone.pop();
    if (act === undefined) return null;
    for (const { node, after } of act.changes) restore(node, after);
    this.done.push(act);
    return { title: act.title, ...act.after };
  }
}
