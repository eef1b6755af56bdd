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
      kept: [], arrowFrom: null, settling: null, isGiven: false, isGiving: false,
      isByPointer: false,
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
  wantBoard() { this.want(`[data-cell="${this.home}"]`); }

  want(selector) {
    this.wanted = selector;
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
    const before = this.drawings;
    setTimeout(() => {
      if (this.drawings === before || this.settling !== null) this.changed();
      this.settling = null;
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
      if (isFirst) this.begin(what).finally(this.hasBegun);
      else this.look();
    }
    this.changed();
  }

  // Ask, and say what is wrong; null if there is no answer.
  async ask(kind, fields, options = {}) {
    const found = await this.askQuietly(kind, fields, options);
    this.changed();
    return found;
  }

  // The same, and draw nothing: what is made of the answer does.
  async askQuietly(kind, fields, options = {}) {
    try {
      return await this.server.ask(kind, fields, options);
    } catch (error) {
      if (error instanceof Unanswered) return null;
      this.complain(error.message);
      return null;
    }
  }

  // Ask for something that takes long, in a channel of its own, with its progress shown.
  async work(channel, kind, fields, onProgress = () => {}) {
    this.busy.set(channel, { share: null, text: "" });
    this.changed();
    const told = (message) => {
      const { share = null, text, compiling } = message;
      if (compiling) this.busy.set(channel, { share: null, text: compilingWords(compiling) });
      else if (text !== undefined) this.busy.set(channel, { share, text });
      onProgress(message);
      this.changedInTime();
    };
    const found = await this.ask(kind, fields, { channel, onProgress: told });
    this.busy.delete(channel);
    this.changed();
    return found;
  }

  complain(message) {
    this.problem = message;
    this.notice = "";
    say(message);
    this.changed();
    return false;
  }

  // The sound of a stone, for those who want it.
  click() {
    if (this.settings.sound) click();
  }

  set(name, value) {
    this.settings = { ...this.settings, [name]: value };
    remember("settings", this.settings);
    this.changed();
  }
}
