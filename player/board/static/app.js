// The app: what clicks, keys and typed words do.

import { comeBackToBids, packBids, resumeBids } from "./bidding.js";
import { UNSEEN, comeBackToSeat } from "./hidden.js";
import { Known } from "./known.js";
import { LAYERS, rename, setNames, titleOf } from "./layers.js";
import {
  comeBackToPlay, giveHint, packPlay, playState, resumePlay, startByClick, takeBack,
} from "./playing.js";
import { comeBackToPuzzle, packPuzzle, resumePuzzle } from "./puzzling.js";
import {
  continueReviewing, isMistake, packReview, restartReviewing, resumeReview, tryMove, turningPoints,
} from "./reviewing.js";
import { bestMove, togglePause } from "./search.js";
import { AWAY, NO_PAIR, say } from "./state.js";
import { outcome } from "./stones.js";
import { forget, isCell, moveOf, nodeAt, nodesOf, plyOf, stepsTo } from "./tree.js";

const STEPPING = {
  j: (app) => app.next(), k: (app) => app.previous(), f: (app) => app.first(),
  l: (app) => app.last(), n: (app) => app.toMistake(1), p: (app) => app.toMistake(-1),
  "[": (app) => app.turnTo(-1), "]": (app) => app.turnTo(1),
};
const IN_PLAY = { undo: takeBack, hint: giveHint };
// By place: how its game returns to the board, if that has shown another one meanwhile.
const RETURN = { play: comeBackToPlay, puzzle: comeBackToPuzzle, bidding: comeBackToBids,
  dark: comeBackToSeat };
// Answers to questions while a game is on, when the page judges nothing.
const UNJUDGED = {
  play: "While a game is on, the button Why shows what is known.",
  puzzle: "The move is yours to find; the button Show the solution plays it.",
  bidding: "While a game is on, the button Count the chances here shows what is known.",
  dark: UNSEEN,
  trying: "The move is yours to find; the button Show the answer shows what is known.",
};

// Fields with sentences that stay in sight during a game, by the part of the app that has them.
const SAID = { playing: ["said", "account"], bids: ["said", "reason"], puzzle: ["said"],
  dark: ["rules", "heard"], solving: ["checked"] };

// Lines as one paragraph: indented lines are items of a list, without a full stop.
function joinLines(lines) {
  const isItem = (line) => line?.startsWith("   ");
  const end = (line, next) => (/[.:]$/.test(line) ? "" : isItem(next) ? ";" : ".");
  return lines.map((line, place) => line.trim() + end(line, lines[place + 1])).join(" ");
}

export class App extends Known {
  point(cell) {
    if (cell === this.pointed) return;
    this.pointed = cell;
    this.redraw();
  }

  focus(cell, isByKey) {
    this.focused = cell;
    this.isByKey = isByKey;
    this.isGiven = this.isGiving;
    if (cell !== null) {
      if (isByKey) this.pointed = null; // the mouse may rest on another cell
      this.home = cell;
      const line = this.replyLine();
      if (line) say(line);
    }
    this.redraw();
  }

  // Give the board the focus without asking about the cell, as its user did not choose it.
  give(focus) {
    this.isGiving = true;
    focus();
    this.isGiving = false;
  }

  // ---- Ask mode: play on the cells of a proof, and see the replies

  step(cell) {
    // A press on the key starts the line: it begins with the key anyway.
    this.hush();
    const isStart = this.follow === null && cell === this.found.connection.key;
    this.walk(isStart ? [] : [...this.follow?.moves ?? [], cell]);
  }

  async walk(moves) {
    const { position } = this.found.analysis, options = { channel: "follow", isHere: true };
    const answer = await this.ask("follow", { position, moves }, options);
    if (answer === null) return;
    this.follow = { ...answer, moves };
    say(this.replyLine());
    this.redraw();
  }

  leaveFollow() {
    this.server.cancel("follow"); // a late answer would start it again
    this.follow = null;
    this.redraw();
  }

  // Take back the last intrusion of a walk down a proof.
  stepBack() {
    const moves = this.follow.moves.slice(0, -1);
    this.follow.moves = moves; // for another press before the answer
    if (moves.length) this.walk(moves);
    else this.leaveFollow();
  }

  // Escape: close the question over the page, leave the help, or end a walk down a proof.
  leave() {
    if (this.offered !== null) {
      this.offered = null;
      this.keepAddress();
      this.redraw();
    } else if (this.mode === "help") this.pressKey("?");
    else this.leaveFollow();
  }

  async choose(cell) {
    const others = this.pair.ends.filter((end) => end !== cell);
    const ends = this.pair.ends.length === 2 ? [cell] : [...others, cell];
    this.pair = { ...NO_PAIR, ends };
    if (ends.length === 2) await this.list(0);
    this.redraw();
  }

  async list(page) {
    const { position } = this.found.analysis, { ends } = this.pair;
    const options = { channel: "connections", isHere: true };
    this.redraw(); // the answer may take seconds
    const found = await this.ask("connections", { position, between: ends, page }, options);
    if (ends !== this.pair.ends) return; // the choice has changed meanwhile
    if (found !== null) this.pair = { ...this.pair, rows: found };
    else if (this.pair.rows === null) this.pair = NO_PAIR;
    this.redraw();
  }

  // A click, a tap, or Enter on a cell. The second click of a double click does nothing.
  press(cell, clicks = 1) {
    const isDouble = clicks > 1 && cell === this.pressed && this.mode !== "setup";
    this.pressed = cell;
    if (isDouble) return;
    if (this.onPress !== undefined) { this.onPress(cell); return; }
    if (this.mode === "play") { startByClick(this, cell); return; }
    const isChosen = this.shown === "connections" && this.found !== null
      && (this.asks || !this.isEmpty(cell));
    if (this.isTrying || this.judged) tryMove(this, cell);
    else if (this.mode === "setup") this.place(cell);
    else if (isChosen) this.choose(cell);
    else if (this.asks) this.askAbout(cell);
    else this.play(cell);
  }

  // Ask about a cell; do nothing before the analysis is here, and complain if there is no proof.
  askAbout(cell) {
    if (this.found?.connection != null && !this.hasResultOnly) this.step(cell);
    else if (this.found !== null) {
      const { proved, chain } = this.found;
      this.complain(chain.length ? "the game is over: a chain of stones has won"
        : outcome(this) !== null ? "the game is over"
        : proved === null ? "no proof is known here: switch Ask off to play"
        : "the proof here is a search, which does not answer a cell: switch Ask off to play");
    }
  }

  setMode(mode) {
    if (this.mode !== "help") this.modeBefore = this.mode; // where the help returns to
    if (mode === "load") this.listRecent();
    this.mode = mode;
    this.isDrawerOpen = false;
    this.leaveFollow();
    this.hush();
    this.isRevealed = false;
    this.lineShown = this.part = null; // they belong to the place before
    this.comeBack();
    this.look(false);
    const isFilling = this.busy.has("graph") || this.busy.has("review");
    if (mode === "analyze" && !isFilling) this.fillGraph();
    this.redraw();
  }

  // The server is back: repeat the questions that it was working on.
  resumeWork() {
    if (this.problem.startsWith(AWAY)) this.hush();
    this.look();
    say("The server is back.");
    this.keepNow();
    this.write();
    const isPlayed = this.mode === "play" && playState(this).winner === null;
    if (this.hidesMoves || isPlayed) this.comeBack();
    if (!continueReviewing(this)) this.fillGraph();
  }

  // Return to the game of this place: the page has returned, or the board has another game.
  comeBack() { RETURN[this.mode]?.(this); }

  // The state of the page and of the game on the board, for a reload.
  get session() {
    const { layer, tab, mode } = this;
    return { key: this.game.key, mode, layer, tab, play: packPlay(this), puzzle: packPuzzle(this),
      bids: packBids(this), trying: this.isTrying && stepsTo(this.trying) };
  }

  // Restore that state, once the game is on the board again.
  resume({ layer = this.layer, tab = this.tab, play, puzzle, bids, trying }) {
    Object.assign(this, { layer, tab });
    if (play) resumePlay(this, play);
    if (puzzle) resumePuzzle(this, puzzle);
    if (bids) resumeBids(this, bids);
    if (trying) this.trying = nodeAt(this.game, trying);
    this.comeBack();
    this.look(false); // the place may show the analysis only now
  }

  setAsks(asks) {
    this.asks = asks;
    this.pair = NO_PAIR;
    this.leaveFollow();
    this.redraw();
  }

  showPair(row) {
    this.pair = { ...this.pair, shown: row };
    this.redraw();
  }

  async loadExample(title) {
    const answer = await this.ask("shipped", { name: title });
    if (answer !== null) await this.load(answer.text);
    if (answer === null || this.offered !== null) return;
    this.setMode("analyze");
    this.wantBoard();
  }

  // Show the stones of a line as ghosts (`lineShown`), or a part of a proof; null shows none. A
  // pointer event from a place that the page has just left shows nothing.
  show(shown) {
    if (this.placeDrawn === this.mode) Object.assign(this, shown);
    this.redraw();
  }

  // Pulse the cell whose name in a sentence is under the pointer; null for none.
  pulse(cell) {
    if (cell === this.pulsed) return;
    this.pulsed = cell;
    this.redraw();
  }

  // Call the players Red and Blue, or Black and White: ask again for all answers that have names,
  // and rename the players in the sentences about the current games.
  setColors(isRedBlue) {
    const review = packReview(this);
    setNames(isRedBlue);
    const games = [this.game, ...[...this.games.values()].map(({ game }) => game)];
    for (const node of games.flatMap(nodesOf)) {
      forget(node, true);
      for (const own of ["solved", "odds"]) node[own] = rename(node[own]); // asked by a button
    }
    const { done, undone } = this.history;
    for (const act of [...done, ...undone]) act.title = rename(act.title);
    for (const [place, fields] of Object.entries(SAID)) {
      if (this[place]) fields.forEach((field) => {
        this[place][field] = rename(this[place][field]);
      });
    }
    this.review = undefined;
    this.pair = NO_PAIR;
    this.set("redBlue", isRedBlue);
    restartReviewing(this);
    if (review?.isWhole) {
      const { game, said, moves } = review, renamed = rename({ game, said, moves });
      resumeReview(this, { ...review, ...renamed, redBlue: isRedBlue });
    }
    this.look(false);
  }

  // Handle a key that is not an arrow; return whether it has a meaning.
  pressKey(key) {
    const layer = /^[1-8]$/.test(key) ? LAYERS[Number(key) - 1] : undefined;
    if (layer !== undefined) {
      this.setLayer(layer[0]);
      if (!this.hidesAnalysis) say(`Shown: ${titleOf(this, layer)}.`); // no control shows it
    } else if (key in STEPPING && this.hidesMoves) say("Moves go by the buttons of the game.");
    else if (key in STEPPING) STEPPING[key](this);
    else if (key === "a") {
      this.setAsks(!this.asks);
      say(`Ask is ${this.asks ? "on" : "off"}.`);
    } else if (key === " " && this.mode === "analyze") {
      togglePause(this);
      say(this.settings.searches ? "The search continues." : "The search is paused.");
    } else if (key === "?") {
      this.setMode(this.mode === "help" ? this.modeBefore : "help");
      say(`Help is ${this.mode === "help" ? "shown" : "closed"}.`);
    } else return false;
    return true;
  }

  turnTo(direction) {
    this.jump(turningPoints(this.plies), direction, "No more turning points.");
  }

  // Go to the position before the next or the previous mistake of the review.
  toMistake(direction) {
    const places = this.plies.flatMap((node, place) =>
      (isMistake(moveOf(node)) ? [place - 1] : []));
    this.jump(places, direction, "No more mistakes are known.");
  }

  jump(places, direction, otherwise) {
    const nodes = this.plies, here = plyOf(this.node);
    const place = direction > 0 ? places.find((each) => each > here)
      : places.findLast((each) => each < here);
    if (place === undefined) say(otherwise);
    else this.visit(nodes[place]);
  }

  // Step through the game by an arrow, Home or End; return whether the key was one.
  stepBy(key) {
    const step = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[key];
    if (step === undefined || this.hidesMoves) return false;
    this[step]();
    return true;
  }

  // Obey the word in the move box, a move or a question. Return whether to clear the box.
  async obey(word) {
    if (word === "undo" && !this.hidesMoves) { this.previous(); return true; }
    const play = playState(this);
    await play.moving; // a word waits for the answer to the move before it
    if (this.mode === "play" && play.isOn && Object.hasOwn(IN_PLAY, word)) {
      IN_PLAY[word](this, play);
      return true;
    }
    if (word === "undo") return this.complain(this.isFinal);
    if (["why", "who", "threat", "hint"].includes(word)) return this.answerWord(word);
    if ((this.isTrying || this.judged) && isCell(this.game, word)) return tryMove(this, word);
    if (this.onPress === undefined) return this.place(word);
    return this.onPress(word);
  }

  answerWord(word) {
    if (this.hidesAnalysis) {
      const place = this.game.isHidden ? "dark" : this.isTrying ? "trying"
        : this.onPress && this.mode;
      return this.complain(UNJUDGED[place] ?? "Analyze shows what is known of this position.");
    }
    const { said, proved, opening } = this.found ?? {}, verdict = said?.verdict;
    if (this.hasResultOnly && said) { this.tell(`${said.result}.`); return true; }
    const why = this.why && joinLines(this.why.said.summary), move = bestMove(this);
    const best = move && (proved && !this.isWon ? `${verdict} ${move} is the hardest to refute.`
      : `The best move that is known is ${move}.`);
    const answers = { who: verdict, why: why ?? verdict,
      threat: (this.isWon ? said.proof : said?.mustplay) || verdict,
      hint: opening?.said ?? best ?? verdict };
    this.tell(answers[word] ?? "Nothing is known yet.");
    return true;
  }

  setLayer(layer) {
    this.layer = layer;
    this.leaveFollow();
    this.pair = NO_PAIR;
    this.look(false);
    this.redraw();
  }
}
