// The socket to the server: questions with ids, progress, cancel, and reconnection.

import { inNames } from "./layers.js";
import { TAB, keyOf, recall, recallText, rememberText } from "./memory.js";

const VERBATIM = new Set(["read", "write", "shipped", "prove"]); // answers with texts of files
const TOKEN = "token";
const REFUSED = 4401, TOO_MANY = 4429;
const LONGEST_WAIT = 5000;

// A question has no answer: it was canceled, or the server is away.
export class Unanswered extends Error {}

// The first message, with the key of this page. Remove the key from the address, where others may
// see it. The token is stored for later visits; a ticket is valid once. A guest has the invitation
// instead, and later the key of the seat.
export function takeHello(invitation) {
  if (invitation !== null) return { invitation };
  const seat = recall("dark", {}, TAB);
  if (seat.isGuest) return helloOf(seat);
  const address = new URL(location.href);
  const token = address.searchParams.get("token"), ticket = address.searchParams.get("ticket");
  if (token !== null) rememberText(TOKEN, token);
  if (token !== null || ticket !== null) clean(address, "token", "ticket");
  return ticket === null ? { token: token ?? recallText(TOKEN) ?? "" } : { ticket };
}

export const helloOf = ({ game, keys }) => ({ game, key: Object.values(keys)[0] });

// Take an invitation to a game of hidden stones out of the address; null if there is none, or if
// this tab has sent it: the host would lose their own seat.
export function takeSeat() {
  const address = new URL(location.href), seat = address.searchParams.get("seat");
  if (seat !== null) clean(address, "seat");
  return seat === recall("dark", {}, TAB).invitation ? null : seat;
}

function clean(address, ...names) {
  names.forEach((name) => address.searchParams.delete(name));
  history.replaceState(null, "", address);
}

export class Server {
  // `onState` receives "open" with the welcome, "away", and "refused" with the reason.
  constructor(hello, onState) {
    this.hello = hello;
    this.onState = onState;
    this.waiting = new Map(); // id: a question without an answer yet
    this.channels = new Map(); // channel: { id, next }
    this.lastId = 0;
    this.pause = 250; // milliseconds before the next try
    this.retry = undefined; // its timer
    this.sent = hello; // the last one sent
    this.connect();
  }

  // Ignore the events of an earlier socket.
  connect() {
    clearTimeout(this.retry);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    const own = (hear) => (event) => { if (socket === this.socket) hear(event); };
    this.socket = socket;
    socket.onopen = own(() => {
      this.sent = this.hello;
      socket.send(JSON.stringify(this.sent));
    });
    socket.onmessage = own((event) => this.receive(JSON.parse(event.data)));
    socket.onclose = own((event) => this.onClose(event));
  }

  // Store the token that the server gave for a ticket, which is used up.
  keep(token) {
    this.hello = { token };
    rememberText(TOKEN, token);
  }

  // Another tab has stored the token of a restarted server: use it.
  hear({ key, newValue }) {
    const isNews = key === keyOf(TOKEN) && newValue !== null && newValue !== this.hello.token;
    if (this.isGuest || !isNews) return;
    this.hello = { token: newValue };
    if (this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  onClose(event) {
    for (const { next } of this.channels.values()) next?.reject(new Unanswered());
    for (const question of this.waiting.values()) question.reject(new Unanswered());
    this.waiting.clear();
    this.channels.clear();
    const isOutdated = this.sent !== this.hello; // another tab has stored a token meanwhile
    if (event.code === REFUSED && isOutdated) { this.connect(); return; }
    if (event.code === REFUSED || event.code === TOO_MANY) {
      this.onState("refused", event.code === TOO_MANY ? event.reason : this.hello.invitation
        ? "Somebody has used this invitation, or its game is over: ask for another one."
        : this.hello.key ? "This game is over, or the server was started anew: ask for another "
          + "invitation."
        : this.hello.token === "" && recall("guest", false, TAB)
          ? "You have left the game: this page may be closed."
        : this.hello.token === "" ? "Open the address that hsearch board has printed: it has the "
          + "key that this page needs."
        : "The server was started anew: open the address that hsearch board has printed, in any "
          + "tab. This page then continues; its game is kept.");
      return;
    }
    this.onState("away");
    this.retry = setTimeout(() => this.connect(), this.pause);
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
    if (question === undefined) return; // it was canceled
    if (message.kind === "progress") {
      if (!question.isStale) question.onProgress(inNames(message));
      return;
    }
    this.waiting.delete(message.id);
    if (question.isStale || message.kind === "cancelled") {
      question.reject(new Unanswered());
    } else if (message.kind === "error") question.reject(new Error(inNames(message.message)));
    else question.resolve(VERBATIM.has(question.kind) ? message.answer : inNames(message.answer));
    this.askNext(question.channel);
  }

  // Ask a question; return a promise of its answer. A channel has one question at a time: a newer
  // one cancels it and waits for its end, and replaces any other that waits.
  ask(kind, fields, { channel = null, onProgress = () => {} } = {}) {
    return new Promise((resolve, reject) => {
      const question = { kind, fields, channel, onProgress, resolve, reject, isStale: false };
      const busy = this.channels.get(channel); // none for null
      this.cancel(channel);
      if (busy === undefined) this.send(question);
      else busy.next = question;
    });
  }

  cancel(channel) {
    const busy = this.channels.get(channel);
    if (busy === undefined) return;
    busy.next?.reject(new Unanswered());
    busy.next = undefined;
    const question = this.waiting.get(busy.id);
    if (question.isStale) return;
    question.isStale = true;
    this.sendCancel(busy.id);
  }

  // Let the question of a channel stop early and answer with what it has.
  finish(channel) {
    const busy = this.channels.get(channel);
    if (busy !== undefined) this.sendCancel(busy.id);
  }

  sendCancel(job) {
    this.socket.send(JSON.stringify({ id: ++this.lastId, kind: "cancel", job }));
  }

  send(question) {
    const isRefused = this.isGuest && !question.kind.startsWith("dark-"); // not about its seat
    if (isRefused || this.socket.readyState !== WebSocket.OPEN) {
      question.reject(new Unanswered());
      return;
    }
    const id = ++this.lastId;
    this.waiting.set(id, question);
    if (question.channel !== null) this.channels.set(question.channel, { id, next: undefined });
    this.socket.send(JSON.stringify({ id, kind: question.kind, ...question.fields }));
  }

  askNext(channel) {
    const next = this.channels.get(channel)?.next;
    this.channels.delete(channel);
    if (next !== undefined) this.send(next);
  }
}
