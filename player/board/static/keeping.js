// Storing games: in the address, in this tab, among the last fifty; Back switches between them.

import { join, returnToSeat } from "./hidden.js";
import { packHistory, resumeHistory } from "./history.js";
import { inNames, name } from "./layers.js";
import { Recent, TAB, forget, isWhole, newKey, recall, remember } from "./memory.js";
import { packReview, packReviewing, resumeReview, resumeReviewing } from "./reviewing.js";
import { State } from "./state.js";
import { fromRecord, lineRecord, nodeAt, sizeOf, stepsTo, toRecord } from "./tree.js";

const WRITE_AFTER = 200, KEEP_AFTER = 400; // milliseconds
const ADDRESSES = 20; // former ones of a tab that are stored
const OTHERS = ["moves", "diagram", "hexboard"]; // stored for when the server is away
export const ON = "a game is on: end it first";
const PUZZLE_ON = "a puzzle is on: press Other puzzles first";

// The fragment of the address, decoded unless an escape in it is invalid.
function readFragment() {
  try {
    return decodeURIComponent(location.hash);
  } catch {
    return location.hash;
  }
}

const isReload = () => performance.getEntriesByType("navigation")[0]?.type === "reload";

export class Keeping extends State {
  constructor(draw) {
    super(draw);
    this.recent = new Recent();
    // Its key is stored while no page has it: a duplicate of a tab, which has the same storage,
    // gets another one.
    this.tabKey = recall("tab", newKey(), TAB);
    forget("tab", TAB);
    this.games = new Map(); // key: a game of this tab and its current node
    this.saved = []; // the contents of `recent`, when they were listed
    this.addresses = recall("addresses", [], TAB); // that this tab has replaced
    this.isStored = true; // whether this tab has stored the last act
  }

  // Begin with the invitation, else this tab's seat in a game of hidden stones, else its game,
  // else the game of the address, else that of the command line.
  async begin(welcome) {
    this.build = welcome.build;
    this.saved = await this.recent.all();
    if (this.seat !== null) { join(this, this.seat); return; }
    if (await returnToSeat(this)) return;
    await this.beginGame(welcome);
    resumeReview(this, recall("review", null, TAB));
    resumeReviewing(this, recall("reviewing", null, TAB));
    resumeHistory(this, recall("history", null, TAB));
    if (this.lost) this.complain(this.lost);
  }

  async beginGame(welcome) {
    const here = readFragment();
    const tab = recall("game", null, TAB), key = history.state?.key;
    // A move may change the address after a reload has begun. The reloaded page then has the
    // address of before, and no key.
    const isLate = isReload() && this.addresses.includes(here);
    const isHere = (one) => (key ? one.key === key
      : here === "" || one.fragment === here || isLate);
    const isOfTab = tab !== null && isWhole(tab) && isHere(tab);
    const isRead = here.length > 1;
    const kept = isOfTab ? tab : this.saved.find((saved) => saved.key === key)
      ?? this.saved.find(({ fragment }) => isRead && fragment === here);
    const read = isRead && !kept && (await this.ask("read", { text: here }))?.games[0];
    const session = recall("session", null, TAB);
    if (kept) {
      const isSame = kept === tab && session?.key === kept.key;
      // A place that was chosen meanwhile stays.
      if (isSame && this.mode === "analyze" && session.mode !== "dark") this.mode = session.mode;
      this.take(kept.record, { steps: kept.path, kept });
      if (isSame) this.resume(session);
    } else {
      if (read === undefined) this.lost = this.problem;
      const { game, warnings } = read || welcome;
      this.take(game, { warnings });
    }
  }

  // Put the game of a record on the board; `kept` is its stored entry, if it has one.
  // Show a game with comments from its start, any other at its end.
  take(record, options = {}) {
    const { steps = null, kept = null, warnings = [], ...rest } = options;
    const [, ...moves] = record.nodes;
    const { game, node } = fromRecord(record, !moves.some(({ comment }) => comment));
    Object.assign(game, { key: kept?.key ?? newKey(), stamp: kept?.stamp ?? null });
    if (kept?.end !== undefined) game.root.end = kept.end && nodeAt(game, kept.end);
    this.enter(game, steps === null ? node : nodeAt(game, steps), rest);
    const guess = `The turn is not given: ${name("black")} is assumed.`;
    this.notice = [...warnings.map(inNames), ...record.guessed ? [guess] : []].join(" ");
  }

  // Show a game; Back and Undo return to the one before.
  enter(game, place, { isPushed = true, isReviewed = false } = {}) {
    const before = this.game, isFirst = !this.hasGame, isLost = sizeOf(before) > 1;
    const change = () => {
      this.leaveGame();
      this.game = game;
      this.node = place;
      const state = { key: game.key };
      if (isFirst || !isPushed) history.replaceState(state, "");
      else history.pushState(state, "", "#");
      game.fragment ??= readFragment();
    };
    const kind = this.mode === "dark" ? "dark" : null; // its boards are one act
    if (isFirst) change();
    else this.history.act(this, "another game", change, kind);
    Object.assign(this, { hasGame: true, home: "a1", follow: null });
    this.prepareSave();
    if (isLost && !this.isFinal) this.showToast("Another game is on the board.");
    this.go(place, false);
    if (!isReviewed) this.fillGraph();
  }

  async listRecent() {
    await this.keepRecent();
    this.saved = await this.recent.all();
    this.redraw();
  }

  // Why the board keeps the game of this place while that is on.
  get isOn() { return this.mode === "puzzle" ? PUZZLE_ON : ON; }

  // Leave the place of puzzles, whose puzzle stays as it is.
  leavePuzzle() {
    if (this.mode === "puzzle") this.mode = "analyze";
  }

  // Store the game on the board and end its review, before another one replaces it.
  leaveGame() {
    if (!this.hasGame || this.game.key === undefined) return;
    this.server.cancel("review");
    this.games.set(this.game.key, { game: this.game, node: this.node });
    this.keepRecent();
  }

  // Follow Back and Forward to a game; read an address that was typed.
  async travel(state) {
    const address = readFragment(); // before another one is written
    this.offered = null; // Back answers a question about a typed address
    this.server.cancel("read"); // else a late answer would replace the entry that Back went to
    this.redraw();
    if (state === null) {
      const tab = recall("game", {}, TAB);
      if (address.length > 1 && address !== tab.fragment) this.readAddress(address);
      return;
    }
    if (state.key === this.game.key || !this.hasGame) return; // `begin` reads the state itself
    if (this.hidesMoves && this.mode !== "play") {
      history.pushState({ key: this.game.key }, "", "#");
      this.keep();
      this.complain(this.isOn);
      return;
    }
    const here = this.games.get(state.key), saved = here ? null : await this.recent.get(state.key);
    if (history.state?.key !== state.key) return; // the user went on
    if (!here && saved === null) { // a puzzle, an empty board or hidden stones
      this.readAddress(address);
      return;
    }
    this.leavePuzzle();
    if (here) this.enter(here.game, here.node, { isPushed: false });
    else this.take(saved.record, { steps: saved.path, kept: saved, isPushed: false });
    this.comeBack();
  }

  // Read an address; if it has no game, it becomes that of the game on the board.
  async readAddress(address) {
    const isGame = address.length > 1 || this.complain("That game is not stored.");
    if (!isGame || !await this.load(address, { isPushed: false })) this.keepAddress();
  }

  // Give the game on the board an address that was typed, or one whose game is not stored.
  keepAddress() {
    history.replaceState({ key: this.game.key }, "");
    this.keep();
  }

  // Store the game in the address, in this tab and among the recent games, once the user pauses,
  // because the analysis comes first. An act is stored in this tab before it is drawn.
  keep() {
    this.shared = null;
    this.written = { sgf: this.written.sgf }; // others are of one node
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keepNow(), KEEP_AFTER);
  }

  // Fetch the game as SGF, for when the server is away, after a pause: the analysis comes first.
  prepareSave() {
    this.told = null; // the button of the toast would undo this act
    this.isStored = false;
    this.written = {};
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.write(), WRITE_AFTER);
  }

  async write() {
    const { game } = this;
    if (!this.hasGame || game.isHidden) return;
    const fields = { game: toRecord(game), format: "sgf" };
    try {
      const { text, result } = await this.server.ask("write", fields, { channel: "text" });
      if (game === this.game) this.written = { ...this.written, sgf: text };
      game.result = result;
      this.redraw();
    } catch { /* the server is away, or a later act has asked */ }
  }

  // Hidden stones stay out of the address: the other player could go back to it.
  async keepNow() {
    const { game } = this;
    if (!this.hasGame || game.isHidden) return;
    this.rememberGame(); // the answer may be late
    const fields = { game: lineRecord(game, this.node), format: "hexworld", also: OTHERS,
      ...this.linkFlags() };
    try {
      const answer = await this.server.ask("write", fields, { channel: "address" });
      if (game !== this.game) return;
      this.written = { ...this.written, hexworld: answer.text, ...answer.also };
      this.addresses = [...this.addresses, readFragment()].slice(-ADDRESSES);
      history.replaceState({ key: game.key }, "", `#${answer.fragment}`);
      game.fragment = readFragment();
    } catch { /* the server is away, or a later call has asked */ }
    this.rememberGame();
    await this.keepRecent();
  }

  // The stored entry of the game: its record, its current node, and its address, which Back has
  // already replaced when the game is left.
  get entry() {
    const { key, stamp, fragment } = this.game;
    const { end = null } = this.game.root, endSteps = end === null ? [-1] : stepsTo(end);
    return { key, stamp, record: toRecord(this.game, true), path: stepsTo(this.node),
      end: endSteps.includes(-1) ? null : endSteps, fragment };
  }

  rememberGame(isLeft = false) {
    if (isLeft) remember("tab", this.tabKey, TAB);
    // Before the first game, the empty board would replace the stored one.
    if (!this.hasGame || this.game.isHidden) return;
    this.isStored = true;
    remember("game", this.entry, TAB);
    remember("addresses", this.addresses, TAB);
    remember("session", this.session, TAB);
    remember("review", packReview(this), TAB);
    remember("reviewing", packReviewing(this), TAB);
    remember("history", packHistory(this), TAB);
  }

  // Store the game among the recent ones, unless it is empty, a puzzle or has hidden stones.
  async keepRecent() {
    const { game } = this;
    if (!this.hasGame || sizeOf(game) < 2 || game.isHidden || game.isPuzzle) return;
    const { entry } = this, text = JSON.stringify([entry.record, entry.path, entry.fragment]);
    if (game.text === text) return;
    game.text = text;
    const keep = async () => {
      const { key, stamp } = game;
      Object.assign(game, await this.recent.keep({ ...entry, key, stamp, tab: this.tabKey }));
    };
    await (game.keeping = (game.keeping ?? Promise.resolve()).then(keep));
    if (game === this.game) history.replaceState({ key: game.key }, "");
  }

  linkFlags() {
    const { rotation, mirrored, numbers, redBlue } = this.settings;
    return { rotation: rotation || 10, mirrored, numbers, red_and_blue: redBlue };
  }
}
