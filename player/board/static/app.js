// The state of the page and what can be done to it; `changed` lets it be drawn again.

import { Server, Unanswered, takeToken } from "./socket.js";
import { OTHER, addMove, emptyGame, fromRecord, isCell, lineRecord, lineThrough, maySwap, moveWord, path, positionAt,
  remove, setUp, settleTurn, stonesAt, toRecord, turnAt } from "./tree.js";
import { LAYERS, marksOf, name, shownLayer, threatAgainst } from "./layers.js";
import { bidsMarks } from "./panels/bids.js";
import { darkMarks } from "./panels/dark.js";
import { turningPoints } from "./panels/graph.js";
import { solveMarks } from "./panels/solve.js";
import { say } from "./speech.js";
import { recall, remember } from "./memory.js";

const KEPT = 300; // nodes whose whole answers are kept
const NO_PAIR = { ends: [], rows: null, shown: null };

export class App {
  constructor(draw) {
    this.draw = draw;
    this.status = "starting";
    this.refusal = "";
    Object.assign(this, { game: emptyGame(11), node: null, mode: "analyze", layer: "automatic",
      pointed: null, focused: null, home: "a1", asks: false, follow: null, pair: NO_PAIR,
      problem: "", notice: "", busy: new Map(), setupColor: null, offered: null, isDrawn: true });
    this.node = this.game.root;
    this.settings = { rotation: 0, mirrored: false, numbers: false, redBlue: false, coordinates: false,
      ...recall("settings", {}) };
    this.kept = [];
    this.presses = new Map();
    this.server = new Server(takeToken(), (state, what) => this.onServer(state, what));
  }

  changed() {
    if (!this.isDrawn) return;
    this.isDrawn = false;
    requestAnimationFrame(() => { this.isDrawn = true; this.draw(); });
  }

  // The server came, went, or does not want us.
  onServer(status, what) {
    const isFirst = this.status === "starting";
    this.status = status;
    if (status === "refused") this.refusal = what;
    if (status === "open") {
      if (isFirst) this.begin(what);
      else this.look();
    }
    this.changed();
  }

  // Take up the game of this tab, else that of the address, else that of the command line.
  async begin(welcome) {
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

  // Ask, and tell what is wrong; null if there is no answer.
  async ask(kind, fields, options = {}) {
    try {
      const found = await this.server.ask(kind, fields, options);
      this.problem = "";
      return found;
    } catch (error) {
      if (!(error instanceof Unanswered)) {
        this.problem = error.message;
        say(error.message);
      }
      return null;
    } finally {
      this.changed();
    }
  }

  // Ask for something that takes long, in a channel of its own, with its progress shown.
  async work(channel, kind, fields, onProgress = () => {}) {
    this.busy.set(channel, { share: null, text: "" });
    this.changed();
    const found = await this.ask(kind, fields, { channel, onProgress: (message) => {
      if (message.compiling) this.busy.set(channel, { share: null, text: "compiling for boards of this size, once ..." });
      else if (message.text !== undefined) this.busy.set(channel, { share: message.share ?? null, text: message.text });
      onProgress(message);
      this.changed();
    } });
    this.busy.delete(channel);
    this.changed();
    return found;
  }

  // ---- the game

  take(record, steps = null) {
    const { game, node } = fromRecord(record, record.nodes.length > 1);
    if (settleTurn(game)) this.notice = `${this.notice} Nothing tells who is to move: Black is taken.`;
    this.game = game;
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
    this.changed();
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
    if (["resign", "forfeit"].includes(this.node.move)) return this.complain("the game was given up: step back to go on");
    this.problem = "";
    this.go(addMove(this.node, color, word));
    return true;
  }

  put(cell) {
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

  complain(message) {
    this.problem = message;
    say(message);
    this.changed();
    return false;
  }

  // Put the game into the address and into this tab's memory, so that nothing is lost.
  async keep() {
    const steps = path(this.node).slice(1).map((step) => step.parent.children.indexOf(step));
    const record = toRecord(this.game);
    const found = await this.ask("write", { game: lineRecord(this.game, this.node), format: "hexworld", ...this.linkFlags() },
      { channel: "address" });
    if (found === null) return;
    history.replaceState(null, "", `#${found.fragment}`);
    remember("game", { record, path: steps, fragment: decodeURIComponent(location.hash) }, sessionStorage);
  }

  linkFlags() {
    const { rotation, mirrored, numbers, redBlue } = this.settings;
    return { rotation: rotation || 10, mirrored, numbers, red_and_blue: redBlue };
  }

  set(name, value) {
    this.settings = { ...this.settings, [name]: value };
    remember("settings", this.settings);
    this.changed();
  }

  // ---- what is known of it

  get found() { return this.node.found ?? null; }
  get why() { return this.node.why ?? null; }
  get shown() { return shownLayer(this.layer, this.found); }
  // What a press on a cell means in this mode, if a game is on in it; undefined otherwise.
  get onPress() { return this.presses.get(this.mode); }
  set onPress(action) { this.presses.set(this.mode, action); }
  get visible() { return this.hidesAnalysis || ["solve", "setup"].includes(this.mode) ? "none" : this.shown; }
  // While a game is on, its moves are taken back by its own buttons alone.
  get hidesMoves() { return this.onPress !== undefined && !this.isRevealed; }
  get hidesAnalysis() { return ["play", "bidding", "dark", "puzzle"].includes(this.mode) && !this.isRevealed; }

  // Ask for what this node lacks; a stale answer goes to the node that it was asked for.
  async look(isSpoken = true) {
    const node = this.node;
    if (this.hidesAnalysis || this.status !== "open") return;
    if (!node.found) {
      const fields = { position: positionAt(this.game, node) };
      if (node.parent !== null && isCell(this.game, node.move ?? "")) {
        const before = positionAt(this.game, node.parent);
        if (before.turn === node.color) Object.assign(fields, { before, cell: node.move });
      }
      const found = await this.ask("analyze", fields, { channel: "analyze", onProgress: () => {
        this.notice = "Compiling for boards of this size, once: some seconds, then never again.";
        this.changed();
      } });
      if (found === null) return;
      this.notice = "";
      this.store(node, found);
    }
    if (node !== this.node) return;
    if (isSpoken) this.speak(node);
    if (node.found.connection !== null && !node.why) {
      const why = await this.ask("explain", { position: node.found.analysis.position }, { channel: "explain" });
      if (why !== null) node.why = why;
    }
    if (node === this.node && this.shown === "connections" && !node.links) {
      const links = await this.ask("links", { position: node.found.analysis.position }, { channel: "links" });
      if (links !== null) node.links = links;
    }
    this.changed();
  }

  store(node, found) {
    node.found = found;
    node.summary = { winner: found.analysis.winner, proof: found.analysis.proof, chance: found.chance };
    this.kept.push(node);
    while (this.kept.length > KEPT) {
      const old = this.kept.shift();
      if (old !== this.node) old.found = old.why = old.links = undefined;
    }
  }

  speak(node) {
    const { said } = node.found;
    const move = node.move === null ? "" : `${name(node.color)} ${moveWord(node.move)}. `;
    say(`${move}${said.verdict} ${said.estimate} ${said.change}`);
  }

  // Find the winner and the chance at each node of the line, for the graph.
  async fillGraph() {
    const line = this.line;
    if (line.length < 3 || this.hidesAnalysis) return;
    const nodes = line.filter((node, place) => place === 0 || node.move !== null);
    await this.work("graph", "graph", { game: { ...lineRecord(this.game, line[line.length - 1]) } }, (message) => {
      if (message.ply === undefined || nodes[message.ply] === undefined) return;
      const { winner, proof, chance } = message;
      nodes[message.ply].summary ??= { winner, proof, chance };
    });
  }

  marks() {
    const marks = marksOf(this.visible,
      { found: this.found, why: this.why, links: this.node.links ?? null, pair: this.pair, follow: this.follow },
      this.pointed ?? this.focused);
    if (this.mode === "solve") solveMarks(this, marks);
    if (this.mode === "bidding") bidsMarks(this, marks);
    if (this.mode === "dark") darkMarks(this, marks);
    marks.groups = this.node.links?.groups ?? {};
    marks.hottest = Math.max(...marks.heat.values(), 0.01);
    return marks;
  }

  // The sentence about the cell that is pointed at.
  replyLine() {
    const cell = this.pointed ?? this.focused;
    if (this.follow !== null) return this.follow.steps[this.follow.steps.length - 1].said;
    if (cell === null || this.found === null || this.hidesAnalysis) return "";
    if (this.shown === "proof" && this.why !== null) return this.why.said.replies[cell] ?? this.outside(cell);
    if (this.shown === "mustplay") return this.threatLine(cell);
    return "";
  }

  outside(cell) {
    const { connection } = this.found;
    if (connection === null || this.stones.black.has(cell) || this.stones.white.has(cell)) return "";
    if (cell === connection.key) return `${name(connection.color)} starts here: ${cell} is the key.`;
    return `${cell} is outside the proof: ${name(connection.color)} needs no reply there.`;
  }

  threatLine(cell) {
    const { mustplay } = this.found;
    if (!mustplay.forced || this.stones.black.has(cell) || this.stones.white.has(cell)) return "";
    if (mustplay.mustplay.includes(cell)) return `${cell} is in the must-play region: no known threat rules it out.`;
    const threat = threatAgainst(mustplay, cell);
    if (threat === null) return "";
    const mover = name(this.turn), other = name(OTHER[this.turn]);
    const how = threat.key === null ? `${other} is joined already` : `${other} wins at ${threat.key}`;
    return `After ${mover} ${cell}, ${how}: ${cell} is outside that threat of ${threat.carrier.length} cells.`;
  }

  point(cell) {
    if (cell === this.pointed) return;
    this.pointed = cell;
    this.changed();
  }

  focus(cell, isByKey) {
    this.focused = cell;
    this.isByKey = isByKey;
    if (cell !== null) {
      this.home = cell;
      const line = this.replyLine();
      if (line) say(line);
    }
    this.changed();
  }

  // ---- Ask mode: play on the cells of a proof, and see it answered

  async step(cell) {
    const moves = this.follow === null ? [] : this.follow.moves;
    const found = await this.ask("follow", { position: this.found.analysis.position, moves: [...moves, cell] }, { channel: "follow" });
    if (found === null) return;
    this.follow = { ...found, moves: [...moves, cell] };
    say(this.replyLine());
    this.changed();
  }

  leaveFollow() {
    if (this.follow === null) return false;
    this.follow = null;
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
    if (this.mode === "setup") { this.put(cell); return; }
    if (this.shown === "connections" && this.asks && this.found !== null) { this.choose(cell); return; }
    if (this.asks && this.found?.connection != null) { this.step(cell); return; }
    this.play(cell);
  }

  setMode(mode) {
    this.mode = mode;
    this.leaveFollow();
    this.problem = this.notice = "";
    this.isRevealed = false;
    this.look(false);
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
    if (found !== null && this.offered === null) this.setMode("analyze");
  }

  // A key that is no arrow, while the board has the focus; whether it meant something.
  key(key) {
    const layer = LAYERS[Number(key) - 1];
    if (/^[1-6]$/.test(key) && layer !== undefined) this.setLayer(layer[0]);
    else if ("npfl[]".includes(key) && this.hidesMoves) say("Moves go by the buttons of the game.");
    else if (key === "n") this.next();
    else if (key === "p") this.previous();
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
    const nodes = this.line.filter((node, place) => place === 0 || node.move !== null);
    const places = turningPoints(nodes), here = nodes.indexOf(this.node);
    const found = direction > 0 ? places.find((place) => place > here) : places.reverse().find((place) => place < here);
    if (found === undefined) say("No more turning points.");
    else this.go(nodes[found]);
  }

  // What the move box was told: a move, or a question.
  obey(word) {
    const said = this.found?.said;
    if (word === "undo" && !this.hidesMoves) { this.previous(); return true; }
    if (["why", "who", "threat"].includes(word)) {
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
    this.pair = NO_PAIR;
    this.look(false);
    this.changed();
  }
}
