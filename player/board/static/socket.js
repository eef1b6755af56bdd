// One socket to the server: questions with ids, progress, cancel, and coming back after a break.

import { inNames } from "./layers.js";
import { recall } from "./memory.js";

const VERBATIM = new Set(["read", "write", "shipped", "prove"]); // texts of files
const TOKEN = "hsearch.token";
const REFUSED = 4401, TOO_MANY = 4429;
const LONGEST_WAIT = 5000;
const AWAY = "the server is away";

// Why a question has no answer: it was given up, or the server is away.
export class Unanswered extends Error {}

// What lets this page in. It is taken out of the address, where it may be seen; the token is
// kept for later visits, a ticket is good for one. Who was invited to a seat comes by that alone,
// and again by the key of the seat.
export function takeHello(invitation) {
  if (invitation !== null) return { invitation };
  const seat = recall("dark", {}, sessionStorage);
  if (seat.isGuest) return helloOf(seat);
  const address = new URL(location.href);
  const token = address.searchParams.get("token"), ticket = address.searchParams.get("ticket");
  if (token !== null) localStorage.setItem(TOKEN, token);
  if (token !== null || ticket !== null) clean(address, "token", "ticket");
  return ticket === null ? { token: localStorage.getItem(TOKEN) ?? "" } : { ticket };
}

export const helloOf = ({ game, keys }) => ({ game, key: Object.values(keys)[0] });

// Take an invitation to a game of hidden stones out of the address; null if there is none.
export function takeSeat() {
  const address = new URL(location.href), seat = address.searchParams.get("seat");
  if (seat !== null) clean(address, "seat");
  return seat;
}

function clean(address, ...names) {
  names.forEach((name) => address.searchParams.delete(name));
  history.replaceState(null, "", address);
}

export class Server {
  // `onState` hears "open" with the welcome, "away" and "refused" with why.
  constructor(hello, onState) {
    this.hello = hello;
    this.onState = onState;
    this.waiting = new Map(); // id: the question under way
    this.channels = new Map(); // channel: { id, next }
    this.lastId = 0;
    this.pause = 250;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.hello));
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) => this.closed(event);
  }

  // A ticket is used up; the token that came for it is for all later visits.
  keep(token) {
    this.hello = { token };
    localStorage.setItem(TOKEN, token);
  }

  // The address of a server that was started anew was opened in another tab: use its token.
  hear({ key, newValue }) {
    const isNews = key === TOKEN && newValue !== null && newValue !== this.hello.token;
    if (this.isGuest || !isNews) return;
    this.hello = { token: newValue };
    if (this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  closed(event) {
    for (const question of this.waiting.values()) question.reject(new Unanswered(AWAY));
    this.waiting.clear();
    this.channels.clear();
    if (event.code === REFUSED || event.code === TOO_MANY) {
      this.onState("refused", event.code === TOO_MANY ? event.reason : this.hello.invitation
        ? "Somebody has used this invitation, or its game is over: ask for another one."
        : this.hello.token === "" ? "Open the address that hsearch board has printed: it has the "
          + "key that this page needs."
        : "The server was started anew: open the address that hsearch board has printed, in any "
          + "tab. This page then goes on; its game is kept.");
      return;
    }
    this.onState("away");
    setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_WAIT);
  }

  receive(message) {
    if (message.kind === "welcome") {
      this.pause = 250;
      this.isGuest = Boolean(message.guest);
      if (this.hello.ticket !== undefined && message.token !== undefined) this.keep(message.token);
      this.onState("open", message);
      return;
    }
    const question = this.waiting.get(message.id);
    if (question === undefined) return; // it was given up
    if (message.kind === "progress") {
      if (!question.isStale) question.onProgress(inNames(message));
      return;
    }
    this.waiting.delete(message.id);
    if (question.isStale || message.kind === "cancelled") {
      question.reject(new Unanswered("given up"));
    } else if (message.kind === "error") question.reject(new Error(inNames(message.message)));
    else question.resolve(VERBATIM.has(question.kind) ? message.answer : inNames(message.answer));
    this.goOn(question.channel);
  }

  // Ask one question; its answer is a promise. Of a channel only the newest question is of
  // interest: it waits for the one under way, which is asked to stop, and takes the place of any
  // other that waits.
  ask(kind, fields, { channel = null, onProgress = () => {} } = {}) {
    return new Promise((resolve, reject) => {
      const question = { kind, fields, channel, onProgress, resolve, reject, isStale: false };
      const busy = channel === null ? undefined : this.channels.get(channel);
      if (busy === undefined) {
        this.send(question);
        return;
      }
      busy.next?.reject(new Unanswered("given up"));
      busy.next = question;
      this.stop(busy.id);
    });
  }

  // Give up what a channel is working on.
  cancel(channel) {
    const busy = this.channels.get(channel);
    if (busy === undefined) return;
    busy.next?.reject(new Unanswered("given up"));
    busy.next = undefined;
    this.stop(busy.id);
  }

  // Let a channel stop early and answer what it has by then.
  finish(channel) {
    const busy = this.channels.get(channel);
    if (busy !== undefined) this.sendCancel(busy.id);
  }

  stop(id) {
    const question = this.waiting.get(id);
    if (question === undefined || question.isStale) return;
    question.isStale = true;
    this.sendCancel(id);
  }

  sendCancel(job) {
    this.socket.send(JSON.stringify({ id: ++this.lastId, kind: "cancel", job }));
  }

  send(question) {
    if (this.socket.readyState !== WebSocket.OPEN) {
      question.reject(new Unanswered(AWAY));
      return;
    }
    if (this.isGuest && !question.kind.startsWith("dark-")) {
      question.reject(new Unanswered("a guest asks about the seat alone"));
      return;
    }
    const id = ++this.lastId;
    this.waiting.set(id, question);
    if (question.channel !== null) this.channels.set(question.channel, { id, next: undefined });
    this.socket.send(JSON.stringify({ id, kind: question.kind, ...question.fields }));
  }

  goOn(channel) {
    if (channel === null) return;
    const next = this.channels.get(channel)?.next;
    this.channels.delete(channel);
    if (next !== undefined) this.send(next);
  }
}
