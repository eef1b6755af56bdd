// What is known of the position: fetched once for each node, shown as marks and sentences.

import { Game } from "./game.js";
import { darkMarks } from "./hidden.js";
import {
  hasOpenings, marksOf, name, oddsMarks, openingMarks, layerToShow, solveMarks,
} from "./layers.js";
import { mistakeMarks } from "./reviewing.js";
import { bestMove, candidatesOf, isLosing, search, showEstimate } from "./search.js";
import { compilingWords, say } from "./state.js";
import { isFirstSight, moveSentence, moveWord, outcome, positionAt } from "./stones.js";
import { cutRecord, endOf, isBegun, isCell, isEnd, isGivenUp, pliesOf } from "./tree.js";

const KEPT = 300; // nodes that keep their full answers

// Whether the next move or the last one may be a swap, if the record allows it.
const isNearSwap = ({ state }) => state.moves < 3;

// The answer in a few words: the result and why, else what is proved, else who is ahead.
export function headlineOf(app) {
  const { found: { said, proved } } = app, ended = outcome(app);
  const [, how] = said.result.split(": ");
  if (ended !== null) return how && !isGivenUp(app.node) ? `${ended}: ${how}` : ended;
  if (said.swap) return said.swap.split(". ")[0].replace(/[.]$/, "");
  if (proved === null && isFirstSight(app)) return `${name(app.turn)} to move`;
  return said.turns ? `If turns alternate, ${standingOf(app)}` : standingOf(app);
}

function standingOf({ found: { proved, connection, chance }, turn }) {
  if (proved !== null) {
    const key = proved.winner === turn ? connection?.key ?? proved.move : null;
    return `${name(proved.winner)} wins${key ? ` with ${key}` : ""}`;
  }
  if (Math.abs(chance - 0.5) < 0.03) return `${name(turn)} to move, even`;
  return `${name(chance > 0.5 ? "black" : "white")} is ahead`;
}

export class Known extends Game {
  get found() { return this.node.found ?? null; }
  get why() { return this.node.why ?? null; }
  // The layer to show; on an empty board the swap map replaces the weak links.
  get shown() {
    if (this.hasResultOnly) return "none";
    const shown = layerToShow(this.layer, this.found);
    return shown === "links" && hasOpenings(this) ? "openings" : shown;
  }
  // The handler of presses on cells, while a game of this mode is on; undefined otherwise.
  get onPress() { return this.presses.get(this.mode); }
  get visible() {
    return this.hidesAnalysis || ["solve", "setup"].includes(this.mode) ? "none" : this.shown;
  }
  // The cell of interest: under the pointer, else with the focus, if the user has moved it there.
  get regarded() { return this.pointed ?? (this.isGiven ? null : this.focused); }
  // Whether a game is on, so that only its own buttons take back moves.
  get hidesMoves() { return this.onPress !== undefined && !this.isRevealed; }
  // Whether the user is to find a better move than a mistake here, so the page shows none.
  get isTrying() { return this.mode === "analyze" && this.trying?.parent === this.node; }
  // Whether to hide all analysis: in a game, in an exercise, and if stones may be hidden.
  get hidesAnalysis() {
    const isOfGame = ["play", "bidding", "dark", "puzzle"].includes(this.mode);
    const isOver = this.mode === "bidding" && this.bids?.state?.winner;
    const isSeen = this.isRevealed || isOver;
    return Boolean(this.game.isHidden) || this.isTrying || isOfGame && !isSeen;
  }

  // Whether only the result counts here: a player gave up, or the record names another winner
  // than the proof does.
  get hasResultOnly() {
    const { analysis, proved = null } = this.found ?? {};
    const isOther = proved !== null && proved.winner !== analysis.winner;
    return isGivenUp(this.node) || isOther && analysis.outcome != null;
  }

  get isWon() { return this.found?.proved?.winner === this.turn; }

  // Whether the page waits for the analysis of this node.
  get isLooking() { return !this.node.found && !this.hidesAnalysis && this.status === "open"; }

  // Fetch what this node lacks; a late answer is stored at the node of its question.
  async look(isSpoken = true) {
    const node = this.node;
    if (this.searched !== node.state) search(this);
    if (this.hidesAnalysis || this.status !== "open") return;
    if (!node.found) {
      const others = node.asking, asking = node.asking ??= this.analyze(node);
      await asking;
      if (node.asking === asking) node.asking = undefined;
      // The earlier question ends if another node is shown.
      if (!node.found && others && node === this.node) return this.look(isSpoken);
      if (!node.found) return;
    }
    if (node !== this.node) return;
    search(this);
    if (isSpoken) this.speak(node);
    const isExplained = node.found.connection !== null && !this.hasResultOnly;
    if (isExplained && !node.why) await this.explain(node);
    if (node === this.node && node.found) await this.askForLayer(node); // either may have changed
    this.redraw();
  }

  async explain(node) {
    const before = this.focused, { position } = node.found.analysis;
    const why = await this.ask("explain", { position }, { channel: "explain", about: node });
    if (why !== null) node.why = why;
    // The cell with the focus had no sentence before.
    const line = node === this.node && this.focused !== before ? this.replyLine() : "";
    if (line) say(line);
  }

  // Fetch what the layer shows besides the analysis.
  async askForLayer(node) {
    const { position } = node.found.analysis;
    if (this.shown === "connections" && !node.links) {
      const links = await this.ask("links", { position }, { channel: "links", about: node });
      if (links !== null) node.links = links;
    } else if (this.shown === "policy" && !node.policy) {
      const answer = await this.work("links", "policy", { position }, undefined, { about: node });
      if (answer !== null) node.policy = answer.policy;
    } else if (this.shown === "openings" && !node.openings) {
      const openings = await this.ask("openings", { position }, { about: node });
      if (openings !== null) node.openings = openings;
    }
  }

  async analyze(node) {
    const fields = { position: positionAt(this.game, node) };
    if (node.parent !== null && isCell(this.game, node.move ?? "")) {
      const before = positionAt(this.game, node.parent);
      if (before.turn === node.color) Object.assign(fields, { before, cell: node.move });
    }
    const onProgress = (told) => {
      if (!told.compiling) return;
      node.compiling = compilingWords(told.compiling);
      this.redraw();
    };
    const rules = this.game.root.info.find(([entry]) => entry === "RU")?.[1];
    if (rules) fields.rules = rules;
    if (isNearSwap(node) || isEnd(this.game, node)) fields.game = cutRecord(this.game, node);
    const options = { channel: "analyze", about: node, onProgress };
    const answer = await this.ask("analyze", fields, options);
    node.compiling = "";
    if (answer !== null) this.store(node, answer);
  }

  // Drop the answers that depend on the result or the swap rule, which has changed, and ask again.
  // That about the node shown stays in sight meanwhile.
  judgeAnew() {
    const { game, node } = this;
    const isOld = (one) => one.found?.analysis.outcome != null || isNearSwap(one);
    for (const one of [...this.kept.filter(isOld), game.root.end, endOf(game)]) {
      if (one && one !== node) one.found = undefined;
      if (one && isBegun(one)) one.solved = undefined;
    }
    if (node.found && this.status === "open") this.analyze(node).then(() => this.look(false));
  }

  store(node, found) {
    node.found = found;
    const { winner = null, kind: proof = null } = found.proved ?? {};
    node.summary = { winner, proof, chance: found.chance };
    showEstimate(node);
    this.kept.push(node);
    while (this.kept.length > KEPT) {
      const old = this.kept.shift();
      if (old !== this.node) old.found = old.why = old.links = undefined;
    }
  }

  // Speak the answer as the panel shows it. The end of a puzzle has a sentence of its own.
  speak(node) {
    const { said, proved } = node.found;
    if (this.mode === "puzzle" && node.children.length === 0) return;
    const best = proved === null ? bestMove(this) : null; // else the headline has it
    const proof = this.hasResultOnly ? "" : said.proof;
    const parts = [moveSentence(node), `${headlineOf(this)}.`, proof, said.estimate,
      best === null ? "" : `Best: ${moveWord(best)}.`, said.change];
    say(parts.filter(Boolean).join(" "));
  }

  // The nodes of the line in the graph: at the start, and after each move.
  get plies() { return pliesOf(this.line); }

  // Fetch the winner and the chance at each node of the line, for the graph.
  async fillGraph() {
    const line = this.line, nodes = this.plies;
    if (line.length < 3 || this.hidesAnalysis || this.status !== "open") return;
    if (nodes.every((node) => node.summary)) return;
    const game = cutRecord(this.game, line.at(-1));
    await this.work("graph", "graph", { game }, ({ ply, winner, proof, chance }) => {
      if (ply === undefined || nodes[ply] === undefined) return;
      nodes[ply].summary ??= { winner, proof, chance };
    });
  }

  marks() {
    const { found, why, node, pair, follow, turn } = this, { links = null, tried } = node;
    const marks = marksOf(this.visible, { found, why, node, pair, follow, turn }, this.regarded);
    if (this.visible === "openings") openingMarks(marks, this.node.openings);
    const ofMode = { solve: solveMarks, bidding: oddsMarks, dark: darkMarks }[this.mode];
    ofMode?.(this, marks);
    if (this.part) {
      marks.tinted = new Set(this.part.cells);
      this.part.ends.forEach((end) => marks.chosen.add(end));
      this.part.stones.forEach(([cell, color]) => marks.ghosts.set(cell, color));
      marks.lines.push(...this.part.lines);
    }
    if (this.mode === "setup" && this.arrowFrom !== null) marks.chosen.add(this.arrowFrom);
    mistakeMarks(this, marks);
    const isListed = this.layer === "automatic" || this.layer === "chances" && !tried?.length;
    if (this.mode === "analyze" && isListed && follow === null && !this.hidesAnalysis) {
      candidatesOf(this).forEach((one, place) => {
        marks.best.set(one.move, String(place + 1));
        if (isLosing(this, one)) marks.losing.add(one.move);
      });
    }
    marks.groups = links?.groups ?? why?.groups ?? {};
    marks.hottest = Math.max(...marks.heat.values(), 0.01);
    return marks;
  }

  // The sentence about the cell of interest, or about the last step of a walk down a proof.
  replyLine() {
    const cell = this.regarded;
    if (this.follow !== null) return this.follow.steps.at(-1).said;
    if (cell === null || this.found === null || this.hidesAnalysis) return "";
    if (this.shown === "proof") return this.why?.said.cells[cell] ?? "";
    return this.shown === "mustplay" ? this.found.said.cells[cell] ?? "" : "";
  }
}
