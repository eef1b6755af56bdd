// The state of the page besides the game, its questions to the server, when to draw it, and what
// is heard.

import { Server, Unanswered, takeHello, takeSeat } from "./socket.js";
import { setNames } from "./layers.js";
import { recall, remember } from "./memory.js";
import { emptyGame } from "./tree.js";

export const NO_PAIR = { ends: [], rows: null, shown: null };
const SETTINGS = {
  rotation: 0, mirrored: false, numbers: false, coordinates: false, reviews: true, deepens: true,
  searches: true, letters: true, sound: false,
  redBlue: !matchMedia("(forced-colors: active)").matches, // stones are black and white there
};
export const AWAY = "The server is away: "; // prefix of messages until it is back
export const WAIT = "the server is at work: wait for its answer";
const SOON = 80; // milliseconds in which most answers come, and which nobody notices
const EACH = 100; // milliseconds between drawings of progress

// The message while kernels are compiled; `count` is such as "3 of 7", or true if unknown.
export function compilingWords(count) {
  const part = count === true ? "" : `, ${count} parts`;
  return `Preparing for boards of this size, once${part} ...`;
}

export class State {
  constructor(draw) {
    // The game on the board
    this.game = emptyGame(11);
    this.node = this.game.root; // the one shown
    this.hasGame = false; // whether `game` is not the empty board before the first one
    this.settling = null; // the node whose stone waits to be drawn with its answer
    this.settings = { ...SETTINGS, ...recall("settings", {}) };
    this.shape = null; // the geometry of the board, as it is turned

    // The place of the page
    this.mode = "analyze";
    this.modeBefore = "analyze"; // where the help returns to
    this.isDrawerOpen = false; // on a phone: the details instead of the board
    this.layer = "automatic"; // a key of LAYERS
    this.tab = "why";
    this.asks = false; // whether a click asks
    this.setupColor = "black"; // a stone or mark to set up; null removes stones
    this.arrowFrom = null; // the cell where an arrow begins
    this.presses = new Map(); // what a press on a cell does in a game, by place
    this.isRevealed = false; // whether a game or a puzzle shows its analysis
    this.shared = null; // what was shared last, and how

    // The games of places, once these are shown; the solver; the timer of clocks
    this.playing = this.puzzle = this.bids = this.dark = undefined;
    this.solving = this.ticking = undefined;

    // The pointer and the focus
    this.pointed = null; // the cell under the pointer
    this.pressed = null;
    this.pulsed = null; // the cell whose name is under the pointer
    this.plyPointed = undefined; // the move of the chart under the pointer
    this.focused = null;
    this.home = "a1"; // the cell that Tab reaches
    this.isByPointer = false; // whether the focus came by the pointer
    this.isByKey = false; // whether the focus of the board came by a key
    this.isGiving = false; // whether the page is moving the focus
    this.isGiven = false; // whether it has moved it to `focused`
    this.lineShown = null; // moves shown as ghosts
    this.part = null; // of a proof: a part or a case
    this.follow = null; // a walk down a proof
    this.pair = NO_PAIR; // two ends, and what joins them

    // Analysis and review
    this.kept = []; // nodes with full answers, the oldest first
    this.searched = null; // the state of the node that is searched
    this.review = undefined;
    this.unreviewed = null; // what is left of a review in progress
    this.card = null; // the mistake shown
    this.trying = null; // the mistake for which the user tries another move
    this.judged = null; // the cell that was tried, until it is judged
    this.tried = null; // the node before it, once it is searched
    this.turnSaid = ""; // how the game turned, as spoken

    // Messages
    this.problem = this.notice = ""; // below the board: an error, or another message
    this.toldAt = null; // the cell of interest when that was said
    this.told = null; // the text of the toast, and its button
    this.offered = null; // the question about games that were read
    this.lost = ""; // why the game that was asked for is not on the board
    this.busy = new Map(); // the progress of long questions, by channel

    // Drawing
    this.draw = draw;
    this.isDrawn = true; // whether the page shows the present state
    this.drawings = 0;
    this.inTime = undefined; // the timer that draws progress
    this.placeDrawn = null; // the place drawn last
    this.wanted = this.wantedInSight = undefined; // selectors of what gets the focus, or in sight

    // The server
    this.status = "starting";
    this.refusal = "";
    this.levels = [];
    this.isVisitor = false; // may ask one long question at a time
    this.build = ""; // the version of the program
    this.written = {}; // the game in formats, for when the server is away
    this.wasOpen = false; // the connection; the first one may be refused
    this.begun = new Promise((resolve) => { this.hasBegun = resolve; }); // with the first game
    this.seat = takeSeat();
    setNames(this.settings.redBlue);
    this.server = new Server(takeHello(this.seat), (state, what) => this.onServer(state, what));
  }

  // Focus the board after the next drawing, because the focused element may be gone by then.
  wantBoard() {
    this.isDrawerOpen = false; // else it hides the board on a phone
    this.want(`[data-cell="${this.home}"]`);
  }

  want(selector) {
    this.wanted = selector;
    this.redraw();
  }

  // Scroll to a selector's element after the next drawing, without moving the focus.
  wantInSight(selector) {
    this.wantedInSight = selector;
    this.redraw();
  }

  // Draw after this task, so that the next frame only needs to paint; or in that frame, if it
  // comes first.
  redraw() {
    if (!this.isDrawn) return;
    this.isDrawn = false;
    const draw = () => { if (!this.isDrawn) this.drawNow(); };
    requestAnimationFrame(draw);
    setTimeout(draw);
  }

  // Draw at once what is typed into a field: an undo would not write the value drawn before again.
  drawNow() {
    this.isDrawn = true;
    this.drawings += 1;
    this.draw();
  }

  // Draw in a moment, unless something is drawn before that: a new position and its analysis then
  // appear together, without flicker. Until then the page shows the position before.
  redrawSoon() {
    const { drawings: before, settling } = this;
    setTimeout(() => {
      if (this.drawings === before || settling !== null) this.redraw();
      if (this.settling === settling) this.settling = null; // else a later stone has its own timer
    }, SOON);
  }

  // Draw progress now and then, as the work needs the processor.
  redrawInTime() {
    this.inTime ??= setTimeout(() => {
      this.inTime = undefined;
      this.redraw();
    }, EACH);
  }

  onServer(status, what) {
    this.status = status;
    if (status === "refused") this.refusal = what;
    if (status === "open") {
      this.levels = what.levels ?? [];
      this.isVisitor = Boolean(what.visitor);
      if (this.wasOpen) this.resumeWork();
      else this.begin(what).finally(this.hasBegun);
      this.wasOpen = true;
    }
    this.redraw();
  }

  // Ask a question and draw; return null if there is no answer, and show any error.
  async ask(kind, fields, options = {}) {
    if (["away", "refused"].includes(this.status)) {
      this.complain(`${AWAY}ask again once it is back.`);
      return null;
    }
    if (this.status === "starting") await this.begun;
    const answer = await this.askQuietly(kind, fields, options);
    this.redraw();
    return answer;
  }

  // The same without drawing, which the caller does. `about` is the node of the question: drop
  // answers and errors once it has other stones. `isHere`: it is the node that is shown; drop them
  // also once another one is.
  async askQuietly(kind, fields, options = {}) {
    const { isHere = false, about = isHere ? this.node : null, onProgress, ...rest } = options;
    const state = about?.state;
    const isLate = () => about?.state !== state || isHere && about !== this.node;
    const hear = (told) => isLate() || onProgress?.(told);
    try {
      const answer = await this.server.ask(kind, fields, { ...rest, onProgress: hear });
      return isLate() ? null : answer;
    } catch (error) {
      if (!(error instanceof Unanswered || isLate())) this.complain(error.message);
      return null;
    }
  }

  // Ask a long question in its own channel and show its progress, from 0 to 1 or as a part of a
  // longer task.
  async work(channel, kind, fields, onProgress = () => {}, { part = null, ...options } = {}) {
    const [from, to] = part ?? [0, 1], work = {}; // identifies the latest question of a channel
    this.busy.set(channel, { work, share: part && from, text: "" });
    this.redraw();
    const told = (message) => {
      const { share: own = null, text, compiling } = message;
      const share = own === null ? part && from : from + own * (to - from);
      const show = (shown) => this.busy.set(channel, { work, ...shown });
      if (compiling) show({ share: null, text: compilingWords(compiling) });
      else if (text !== undefined) show({ share, text });
      onProgress(message);
      this.redrawInTime();
    };
    const answer = await this.ask(kind, fields, { ...options, channel, onProgress: told });
    if (this.busy.get(channel)?.work === work) this.busy.delete(channel);
    this.redraw();
    return answer;
  }

  // The same about the position shown, once there is one; null if another is shown by the answer.
  async workHere(channel, kind, fields) {
    if (!this.hasGame) await this.begun;
    return this.work(channel, kind, fields, undefined, { isHere: true });
  }

  // Show an error below the board, until the next message, act or node. A sentence about another
  // cell of interest takes precedence.
  complain(message) { return this.tell("", message); }

  tell(notice, problem = "") {
    Object.assign(this, { notice, problem, toldAt: this.regarded });
    if (problem) this.told = null; // the toast would cover it
    say(notice || problem);
    this.redraw();
    return false;
  }

  hush() { Object.assign(this, { notice: "", problem: "" }); }

  click() {
    if (this.settings.sound) click();
  }

  set(name, value) {
    this.settings = { ...this.settings, [name]: value };
    // Other tabs may have changed other settings, and a link those of this page alone.
    remember("settings", { ...recall("settings", {}), [name]: value });
    if (this.hasGame) this.keep(); // the address contains the rotation
    this.redraw();
  }
}

let timer = null;

// Speak a sentence by a screen reader, after a moment, so that fast stepping does not flood it.
export function say(text) {
  clearTimeout(timer);
  timer = setTimeout(() => { document.getElementById("spoken").textContent = text; }, 150);
}

let audio = null;

// Play the sound of a stone: a short wooden click.
export function click() {
  audio ??= new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const now = audio.currentTime;
  tone.type = "triangle";
  tone.frequency.setValueAtTime(900, now);
  tone.frequency.exponentialRampToValueAtTime(200, now + 0.05);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
