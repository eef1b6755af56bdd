// The game on the board and the acts on it: load, step, play, set up, comment.

import { History } from "./history.js";
import { Keeping, ON } from "./keeping.js";
import { name, quantity } from "./layers.js";
import { endGame, giveBack, playState, takeBack } from "./playing.js";
import { correct, startReview } from "./reviewing.js";
import { AWAY, NO_PAIR, say } from "./state.js";
import { moveWord, positionAt, stonesAt } from "./stones.js";
import {
  MARKS, OTHER, addMove, cutRecord, emptyRecord, endOf, fromRecord, graft, isCell, isOpen,
  lineThrough, moveAfter, nextOf, path, promote, remove, setResult, setUp, sizeOf, toRecord,
  toggleArrow, toggleMark, withStone,
} from "./tree.js";

const TOAST = 6_000; // milliseconds, counted again after the pointer or focus leaves it
const WORDS = ["swap-pieces", "swap-sides", "pass", "resign"];
// Why nothing can be taken back, by place, while its game is on.
const FINAL = {
  puzzle: "The button Again begins this puzzle anew.",
  bidding: "What was bid and played in a game of bids or of chance stays.",
  dark: "What was played in Dark Hex stays.",
};
// The words that the move box accepts besides cells.
const BOX_WORDS = ["swap", "pass", "resign", "undo", "why", "who", "threat", "hint"];
const MOST_CHARACTERS = 1024 * 1024; // limit of the server, an MB

export class Game extends Keeping {
  constructor(draw) {
    super(draw);
    this.history = new History();
    this.pending = 0; // acts in progress or waiting
    this.acting = Promise.resolve();
    this.runInTurn(() => this.begun); // all acts wait for the first game
  }

  // Read a text in any format; let the user choose among several games. `isAsked`: ask before
  // replacing the game on the board.
  async load(text, { isAsked = false, isPushed = true } = {}) {
    if (text.length > MOST_CHARACTERS) return this.refuse(text.length);
    if (this.hidesMoves && this.mode === "dark") return this.complain(ON);
    await this.begun; // else the first game would replace a text that was pasted early
    this.hush();
    const size = Math.max(this.game.columns, this.game.rows); // for a list of moves
    const answer = await this.ask("read", { text, size }, { channel: "read" });
    if (answer === null) return false;
    const { games } = answer, isReplaced = isAsked && sizeOf(this.game) > 1;
    const isClear = games.length === 1 && !games[0].guess;
    this.offered = { games, isAsked: isReplaced, isPushed };
    if (isClear && !isReplaced) this.takeOffered(games[0]);
    this.redraw();
    return true;
  }

  async loadFile(file, options) {
    const text = await this.textOf(file);
    return text !== false && this.load(text, options);
  }

  // The text of a file; false if it is too long, or cannot be read, as a folder.
  async textOf(file) {
    if (file.size > MOST_CHARACTERS) return this.refuse(file.size);
    return file.text().catch(() => this.complain(`${file.name} cannot be read`));
  }

  refuse(length) {
    const size = (Math.ceil(100 * length / MOST_CHARACTERS) / 100).toFixed(2);
    return this.complain(`This has ${size} MB; up to 1.0 MB are read.`);
  }

  takeOffered({ game, warnings, name: title, look }) {
    const { isPushed } = this.offered;
    this.offered = null;
    if (look) this.turnBoard(look);
    const { reviews } = this.settings;
    if (this.mode === "load") this.mode = "analyze";
    this.leavePuzzle();
    this.take(game, { isPushed, isReviewed: reviews, warnings });
    if (reviews) startReview(this, this.settings.deepens ? undefined : ["quick"]);
    if (this.unreviewed?.game === this.game) this.tab = "review";
    this.comeBack();
    if (document.activeElement !== document.body) this.wantBoard(); // the focused button is gone
    const moves = this.line.filter(({ move }) => move !== null).length;
    say(`${title}: ${quantity(moves, "move")}, ${game.columns} by ${game.rows}.`);
  }

  // Turn the board as the link says, without changing the stored settings.
  turnBoard({ rotation, mirrored, numbers }) {
    this.settings = { ...this.settings, mirrored, numbers,
      rotation: rotation === 10 ? 0 : rotation };
  }

  // Add the moves of an offered game to the game on the board, as variations, if they are legal
  // there.
  addOffered({ game }) {
    const { game: other } = fromRecord(game);
    this.leave();
    if (this.hidesMoves) return this.complain(this.isOn);
    return this.runInTurn(async () => {
      const add = ({ root }) => graft(root, other.root), trial = fromRecord(toRecord(this.game));
      add(trial.game);
      if (await this.ask("states", { game: toRecord(trial.game) }) === null) return;
      const node = this.history.act(this, "a game added", () => add(this.game));
      this.showChange(node, "The game was added as a variation.");
    });
  }

  reopen(saved) {
    const here = this.games.get(saved.key);
    if (saved.key === this.game.key) this.setMode("analyze");
    else if (here) this.enter(here.game, here.node);
    else this.take(saved.record, { steps: saved.path, kept: saved });
    this.setMode("analyze");
    this.wantBoard();
  }

  // Correct the review: a search has proved the winner at a node.
  onProof(node, winner) {
    correct(this, node, winner);
  }

  newGame(columns, rows, info = []) {
    this.take({ ...emptyRecord(columns, rows), info });
  }

  // Show a node. Draw a stone that was just placed at once, with the old answer still in sight.
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
    if (this.isLooking) this.redrawSoon();
    if (!this.isLooking || isPlaced) this.redraw();
  }

  // Show a node, after the acts in progress; `fields` are those of the page that belong to it.
  visit(node, fields = {}) {
    this.runAfterActs(() => {
      this.go(node);
      Object.assign(this, fields);
      this.redraw();
    });
  }

  get stones() { return stonesAt(this.node); }
  get position() { return positionAt(this.game, this.node); }
  get turn() { return this.node.state.turn; }
  get line() { return lineThrough(this.node); }
  isEmpty(cell) { return !this.stones.black.has(cell) && !this.stones.white.has(cell); }

  next() { this.runAfterActs(() => this.node.children.length && this.go(nextOf(this.node))); }
  previous() { this.runAfterActs(() => this.node.parent !== null && this.go(this.node.parent)); }
  first() { this.runAfterActs(() => this.go(this.game.root)); }
  last() { this.runAfterActs(() => this.go(this.line.at(-1))); }

  // Run an act after those before it, because each asks the server for the resulting state.
  runInTurn(act) {
    this.pending += 1;
    const done = () => { this.pending -= 1; };
    const acting = this.acting.then(act);
    this.acting = acting.then(done, done);
    return acting;
  }

  // Step at once, or after the acts in progress.
  runAfterActs(act) { return this.pending ? this.runInTurn(act) : act(); }

  // The state after a further step, or with `isOwn` after a changed last step; null if it is
  // illegal, or another node is shown by then.
  async stateOf(step, isOwn = false) {
    const { game, node } = this;
    if (this.status !== "open") {
      this.complain(`${AWAY}nothing can be played until it is back.`);
      return null;
    }
    if (game.isHidden) {
      this.complain("a view of hidden stones is not changed: play in Dark");
      return null;
    }
    const fields = { game: cutRecord(game, node, step, isOwn) };
    const answer = await this.askQuietly("states", fields);
    if (answer === null || game !== this.game || node !== this.node) return null;
    return answer.states.at(-1);
  }

  // Play a cell or a word after this node, or go to that move; a click on the only stone swaps, if
  // allowed. The promise tells whether it was played.
  play(move) {
    return this.runInTurn(() => this.playNow(move));
  }

  // Do the same for a click or a typed word; in Set up, put the chosen thing on the cell.
  place(word) {
    const isPut = this.mode === "setup" && isCell(this.game, word);
    return isPut ? this.runInTurn(() => this.put(word)) : this.play(word);
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
      // The moves played become the main line; moves taken back, a variation.
      if (isGame) path(added).slice(1).forEach(promote);
      if (isGame) isOpenAgain = setResult(this.game, null); // the result was of another end
      return added;
    }), true, true);
    if (isOpenAgain) this.judgeAnew();
    this.click();
    return true;
  }

  // Put the chosen thing on a cell; a second click removes it.
  async put(cell) {
    const { setupColor: color } = this;
    if (color === "AR") this.putArrow(cell);
    else if (color in MARKS) this.putMark(cell, color);
    else await this.putStone(cell, this.hasStone(cell, color) ? null : color);
    return true;
  }

  // Draw a line of stones; skip cells that have theirs. The whole stroke is one act.
  paint(cell, stroke) {
    const { setupColor: color } = this;
    if (this.mode !== "setup" || color in MARKS) return;
    this.runInTurn(async () => {
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
    this.history.act(this, `a mark at ${cell}`, () => toggleMark(this.node, cell, sign));
    this.keep();
    this.redraw();
  }

  // An arrow takes two clicks, for its start and its end; the start is marked as chosen.
  putArrow(cell) {
    const { arrowFrom: from } = this;
    this.arrowFrom = from === null ? cell : null;
    if (from !== null && from !== cell) {
      this.history.act(this, `an arrow from ${from}`, () => toggleArrow(this.node, from, cell));
      this.keep();
    }
    this.redraw();
  }

  // Let a player move: by a pass after a move, also if a game began there.
  setTurn(color) {
    const title = `${name(color)} to move`, { move, isFixed } = this.node;
    return this.runInTurn(() => this.change(title, isOpen(this.node) || isFixed && move === null
      ? { turn: color } : { color: this.turn, move: "pass" }));
  }

  // Set up a step, if the server accepts it.
  async change(title, step, kind = null) {
    const { node } = this, state = await this.stateOf(step, isOpen(node));
    if (state === null) return;
    this.go(this.history.act(this, title, () => setUp(node, step, state), kind));
  }

  // Delete a node with all its descendants.
  remove(node = this.node) {
    if (node.parent === null) return;
    const count = sizeOf({ root: node });
    const isHere = path(this.node).includes(node);
    this.history.act(this, "a deletion", () => {
      const left = remove(node);
      return isHere ? left : null;
    });
    this.showChange(this.node, `${quantity(count, "move")} deleted.`);
  }

  promote(node) {
    this.history.act(this, "another main line", () => promote(node));
    this.showChange(this.node, "This is the main line now.");
  }

  // Show a node and what was done, after which another variation may be the main line.
  showChange(node, text, way = "undo") {
    this.go(node, false); // the toast is spoken instead
    this.judgeAnew();
    this.showToast(text, way);
    this.fillGraph();
  }

  comment(text) {
    const { node } = this;
    this.history.act(this, "a comment", () => { node.comment = text; }, node);
    this.keepTyped();
  }

  keepTyped() {
    this.isStored = true; // `keep` stores it after a pause, as a large game takes long
    this.keep();
    this.drawNow();
  }

  // Change an entry of the record, such as a player, the date or the result, by its SGF name.
  inform(entry, text) {
    const { root } = this.game;
    this.history.act(this, "a name", () => {
      const others = root.info.filter(([key]) => key !== entry);
      root.info = text ? [...others, [entry, text]] : others;
      if (entry === "RE") root.end = endOf(this.game);
    }, entry);
    if (entry === "RE") this.judgeAnew();
    this.keepTyped();
  }

  get isFinal() { return FINAL[this.mode]; }

  undo() { return this.runInTurn(() => this.retrace("undo", "Undone")); }
  redo() { return this.runInTurn(() => this.retrace("redo", "Redone")); }

  retrace(way, word) {
    if (this.follow !== null) { this.stepBack(); return; }
    const play = playState(this), isOfPlay = this.mode === "play" && this.onPress !== undefined;
    if (this.hidesMoves && !isOfPlay) { this.complain(this.isFinal); return; }
    const isRedone = way === "redo" && (this.hidesMoves || play.taken.length > 0);
    if (isOfPlay && isRedone) { giveBack(this, play); return; }
    const isTaken = way === "undo" && this.node !== play.start
      && (this.hidesMoves || this.history.isStep(this.node)); // else undo an act
    if (isOfPlay && isTaken) { takeBack(this, play); return; }
    if (this.hidesMoves) endGame(this, play);
    const act = this.history[way]();
    if (act === null) { this.tell(`Nothing to ${way}.`); return; }
    if (act.game !== this.game) {
      this.leaveGame();
      this.leavePuzzle();
      Object.assign(this, { game: act.game, home: "a1" });
      history.pushState({ key: act.game.key }, "", "#");
    }
    this.prepareSave();
    this.showChange(act.node, `${word}: ${act.title}.`, way === "undo" ? "redo" : "undo");
  }

  // Show what was done, beside the button that undoes it.
  showToast(text, way = "undo") {
    this.told = { text, way };
    this.fade();
    say(text);
    this.redraw();
  }

  // Remove the toast after a while, but not under the pointer or with the focus by keyboard (a tap
  // leaves the focus, too).
  fade() {
    this.holdToast();
    if (document.querySelector(".toast :focus-visible") !== null) return;
    this.fading = setTimeout(() => { this.told = null; this.redraw(); }, TOAST);
  }

  holdToast() { clearTimeout(this.fading); }
}
