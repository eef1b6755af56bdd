// The game on the board, and what can be done to it: load, step, play, set up, keep.

import { NO_PAIR, State } from "./state.js";
import { say } from "./speech.js";
import { recall, remember } from "./memory.js";
import { join, returnToSeat } from "./panels/dark.js";
import { comeBack } from "./panels/play.js";
import { maySwap, positionAt, settleTurn, stonesAt, turnAt } from "./stones.js";
import { SHAPES, addMove, fromRecord, isCell, lineRecord, lineThrough, mark, path, remove, setUp, toRecord } from "./tree.js";

const KEEP_AFTER = 400; // milliseconds

export class Game extends State {
  // Take up the seat of this tab in a game of hidden stones, else the game of this tab, else that of
  // the address, else that of the command line.
  async begin(welcome) {
    if (this.seat !== null) { join(this, this.seat); return; }
    if (await returnToSeat(this)) return;
    const here = decodeURIComponent(location.hash);
    const saved = recall("game", null, sessionStorage);
    if (saved !== null && (here === "" || saved.fragment === here)) {
      this.take(saved.record, saved.path);
    } else if (here.length > 1) {
      const found = await this.ask("read", { text: here });
      if (found !== null) this.take(found.games[0].game);
      else this.take(welcome.game);
    } else {
      this.notice = welcome.warnings.join(" ");
      this.take(welcome.game);
    }
  }

  take(record, steps = null) {
    const { game, node } = fromRecord(record, record.nodes.length > 1);
    if (settleTurn(game)) this.notice = `${this.notice} Nothing tells who is to move: Black is taken.`;
    this.game = game;
    this.hasGame = true;
    this.home = "a1";
    this.kept = [];
    this.follow = null;
    let place = node;
    if (steps !== null) place = steps.reduce((at, step) => at.children[step] ?? at, game.root);
    this.go(place, false);
    this.fillGraph();
  }

  // Read a text in any format; of several games the person chooses one.
  async load(text) {
    const found = await this.ask("read", { text, size: Math.max(this.game.columns, this.game.rows) });
    if (found === null) return;
    if (found.games.length === 1) this.takeOffered(found.games[0]);
    else this.offered = found.games;
    this.changed();
  }

  takeOffered({ game, warnings, name: title }) {
    this.offered = null;
    this.notice = warnings.join(" ");
    this.take(game);
    if (this.mode === "play") comeBack(this);
    say(`${title}: ${this.line.length - 1} nodes, ${game.columns} by ${game.rows}.`);
  }

  // The address was changed by hand, or by the browser's Back.
  followAddress() {
    const here = decodeURIComponent(location.hash);
    if (here.length > 1 && here !== recall("game", {}, sessionStorage).fragment) this.load(here);
  }

  newGame(columns, rows) {
    this.take({ columns, rows, info: [], cursor: null, nodes: [{ parent: -1, color: null, move: null,
      black: [], white: [], cleared: [], turn: null, comment: "", properties: [], marks: [] }] });
  }

  go(node, isSpoken = true) {
    this.node = node;
    this.follow = null;
    this.pair = NO_PAIR;
    this.keep();
    this.look(isSpoken);
    if (this.isLooking) this.changedSoon();
    else this.changed();
  }

  get stones() { return stonesAt(this.node); }
  get turn() { return turnAt(this.node); }
  get line() { return lineThrough(this.node); }

  next() { if (this.node.children.length) this.go(this.node.children[0]); }
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
    this.go(addMove(this.node, color, word));
    return true;
  }

  put(cell) {
    if (this.setupColor in SHAPES) {
      mark(this.node, cell, this.setupColor);
      this.keep();
      this.changed();
      return true;
    }
    const { black, white } = this.stones;
    const color = black.has(cell) || white.has(cell) ? null : this.setupColor;
    this.go(setUp(this.node, cell, color, this.turn));
    return true;
  }

  setTurn(color) {
    const node = this.node.move === null && !this.node.children.length ? this.node : addMove(this.node, this.turn, "pass");
    if (node === this.node) node.turn = color;
    this.go(node);
  }

  remove() {
    if (this.node.parent !== null) this.go(remove(this.node));
  }

  // Put the game into the address and into this tab's memory, once the person pauses: the
  // analysis comes first.
  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keepNow(), KEEP_AFTER);
  }

  async keepNow() {
    const fields = { game: lineRecord(this.game, this.node), format: "hexworld", ...this.linkFlags() };
    try {
      const found = await this.server.ask("write", fields, { channel: "address" });
      history.replaceState(null, "", `#${found.fragment}`);
    } catch { /* the server is away, or the game went on: it will be asked again */ }
    this.rememberGame();
  }

  rememberGame() {
    if (!this.hasGame) return; // or an empty board would take the place of what was kept
    const steps = path(this.node).slice(1).map((step) => step.parent.children.indexOf(step));
    remember("game", { record: toRecord(this.game, true), path: steps, fragment: decodeURIComponent(location.hash) }, sessionStorage);
  }

  linkFlags() {
    const { rotation, mirrored, numbers, redBlue } = this.settings;
    return { rotation: rotation || 10, mirrored, numbers, red_and_blue: redBlue };
  }
}
