// What the page shows besides the game, and its questions to the server; `changed` draws it again.

import { Server, Unanswered, takeHello, takeSeat } from "./socket.js";
import { setNames } from "./layers.js";
import { click, say } from "./speech.js";
import { recall, remember } from "./memory.js";
import { emptyGame } from "./tree.js";

export const NO_PAIR = { ends: [], rows: null, shown: null };
const SETTINGS = {
  rotation: 0, mirrored: false, numbers: false, redBlue: true, coordinates: false, reviews: true,
  deepens: true, searches: true, letters: true, sound: false,
};
export const AWAY = "The server is away: "; // what is said until it is back
const SOON = 80; // milliseconds in which most answers come, and which nobody notices
const EACH = 100; // milliseconds between pictures of work under way

// What is said while kernels are compiled; how many by now, as "3 of 7", where that is known.
export function compilingWords(count) {
  const part = count === true ? "" : `, ${count} parts`;
  return `Getting ready for boards of this size, once${part} ...`;
}

export class State {
  constructor(draw) {
    this.draw = draw;
    this.status = "starting";
    this.refusal = "";
    Object.assign(this, {
      game: emptyGame(11), node: null, mode: "analyze", layer: "automatic", tab: "why",
      pointed: null, focused: null, home: "a1", asks: false, follow: null, pair: NO_PAIR,
      problem: "", notice: "", busy: new Map(), setupColor: "black", offered: null,
      isDrawn: true, levels: [], drawings: 0, hasGame: false, told: null, lineShown: null,
      kept: [], lost: "", arrowFrom: null, settling: null, isGiven: false, isGiving: false,
      isByPointer: false, modeBefore: "analyze",
    });
    this.node = this.game.root;
    this.settings = { ...SETTINGS, ...recall("settings", {}) };
    setNames(this.settings.redBlue);
    this.presses = new Map();
    this.begun = new Promise((resolve) => { this.hasBegun = resolve; });
    this.seat = takeSeat();
    this.server = new Server(takeHello(this.seat), (state, what) => this.onServer(state, what));
  }

  // Give the keyboard the board once it is drawn, for what had the focus may be gone by then; or
  // what a selector names.
  wantBoard() {
    this.isDrawerOpen = false; // or it is out of sight on a phone
    this.want(`[data-cell="${this.home}"]`);
  }

  want(selector) {
    this.wanted = selector;
    this.changed();
  }

  // Scroll to what a selector names, once it is drawn; the focus stays.
  wantInSight(selector) {
    this.wantedInSight = selector;
    this.changed();
  }

  // Draw once this task has come to its end, so that the next frame has only to paint; or in that
  // frame, if it comes first.
  changed() {
    if (!this.isDrawn) return;
    this.isDrawn = false;
    const draw = () => {
      if (this.isDrawn) return;
      this.isDrawn = true;
      this.drawings += 1;
      this.draw();
    };
    requestAnimationFrame(draw);
    setTimeout(draw);
  }

  // Draw in a moment, unless something else is drawn before: a new position and its analysis then
  // come in one picture, and nothing flickers. Until then the page is that of the position before.
  changedSoon() {
    const { drawings: before, settling } = this;
    setTimeout(() => {
      if (this.drawings === before || settling !== null) this.changed();
      if (this.settling === settling) this.settling = null; // else a later stone has its own time
    }, SOON);
  }

  // Draw how far long work has come: ten times a second, for the work needs the processor.
  changedInTime() {
    this.inTime ??= setTimeout(() => {
      this.inTime = undefined;
      this.changed();
    }, EACH);
  }

  // The server came, went, or does not want us.
  onServer(status, what) {
    const isFirst = this.status === "starting";
    this.status = status;
    if (status === "refused") this.refusal = what;
    if (status === "open") {
      this.levels = what.levels ?? [];
      this.isVisitor = Boolean(what.visitor); // one long question at a time
      if (isFirst) this.begin(what).finally(this.hasBegun);
      else this.goOn();
    }
    this.changed();
  }

  // Ask, and say what is wrong; null if there is no answer.
  async ask(kind, fields, options = {}) {
    if (["away", "refused"].includes(this.status)) {
      this.complain(`${AWAY}ask again once it is back.`);
      return null;
    }
    const found = await this.askQuietly(kind, fields, options);
    this.changed();
    return found;
  }

  // The same, and draw nothing: what is made of the answer does. `about`: the node that is asked
  // about; nothing is heard, nor what is wrong, once it has other stones. `isHere`: it is the one
  // that is shown, and nothing is heard either once another one is.
  async askQuietly(kind, fields, options = {}) {
    const { isHere = false, about = isHere ? this.node : null, onProgress, ...rest } = options;
    const state = about?.state;
    const isLate = () => about?.state !== state || isHere && about !== this.node;
    const hear = (told) => isLate() || onProgress?.(told);
    try {
      const found = await this.server.ask(kind, fields, { ...rest, onProgress: hear });
      return isLate() ? null : found;
    } catch (error) {
      if (!(error instanceof Unanswered || isLate())) this.complain(error.message);
      return null;
    }
  }

  // Ask for something that takes long, in a channel of its own, with its progress shown: from 0 to
  // 1, or as a part of something longer.
  async work(channel, kind, fields, onProgress = () => {}, { part = null, ...options } = {}) {
    const [from, to] = part ?? [0, 1], work = {}; // of a channel the last one is shown
    this.busy.set(channel, { work, share: part && from, text: "" });
    this.changed();
    const told = (message) => {
      const { share: own = null, text, compiling } = message;
      const share = own === null ? part && from : from + own * (to - from);
      const show = (shown) => this.busy.set(channel, { work, ...shown });
      if (compiling) show({ share: null, text: compilingWords(compiling) });
      else if (text !== undefined) show({ share, text });
      onProgress(message);
      this.changedInTime();
    };
    const found = await this.ask(kind, fields, { ...options, channel, onProgress: told });
    if (this.busy.get(channel)?.work === work) this.busy.delete(channel);
    this.changed();
    return found;
  }

  // The same about the position that is shown; null, too, if another one is by the answer.
  workHere(channel, kind, fields) {
    return this.work(channel, kind, fields, undefined, { isHere: true });
  }

  // Show a sentence below the board, until something else is said, done or shown. The answer to
  // another cell that is pointed at comes before it.
  complain(message) { return this.tell("", message); }

  tell(notice, problem = "") {
    Object.assign(this, { notice, problem, toldAt: this.regarded });
    if (problem) this.told = null; // what was done before lies over it
    say(notice || problem);
    this.changed();
    return false;
  }

  hush() { Object.assign(this, { notice: "", problem: "" }); }

  // The sound of a stone, for those who want it.
  click() {
    if (this.settings.sound) click();
  }

  set(name, value) {
    this.settings = { ...this.settings, [name]: value };
    remember("settings", this.settings);
    if (this.hasGame) this.keep(); // the address tells how the board lies
    this.changed();
  }
}
