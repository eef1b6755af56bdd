// The game on the board, and what can be done to it: load, step, play, set up, keep.

import { History } from "./history.js";
import { name } from "./layers.js";
import { NO_PAIR, State } from "./state.js";
import { say } from "./speech.js";
import { recall, remember } from "./memory.js";
import { join, returnToSeat } from "./panels/dark.js";
import { comeBack, endGame, playState, takeBack } from "./panels/play.js";
import { startReview } from "./panels/review.js";
import { Recent, newKey } from "./recent.js";
import { maySwap, moveWord, settleTurn, stonesAt, turnAt } from "./stones.js";
import {
  SHAPES, addMove, emptyRecord, fromRecord, graft, isCell, lineRecord, lineThrough, mark, nextOf, path,
  promote, remove, setUp, sizeOf, toRecord,
} from "./tree.js";

const KEEP_AFTER = 400, TOAST = 12_000; // milliseconds
export const MOST_CHARACTERS = 1024 * 1024; // that the server reads

export class Game extends State {
  constructor(draw) {
    super(draw);
    this.history = new History();
    this.recent = new Recent();
    this.tabKey = recall("tab", newKey(), sessionStorage);
    remember("tab", this.tabKey, sessionStorage);
    this.games = new Map(); // key: a game of this tab and where it stands
    this.saved = []; // what Recent has
  }

  // Take up the seat of this tab in a game of hidden stones, else the game of this tab, else that of
  // the address, else that of the command line.
  async begin(welcome) {
    this.saved = await this.recent.all();
    if (this.seat !== null) { join(this, this.seat); return; }
    if (await returnToSeat(this)) return;
    const here = decodeURIComponent(location.hash);
    const tab = recall("game", null, sessionStorage), key = history.state?.key;
    const isOfTab = tab !== null && (key ? tab.key === key : here === "" || tab.fragment === here);
    const kept = isOfTab ? tab : this.saved.find((saved) => saved.key === key);
    if (kept !== undefined) {
      this.take(kept.record, { steps: kept.path, kept });
    } else if (here.length > 1) {
      const same = this.saved.find(({ fragment }) => fragment === here);
      const found = same ?? (await this.ask("read", { text: here }))?.games[0];
      if (found === undefined) this.take(welcome.game);
      else if (found === same) this.take(same.record, { steps: same.path, kept: same });
      else this.take(found.game);
    } else {
      this.notice = welcome.warnings.join(" ");
      this.take(welcome.game);
    }
  }

  // Put the game of a record on the board. `kept` has its key where it was kept.
  take(record, { steps = null, kept = null, isPushed = true } = {}) {
    const { game, node } = fromRecord(record, record.nodes.length > 1);
    Object.assign(game, { key: kept?.key ?? newKey(), stamp: kept?.stamp ?? null });
    if (settleTurn(game)) this.notice = `${this.notice} Nothing tells who is to move: Black is taken.`;
    let place = node;
    if (steps !== null) place = steps.reduce((at, step) => at.children[step] ?? at, game.root);
    this.enter(game, place, isPushed);
  }

  // Show a game; the one before stays a step of Back and of Undo away.
  enter(game, place, isPushed = true) {
    const before = this.game, isFirst = !this.hasGame, isLost = sizeOf(before) > 1;
    const change = () => {
      this.leaveGame();
      this.server.cancel("review");
      this.game = game;
      this.node = place;
      const state = { key: game.key };
      if (isFirst || !isPushed) history.replaceState(state, "");
      else history.pushState(state, "", "#");
    };
    if (isFirst || this.mode === "dark") change();
    else this.history.act(this, "another game", change);
    Object.assign(this, { hasGame: true, home: "a1", kept: [], follow: null });
    if (isLost && this.mode !== "dark") this.toast("Another game is on the board.");
    this.go(place, false);
    this.fillGraph();
  }

  // The game on the board is about to be another one.
  leaveGame() {
    if (!this.hasGame || this.game.key === undefined) return;
    this.games.set(this.game.key, { game: this.game, node: this.node });
    this.keepRecent();
  }

  // Back and Forward go between games; an address that was typed is read.
  async travel(state) {
    if (state === null) { this.followAddress(); return; }
    if (state.key === this.game.key || !this.hasGame) return; // what begins goes by the state
    if (this.hidesMoves && this.mode !== "play") {
      history.pushState({ key: this.game.key }, "");
      this.complain("a game is on: end it first");
      return;
    }
    const here = this.games.get(state.key), saved = here ? null : await this.recent.get(state.key);
    if (here) this.enter(here.game, here.node, false);
    else if (saved !== null) this.take(saved.record, { steps: saved.path, kept: saved, isPushed: false });
    if (this.mode === "play") comeBack(this);
  }

  // Read a text in any format; of several games the person chooses one. `isAsked`: whether to
  // replace what is on the board is asked first.
  async load(text, { isAsked = false, isPushed = true } = {}) {
    if (text.length > MOST_CHARACTERS) return this.refuse(text.length);
    const found = await this.ask("read", { text, size: Math.max(this.game.columns, this.game.rows) });
    if (found === null) return false;
    const [first] = found.games;
    if (found.games.length === 1 && !(isAsked && sizeOf(this.game) > 1)) this.takeOffered(first, isPushed);
    else this.offered = { games: found.games, isAsked: isAsked && sizeOf(this.game) > 1 };
    this.changed();
    return true;
  }

  // Read a file, if it is not too long to be sent.
  async loadFile(file, options) {
    if (file.size > MOST_CHARACTERS) return this.refuse(file.size);
    return this.load(await file.text(), options);
  }

  refuse(length) {
    const [size, most] = [length, MOST_CHARACTERS].map((each) => (each / 1024 / 1024).toFixed(1));
    return this.complain(`This has ${size} MB; games of up to ${most} MB are read.`);
  }

  takeOffered({ game, warnings, name: title }, isPushed = true) {
    this.offered = null;
    this.notice = warnings.join(" ");
    this.take(game, { isPushed });
    if (this.settings.reviews) startReview(this, this.settings.deepens ? undefined : ["quick"]);
    if (this.mode === "play") comeBack(this);
    else if (this.mode === "load") this.setMode("analyze");
    this.wantBoard();
    say(`${title}: ${this.line.length - 1} nodes, ${game.columns} by ${game.rows}.`);
  }

  // Add the moves of a game that was read to the one on the board, as variations.
  addOffered({ game }) {
    const { game: other } = fromRecord(game);
    this.offered = null;
    const node = this.history.act(this, "a game added", () => graft(this.game.root, other.root));
    this.toast("The game was added as a variation.");
    this.go(node);
  }

  // Open one of the last games.
  reopen(saved) {
    const here = this.games.get(saved.key);
    if (saved.key === this.game.key) this.setMode("analyze");
    else if (here) this.enter(here.game, here.node);
    else this.take(saved.record, { steps: saved.path, kept: saved });
    this.setMode("analyze");
    this.wantBoard();
  }

  followAddress() {
    const here = decodeURIComponent(location.hash);
    const tab = recall("game", {}, sessionStorage);
    if (here.length > 1 && here !== tab.fragment) this.load(here, { isPushed: false });
  }

  newGame(columns, rows) {
    this.take(emptyRecord(columns, rows));
  }

  go(node, isSpoken = true) {
    for (const step of path(node).slice(1)) step.parent.latest = step;
    this.node = node;
    this.problem = "";
    this.follow = null;
    this.pair = NO_PAIR;
    this.card = this.lineShown = this.part = null;
    this.keep();
    this.look(isSpoken);
    if (this.isLooking) this.changedSoon();
    else this.changed();
  }

  get stones() { return stonesAt(this.node); }
  get turn() { return turnAt(this.node); }
  get line() { return lineThrough(this.node); }

  next() { if (this.node.children.length) this.go(nextOf(this.node)); }
  previous() { if (this.node.parent !== null) this.go(this.node.parent); }
  first() { this.go(this.game.root); }
  last() { const line = this.line; this.go(line[line.length - 1]); }

  // Play a cell or a word after this node, or find it there.
  play(move, color = this.turn) {
    const word = move === "swap" ? "swap-pieces" : move;
    if (isCell(this.game, word)) {
      if (this.stones.black.has(word) || this.stones.white.has(word)) return this.complain(`${word} is not empty`);
      if (this.mode === "setup") return this.put(word);
    } else if (word === "swap-pieces") {
      if (!maySwap(this.game, this.node)) return this.complain("a swap is the second move of a game on a square board, or none");
    } else if (!["swap-sides", "pass", "resign"].includes(word)) {
      return this.complain(`${move}: neither a cell of this board nor a word of the move box`);
    }
    if (["resign", "forfeit"].includes(this.node.move)) return this.complain("the game has ended: step back to go on");
    this.problem = "";
    const { node } = this;
    this.go(this.history.act(this, `${name(color)} ${moveWord(word)}`, () => {
      const added = addMove(node, color, word);
      // What was taken back in a game is a variation of what was played.
      if (this.mode === "play" && this.onPress !== undefined) path(added).slice(1).forEach(promote);
      return added;
    }));
    return true;
  }

  put(cell) {
    if (this.setupColor in SHAPES) {
      this.history.act(this, `a mark at ${cell}`, () => mark(this.node, cell, this.setupColor));
      this.keep();
      this.changed();
      return true;
    }
    const { black, white } = this.stones;
    const isThere = this.setupColor !== null && { black, white }[this.setupColor].has(cell);
    if (this.setupColor === null && !black.has(cell) && !white.has(cell)) return true;
    const color = isThere ? null : this.setupColor;
    this.go(this.history.act(this, `set-up at ${cell}`, () => setUp(this.node, cell, color, this.turn)));
    return true;
  }

  setTurn(color) {
    this.go(this.history.act(this, `${name(color)} to move`, () => {
      const isOwn = this.node.move === null && !this.node.children.length;
      const node = isOwn ? this.node : addMove(this.node, this.turn, "pass");
      if (isOwn) node.turn = color;
      return node;
    }));
  }

  // Delete a node with all that comes after it.
  remove(node = this.node) {
    if (node.parent === null) return;
    const count = sizeOf({ root: node });
    const isHere = path(this.node).includes(node);
    this.history.act(this, "a deletion", () => {
      const left = remove(node);
      return isHere ? left : null;
    });
    this.toast(`${count === 1 ? "1 move" : `${count} moves`} deleted.`);
    this.go(this.node);
  }

  promote(node) {
    this.history.act(this, "another main line", () => promote(node));
    this.toast("This is the main line now.");
    this.go(this.node);
  }

  comment(text) {
    const { node } = this;
    this.history.act(this, "a comment", () => { node.comment = text; }, node);
    this.keep();
    this.changed();
  }

  // Undo the last act, or do it again.
  undo() { this.retrace("undo", "Undone"); }
  redo() { this.retrace("redo", "Done again"); }

  retrace(way, word) {
    if (this.follow !== null) { this.stepBack(); return; }
    if (this.hidesMoves && (this.mode !== "play" || way === "redo")) {
      this.complain("a game is on: its own buttons take back");
      return;
    }
    if (this.hidesMoves && this.node !== playState(this).start) { takeBack(this, playState(this)); return; }
    if (this.hidesMoves) endGame(this, playState(this));
    const act = this.history[way]();
    if (act === null) { say(`Nothing to ${way}.`); return; }
    if (act.game !== this.game) {
      this.leaveGame();
      this.game = act.game;
      history.pushState({ key: act.game.key }, "", "#");
    }
    this.toast(`${word}: ${act.title}.`, way === "undo" ? "redo" : "undo");
    this.go(act.node);
    this.fillGraph();
  }

  // Say what was done, beside the button that undoes it.
  toast(text, way = "undo") {
    clearTimeout(this.fading);
    this.told = { text, way };
    this.fading = setTimeout(() => { this.told = null; this.changed(); }, TOAST);
    say(text);
    this.changed();
  }

  // Put the game into the address, into this tab's memory and into Recent, once the person
  // pauses: the analysis comes first.
  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keepNow(), KEEP_AFTER);
  }

  async keepNow() {
    const { game } = this;
    const fields = { game: lineRecord(game, this.node), format: "hexworld", ...this.linkFlags() };
    try {
      const found = await this.server.ask("write", fields, { channel: "address" });
      if (game === this.game) history.replaceState({ key: game.key }, "", `#${found.fragment}`);
    } catch { /* the server is away, or the game went on: it will be asked again */ }
    this.rememberGame();
    await this.keepRecent();
  }

  // What is kept of the game: where it stands, and all of its moves.
  get entry() {
    const { key, stamp } = this.game;
    const steps = path(this.node).slice(1).map((step) => step.parent.children.indexOf(step));
    return { key, stamp, record: toRecord(this.game, true), path: steps,
      fragment: decodeURIComponent(location.hash) };
  }

  rememberGame() {
    if (!this.hasGame) return; // or an empty board would take the place of what was kept
    remember("game", this.entry, sessionStorage);
  }

  // Keep the game among the last ones, unless it is empty or has hidden stones.
  async keepRecent() {
    const { game } = this;
    if (!this.hasGame || sizeOf(game) < 2 || ["dark", "puzzle"].includes(this.mode)) return;
    const entry = this.entry, text = JSON.stringify([entry.record, entry.path]);
    if (game.text === text) return;
    game.text = text;
    await (game.keeping = (game.keeping ?? Promise.resolve()).then(async () => {
      Object.assign(game, await this.recent.keep({ ...entry, key: game.key, stamp: game.stamp, tab: this.tabKey }));
    }));
    if (game === this.game) history.replaceState({ key: game.key }, "");
    this.saved = await this.recent.all();
  }

  linkFlags() {
    const { rotation, mirrored, numbers, redBlue } = this.settings;
    return { rotation: rotation || 10, mirrored, numbers, red_and_blue: redBlue };
  }
}
