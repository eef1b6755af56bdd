// What the page shows besides the game, and its questions to the server; `changed` draws it again.

import { Server, Unanswered, takeHello, takeSeat } from "./socket.js";
import { say } from "./speech.js";
import { recall, remember } from "./memory.js";
import { emptyGame } from "./tree.js";

export const NO_PAIR = { ends: [], rows: null, shown: null };

export class State {
  constructor(draw) {
    this.draw = draw;
    this.status = "starting";
    this.refusal = "";
    Object.assign(this, { game: emptyGame(11), node: null, mode: "analyze", layer: "automatic",
      pointed: null, focused: null, home: "a1", asks: false, follow: null, pair: NO_PAIR,
      problem: "", notice: "", busy: new Map(), setupColor: "black", offered: null, isDrawn: true, hasGame: false });
    this.node = this.game.root;
    this.settings = { rotation: 0, mirrored: false, numbers: false, redBlue: false, coordinates: false,
      ...recall("settings", {}) };
    this.kept = [];
    this.presses = new Map();
    this.seat = takeSeat();
    this.server = new Server(takeHello(), (state, what) => this.onServer(state, what));
  }

  // Give the keyboard the board once it is drawn, for what had the focus may be gone by then.
  wantBoard() {
    this.isBoardWanted = true;
    this.changed();
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

  complain(message) {
    this.problem = message;
    say(message);
    this.changed();
    return false;
  }

  set(name, value) {
    this.settings = { ...this.settings, [name]: value };
    remember("settings", this.settings);
    this.changed();
  }
}
