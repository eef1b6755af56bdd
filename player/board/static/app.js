// What clicks, keys and words do.

import { Known } from "./known.js";
import { LAYERS, setNames } from "./layers.js";
import { isMistake, turningPoints } from "./panels/graph.js";
import { comeBack, hint, playState, takeBack } from "./panels/play.js";
import { attempt } from "./panels/review.js";
import { say } from "./speech.js";
import { NO_PAIR } from "./state.js";

const IN_PLAY = { undo: takeBack, hint };

export class App extends Known {
  point(cell) {
    if (cell === this.pointed) return;
    this.pointed = cell;
    this.changed();
  }

  focus(cell, isByKey) {
    this.focused = cell;
    this.isByKey = isByKey;
    if (cell !== null) {
      if (isByKey) this.pointed = null; // a mouse may rest elsewhere
      this.home = cell;
      const line = this.replyLine();
      if (line) say(line);
    }
    this.changed();
  }

  // ---- Ask mode: play on the cells of a proof, and see it answered

  async step(cell) {
    // The line begins with the key: to ask there is to play it, and nothing more yet.
    const isStart = this.follow === null && cell === this.found.connection.key;
    const moves = isStart ? [] : [...this.follow?.moves ?? [], cell];
    const { position } = this.found.analysis;
    const found = await this.ask("follow", { position, moves }, { channel: "follow" });
    if (found === null) return;
    this.follow = { ...found, moves };
    say(this.replyLine());
    this.changed();
  }

  leaveFollow() {
    if (this.follow === null) return false;
    this.follow = null;
    this.changed();
    return true;
  }

  // Take back the last question of a walk down a proof.
  stepBack() {
    const moves = this.follow.moves.slice(0, -1);
    if (moves.length === 0) { this.leaveFollow(); return; }
    const last = moves.pop();
    this.follow = { ...this.follow, moves };
    this.step(last);
  }

  // Escape: close what lies over the board, or end a walk down a proof.
  leave() {
    if (this.offered === null) return this.leaveFollow();
    this.offered = null;
    this.changed();
    return true;
  }

  async choose(cell) {
    const ends = this.pair.ends.length === 2 ? [cell] : [...this.pair.ends.filter((end) => end !== cell), cell];
    this.pair = { ...NO_PAIR, ends };
    if (ends.length === 2) await this.list(0);
    this.changed();
  }

  async list(page) {
    const found = await this.ask("connections", { position: this.found.analysis.position, between: this.pair.ends, page });
    if (found !== null) this.pair = { ...this.pair, rows: found };
    this.changed();
  }

  // A click, a tap, or Enter on a cell.
  press(cell) {
    if (this.onPress !== undefined && this.onPress(cell)) return;
    if (this.mode === "play" && this.onFirst?.(cell)) return;
    if (this.trying && this.trying.parent === this.node) { attempt(this, cell); return; }
    if (this.mode === "setup") { this.put(cell); return; }
    if (this.shown === "connections" && this.asks && this.found !== null) { this.choose(cell); return; }
    if (this.asks) { this.question(cell); return; }
    this.play(cell);
  }

  // Ask about a cell; a click that came too early, or where nothing is proved, plays nothing.
  question(cell) {
    if (this.found?.connection != null) this.step(cell);
    else if (this.found !== null) this.complain("no proof is known here, so there is nothing to ask: switch Ask off to play");
  }

  setMode(mode) {
    this.mode = mode;
    this.leaveFollow();
    this.problem = this.notice = "";
    this.isRevealed = false;
    if (mode === "play") comeBack(this);
    this.look(false);
    if (mode === "analyze" && !this.busy.has("graph")) this.fillGraph();
    this.changed();
  }

  setAsks(asks) {
    this.asks = asks;
    this.pair = NO_PAIR;
    this.leaveFollow();
    this.changed();
  }

  showPair(row) {
    this.pair = { ...this.pair, shown: row };
    this.changed();
  }

  async loadShipped(title) {
    const found = await this.ask("shipped", { name: title });
    if (found !== null) await this.load(found.text);
    if (found === null || this.offered !== null) return;
    this.setMode("analyze");
    this.wantBoard();
  }

  // Show the stones of a line as ghosts; null shows none.
  showLine(line) {
    this.lineShown = line;
    this.changed();
  }

  // Show a part of a proof, or one case of it, on the board; null shows none.
  showPart(part) {
    this.part = part;
    this.changed();
  }

  // Red and Blue, or Black and White: what is known is asked for anew, in the new names.
  setColors(isRedBlue) {
    setNames(isRedBlue);
    for (const waiting = [this.game.root]; waiting.length;) {
      const node = waiting.pop();
      Object.assign(node, { found: undefined, why: undefined, links: undefined, solved: undefined, odds: undefined, verdict: undefined });
      waiting.push(...node.children);
    }
    this.review = undefined;
    this.set("redBlue", isRedBlue);
    this.look(false);
  }

  // A key that is no arrow, while the board has the focus; whether it meant something.
  key(key) {
    const layer = LAYERS[Number(key) - 1];
    if (/^[1-6]$/.test(key) && layer !== undefined) this.setLayer(layer[0]);
    else if ("jknNpfl[]".includes(key) && this.hidesMoves) say("Moves go by the buttons of the game.");
    else if (key === "j") this.next();
    else if (key === "k") this.previous();
    else if (key === "n" || key === "N") this.toMistake(1);
    else if (key === "p") this.toMistake(-1);
    else if (key === "f") this.first();
    else if (key === "l") this.last();
    else if (key === "[" || key === "]") this.turnTo(key === "]" ? 1 : -1);
    else if (key === "a") this.setAsks(!this.asks);
    else if (key === "?") this.setMode("help");
    else if (key === "Escape") return this.leaveFollow();
    else return false;
    return true;
  }

  // Go to the next or the previous turning point.
  turnTo(direction) {
    const nodes = this.plies;
    const places = turningPoints(nodes), here = nodes.indexOf(this.node);
    const found = direction > 0 ? places.find((place) => place > here) : places.reverse().find((place) => place < here);
    if (found === undefined) say("No more turning points.");
    else this.go(nodes[found]);
  }

  // Go to the position before the next or the previous mistake of the review.
  toMistake(direction) {
    const nodes = this.plies, here = nodes.indexOf(this.node);
    const places = nodes.flatMap((node, place) => (isMistake(node) ? [place - 1] : []));
    const found = direction > 0 ? places.find((place) => place > here) : places.reverse().find((place) => place < here);
    if (found === undefined) say("No more mistakes are known.");
    else this.go(nodes[found]);
  }

  // An arrow, Home or End where nothing is typed steps through the game.
  stepBy(key) {
    const step = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[key];
    if (step === undefined || this.hidesMoves) return false;
    this[step]();
    return true;
  }

  // What the move box was told: a move, or a question.
  obey(word) {
    const said = this.found?.said;
    if (word === "undo" && !this.hidesMoves) { this.previous(); return true; }
    if (this.mode === "play" && playState(this).isOn && Object.hasOwn(IN_PLAY, word)) { IN_PLAY[word](this, playState(this)); return true; }
    if (["why", "who", "threat"].includes(word)) {
      if (this.hidesAnalysis) return this.complain("While a game is on, the button Why shows what is known.");
      const answers = { who: said?.verdict, threat: said?.mustplay, why: this.why?.said.summary.join(" ") ?? said?.verdict };
      this.notice = answers[word] ?? "Nothing is known yet.";
      say(this.notice);
      this.changed();
      return true;
    }
    if (this.onPress !== undefined && this.onPress(word === "swap" ? "swap-pieces" : word)) return true;
    return this.play(word);
  }

  setLayer(layer) {
    this.layer = layer;
    this.leaveFollow();
    this.pair = NO_PAIR;
    this.look(false);
    this.changed();
  }
}
