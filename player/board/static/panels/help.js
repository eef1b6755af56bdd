// The help: the rules of Hex, the words, the keys, what a pointer does, and the move box.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";

const KEYS = [
  ["← →", "previous and next move, where the board has no focus by keys"],
  ["Space", "pause the search of Analyze, or resume it, where nothing has the focus by keys"],
  ["← → ↑ ↓", "on the board: along the row and the column"],
  ["Shift+↑ Shift+↓", "along the third direction"],
  ["Home End", "first and last move; on the board the ends of the row, with Ctrl of the board"],
  ["PageUp PageDown", "ends of the column"],
  ["Enter, Space", "play, or ask"],
  ["j k", "next and previous move"],
  ["n p", "before the next and the previous mistake"],
  ["f l", "first and last move"],
  ["[ ]", "previous and next turning point"],
  ["1 to 8", "what is shown"],
  ["a", "Ask mode on and off"],
  ["Ctrl+Z", "undo; with Shift, redo"],
  ["Esc", "back from a line of play, or from this page"],
  ["?", "this page, and back"],
];
const POINTING = [
  ["Wheel over the board", "previous and next move"],
  ["Long press on a cell", "the same as pointing at it with a mouse"],
  ["Right button or long press on a move", "its menu: delete it, or make it the main line"],
];
const WORDS = [
  ["Proved", "holds whatever the opponent does: by connections, or by a search to the end; "
    + "marked ■. Everything else is an estimate, marked ≈."],
  ["36 % (1,200)", "a move to play: its estimated chance to win, and how many simulations of the "
    + "search began with it. The most searched is first; a chance from few is uncertain."],
  ["Full connection", "joins two points even if the opponent moves first."],
  ["Semi connection", "joins them if its owner moves first, at its key (★)."],
  ["Carrier", "the empty cells that a connection needs, marked with dots. A move outside needs "
    + "no reply."],
  ["Must-play", "the cells, marked with rings, in which alone a move can hold against all that "
    + "is threatened."],
  ["Weak links", "cells on which much depends for both players, found by two electrical "
    + "circuits; an estimate."],
  ["Net", "how likely the net takes each move for the best one, before any search; an estimate."],
  ["Chances", "the chance to win after each move that was searched; the darker its cell, the more "
    + "simulations stand behind it. An estimate, but for ✓ and ✕: proved to win and to lose."],
  ["Swap map", "on an empty board: the first moves, marked with rings, that the second player "
    + "should take over."],
  ["Ask mode", "a click on a cell of a proof plays it for the opponent and shows the reply, move "
    + "after move; Esc returns."],
];
const BOX = [
  ["e9", "play there"], ["swap, pass, resign", "play that"], ["undo", "one move back"],
  ["hint", "a move to play"], ["who", "who is proved to win"],
  ["threat", "the must-play region"], ["why", "why the proof holds"],
];

export function helpPanel() {
  return html`<section><h2>Hex</h2><p>${name("black")} joins north and south, ${name("white")}
      joins west and east. Players take turns to place a stone; stones never move. Exactly one of
      the two succeeds. With the swap rule the second player may take over the first stone.</p>
    </section>
    <section><h2>Words</h2>${list(WORDS, (word) => word)}</section>
    <section><h2>Keys</h2>${list(KEYS, (keys) => html`<kbd>${keys}</kbd>`)}</section>
    <section><h2>Mouse and finger</h2>${list(POINTING, (acts) => acts)}</section>
    <section><h2>The move box</h2>${list(BOX, (words) => html`<kbd>${words}</kbd>`)}</section>`;
}

function list(rows, term) {
  return html`<dl>${rows.map(([what, meaning]) => html`<div><dt>${term(what)}</dt>
    <dd>${meaning}</dd></div>`)}</dl>`;
}
