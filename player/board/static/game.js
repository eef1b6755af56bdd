// The game on the board, and what can be done to it: load, step, play, set up, comment.

import { History } from "./history.js";
import { Keeping, ON } from "./keeping.js";
import { counted, name } from "./layers.js";
import { endGame, giveBack, playState, takeBack } from "./playing.js";
import { correct, startReview } from "./reviewing.js";
import { say } from "./speech.js";
import { AWAY, NO_PAIR } from "./state.js";
import { moveWord, stonesAt } from "./stones.js";
import {
  MARKS, OTHER, addMove, arrow, cutRecord, emptyRecord, endOf, fromRecord, giveResult, graft,
  isCell, isOpen, lineThrough, mark, moveAfter, nextOf, path, promote, remove, setUp, sizeOf,
  toRecord, withStone,
} from "./tree.js";

const TOAST = 6_000; // milliseconds, and as long again after somebody was at it
const WORDS = ["swap-pieces", "swap-sides", "pass", "resign"];
// What is said to whoever would take back where nothing is, while a game is on.
const FINAL = {
  puzzle: "The button Again begins this puzzle anew.",
  bidding: "What was bid and played in a game of bids or of chance stays.",
  dark: "What was played in Dark Hex stays.",
};
// What the move box takes besides cells.
const BOX_WORDS = ["swap", "pass", "resign", "undo", "why", "who", "threat", "hint"];
export const MOST_CHARACTERS = 1024 * 1024; // that the server reads

export class Game extends Keeping {
  constructor(draw) {
    super(draw);
    this.history = new History();
    this.pending = 0; // acts under way
    this.acting = Promise.resolve();
    this.inTurn(() => this.begun); // what is done before the first game is there waits for it
  }

  // Read a text in any format; of several games the person chooses one. `isAsked`: whether to
  // replace what is on the board is asked first.
  async load(text, { isAsked = false, isPushed = true } = {}) {
    if (text.length > MOST_CHARACTERS) return this.refuse(text.length);
    if (this.hidesMoves && this.mode === "dark") return this.complain(ON);
    await this.begun; // or the first game would take the place of what was pasted early
    this.hush();
    const size = Math.max(this.game.columns, this.game.rows); // of a list of moves
    const found = await this.ask("read", { text, size });
    if (found === null) return false;
    const { games } = found, isReplaced = isAsked && sizeOf(this.game) > 1;
    const isClear = games.length === 1 && !games[0].guess;
    if (isClear && !isReplaced) this.takeOffered(games[0], isPushed);
    else this.offered = { games, isAsked: isReplaced };
    this.changed();
    return true;
  }

  // Read a file, if it is not too long to be sent.
  async loadFile(file, options) {
    const text = await this.textOf(file);
    return text !== null && this.load(text, options);
  }

  // The text of a file; null if it is too long.
  async textOf(file) {
    if (file.size <= MOST_CHARACTERS) return file.text();
    this.refuse(file.size);
    return null;
  }

  refuse(length) {
    const [size, most] = [length, MOST_CHARACTERS].map((each) => (each / 1024 / 1024).toFixed(1));
    return this.complain(`This has ${size} MB; up to ${most} MB are read.`);
  }

  takeOffered({ game, warnings, name: title, look }, isPushed = true) {
    this.offered = null;
    if (look) this.turnBoard(look);
    const { reviews } = this.settings;
    if (this.mode === "load") this.mode = "analyze";
    this.leavePuzzle();
    this.take(game, { isPushed, isReviewed: reviews, warnings });
    if (reviews) startReview(this, this.settings.deepens ? undefined : ["quick"]);
    this.comeBack();
    if (document.activeElement !== document.body) this.wantBoard(); // a button that is gone
    const moves = this.line.filter(({ move }) => move !== null).length;
    say(`${title}: ${counted(moves, "move")}, ${game.columns} by ${game.rows}.`);
  }

  // Turn the board as a link has it; what the person has chosen stays so for other games.
  turnBoard({ rotation, mirrored, numbers }) {
    this.settings = { ...this.settings, mirrored, numbers,
      rotation: rotation === 10 ? 0 : rotation };
  }

  // Add the moves of a game that was read to the one on the board, as variations, if they are
  // moves there.
  addOffered({ game }) {
    const { game: other } = fromRecord(game);
    this.offered = null;
    return this.inTurn(async () => {
      const node = this.history.act(this, "a game added", () => graft(this.game.root, other.root));
      this.go(node);
      const found = await this.ask("states", { game: toRecord(this.game) });
      if (found === null) this.retrace("undo", "Undone");
      else this.toast("The game was added as a variation.");
    });
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

  // A search has proved who wins at a node.
  onProof(node, winner) {
    correct(this, node, winner);
  }

  newGame(columns, rows, info = []) {
    this.take({ ...emptyRecord(columns, rows), info });
  }

  // Show a node. A stone that was just placed is drawn at once, under the answer before it.
  go(node, isSpoken = true, isPlaced = false) {
    for (const step of path(node).slice(1)) step.parent.latest = step;
    this.node = node;
    this.hush();
    this.follow = null;
    this.pair = NO_PAIR;
    this.card = this.lineShown = this.part = this.arrowFrom = null;
    this.keep();
    this.look(isSpoken);
    this.settling = isPlaced && this.isLooking ? node : null;
    if (this.isLooking) this.changedSoon();
    if (!this.isLooking || isPlaced) this.changed();
  }

  get stones() { return stonesAt(this.node); }
  get turn() { return this.node.state.turn; }
  get line() { return lineThrough(this.node); }
  isEmpty(cell) { return !this.stones.black.has(cell) && !this.stones.white.has(cell); }

  next() { this.afterActs(() => this.node.children.length && this.go(nextOf(this.node))); }
  previous() { this.afterActs(() => this.node.parent !== null && this.go(this.node.parent)); }
  first() { this.afterActs(() => this.go(this.game.root)); }
  last() { this.afterActs(() => this.go(this.line[this.line.length - 1])); }

  // Acts wait for each other, as each asks the server what it makes of the board.
  inTurn(act) {
    this.pending += 1;
    const done = () => { this.pending -= 1; };
    const acting = this.acting.then(act);
    this.acting = acting.then(done, done);
    return acting;
  }

  // Step at once, unless an act is under way, after which it is meant.
  afterActs(act) { return this.pending ? this.inTurn(act) : act(); }

  // What a step after a node makes of the board, or one in its place; null if it is refused, or
  // the game has gone elsewhere meanwhile.
  async stateOf(step, isOwn = false) {
    const { game, node } = this;
    if (this.status !== "open") {
      this.complain(`${AWAY}nothing can be played until it is back.`);
      return null;
    }
    const fields = { game: cutRecord(game, node, step, isOwn) };
    const found = await this.askQuietly("states", fields);
    if (found === null || game !== this.game || node !== this.node) return null;
    return found.states[found.states.length - 1];
  }

  // Play a cell or a word after this node, or find it there; a click on the stone that may be
  // swapped swaps it. Whether it was played comes as a promise.
  play(move) {
    return this.inTurn(() => this.playNow(move));
  }

  // The same of what a person clicks or types; in Set up a cell gets what is chosen there.
  place(word) {
    const isPut = this.mode === "setup" && isCell(this.game, word);
    return isPut ? this.inTurn(() => this.put(word)) : this.play(word);
  }

  async playNow(word) {
    const { node, turn: color } = this;
    const isSwap = word === "swap" || word === node.state.last && node.state.swap;
    const move = isSwap ? "swap-pieces" : word;
    if (!isCell(this.game, move) && !WORDS.includes(move)) {
      return this.complain(`${move}: type a cell of this board, or ${BOX_WORDS.join(", ")}`);
    }
    this.hush();
    const state = moveAfter(node, color, move)?.state ?? await this.stateOf({ color, move });
    if (state === null) return false;
    const isGame = this.mode === "play" && this.onPress !== undefined;
    let isOpenAgain = false;
    this.go(this.history.act(this, `${name(color)} ${moveWord(move)}`, () => {
      const added = addMove(node, color, move, state);
      // What was taken back in a game is a variation of what was played.
      if (isGame) path(added).slice(1).forEach(promote);
      if (isGame) isOpenAgain = giveResult(this.game, null); // it was of another end
      return added;
    }), true, true);
    if (isOpenAgain) this.judgeAnew();
    this.click();
    return true;
  }

  // Put what Set up has chosen on a cell; a second click takes it away.
  async put(cell) {
    const { setupColor: color } = this;
    if (color === "AR") this.putArrow(cell);
    else if (color in MARKS) this.putMark(cell, color);
    else await this.putStone(cell, this.hasStone(cell, color) ? null : color);
    return true;
  }

  // Draw a line of stones; what lies there already stays, and all of it is one act.
  paint(cell, stroke) {
    const { setupColor: color } = this;
    if (this.mode !== "setup" || color in MARKS) return;
    this.inTurn(async () => {
      if (!this.hasStone(cell, color)) await this.putStone(cell, color, stroke);
    });
  }

  // Whether a cell has a stone of a color; null asks whether it is empty.
  hasStone(cell, color) {
    if (color === "alternate") return !this.isEmpty(cell);
    return color === null ? this.isEmpty(cell) : this.stones[color].has(cell);
  }

  async putStone(cell, wanted, stroke = null) {
    const color = wanted === "alternate" ? this.turn : wanted;
    if (color === null && this.isEmpty(cell)) return;
    const turn = wanted === "alternate" ? OTHER[this.turn] : this.turn;
    await this.change(`set-up at ${cell}`, withStone(this.node, cell, color, turn), stroke);
  }

  putMark(cell, sign) {
    this.history.act(this, `a mark at ${cell}`, () => mark(this.node, cell, sign));
    this.keep();
    this.changed();
  }

  // An arrow is two clicks, from where and to where; the first one is shown as chosen.
  putArrow(cell) {
    const { arrowFrom: from } = this;
    this.arrowFrom = from === null ? cell : null;
    if (from !== null && from !== cell) {
      this.history.act(this, `an arrow from ${from}`, () => arrow(this.node, from, cell));
      this.keep();
    }
    this.changed();
  }

  setTurn(color) {
    const title = `${name(color)} to move`;
    return this.inTurn(() => this.change(title, isOpen(this.node) ? { turn: color }
      : { color: this.turn, move: "pass" }));
  }

  // Set up by hand what the server allows.
  async change(title, step, kind = null) {
    const { node } = this, state = await this.stateOf(step, isOpen(node));
    if (state === null) return;
    this.go(this.history.act(this, title, () => setUp(node, step, state), kind));
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
    this.toast(`${counted(count, "move")} deleted.`);
    this.judgeAnew(); // a variation may be the main line now
    this.go(this.node);
    this.fillGraph();
  }

  promote(node) {
    this.history.act(this, "another main line", () => promote(node));
    this.toast("This is the main line now.");
    this.judgeAnew();
    this.go(this.node);
    this.fillGraph();
  }

  comment(text) {
    const { node } = this;
    this.history.act(this, "a comment", () => { node.comment = text; }, node);
    this.keep();
    this.changed();
  }

  // Say who played, when, or how it ended: an entry of the record, by its name in SGF.
  inform(entry, text) {
    const { root } = this.game;
    this.history.act(this, "a name", () => {
      const others = root.info.filter(([key]) => key !== entry);
      root.info = text.trim() ? [...others, [entry, text]] : others;
      if (entry === "RE") root.end = endOf(this.game);
    }, entry);
    if (entry === "RE") this.judgeAnew();
    this.keep();
    this.changed();
  }

  // Why nothing is taken back while the game of a place is on.
  get isFinal() { return FINAL[this.mode]; }

  // Undo the last act, or do it again.
  undo() { return this.inTurn(() => this.retrace("undo", "Undone")); }
  redo() { return this.inTurn(() => this.retrace("redo", "Done again")); }

  retrace(way, word) {
    if (this.follow !== null) { this.stepBack(); return; }
    const play = playState(this), isOfPlay = this.mode === "play" && this.onPress !== undefined;
    if (this.hidesMoves && !isOfPlay) { this.complain(this.isFinal); return; }
    const isRedone = way === "redo" && (this.hidesMoves || play.taken.length > 0);
    if (isOfPlay && isRedone) { giveBack(this, play); return; }
    const isTaken = way === "undo" && this.node !== play.start
      && (this.hidesMoves || this.history.isStep(this.node)); // what is shown may be more
    if (isOfPlay && isTaken) { takeBack(this, play); return; }
    if (this.hidesMoves) endGame(this, play);
    const act = this.history[way]();
    if (act === null) { this.tell(`Nothing to ${way}.`); return; }
    if (act.game !== this.game) {
      this.leaveGame();
      this.leavePuzzle();
      this.game = act.game;
      history.pushState({ key: act.game.key }, "", "#");
    }
    this.judgeAnew();
    this.go(act.node);
    this.acted();
    this.toast(`${word}: ${act.title}.`, way === "undo" ? "redo" : "undo");
    this.fillGraph();
  }

  // Say what was done, beside the button that undoes it.
  toast(text, way = "undo") {
    this.told = { text, way };
    this.fade();
    say(text);
    this.changed();
  }

  // What was said goes by itself, but not while somebody points at it or has the focus there: by
  // keys, as what was tapped keeps the focus.
  fade() {
    this.holdToast();
    if (document.querySelector(".toast :focus-visible") !== null) return;
    this.fading = setTimeout(() => { this.told = null; this.changed(); }, TOAST);
  }

  holdToast() { clearTimeout(this.fading); }
}
