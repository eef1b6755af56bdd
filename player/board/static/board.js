// The board of the page: its picture, the grid over it, its caption, and the board as text.

import { html } from "./vendor/lit-html.js";
import { ACROSS, FLAT, bestRotation, layout } from "./geometry.js";
import { grid } from "./grid.js";
import { cellWords, name } from "./layers.js";
import { picture } from "./picture.js";
import { label, outcome } from "./stones.js";
import { OTHER, branchOf, cellsOf, isCell, isGivenUp, moveOf } from "./tree.js";

const TARGET = 24.2; // pixels between cells that a finger needs
const LEFT = 171; // pixels that the tallest board of a phone leaves for the rest, as in style.css

export function boardView(app) {
  const { game } = app;
  const shape = shapeOf(app);
  const view = viewOf(app);
  const size = `aspect-ratio:${shape.width}/${shape.height};`
    + `--ratio:${(shape.width / shape.height).toFixed(4)};`
    + `--least:${(shape.width * TARGET / ACROSS).toFixed(1)}px`;
  const acts = {
    onPlay: (cell, clicks) => app.press(cell, clicks), onPoint: (cell) => app.point(cell),
    onPaint: app.mode === "setup" ? (cell, stroke) => app.paint(cell, stroke) : null,
    onLeave: () => app.point(null),
    onFocus: (cell, isByKey) => app.focus(cell, isByKey), onKey: (key) => app.pressKey(key),
  };
  return html`
    <div class="board-room"><p class="standing">${standing(app)}</p>
    <div class="board" data-looking=${app.isLooking} .style=${size}>
      ${picture(shape, view)}
      ${grid(shape, game, { words: (cell) => cellWords(cell, view), focus: view.home,
        name: nameOfBoard(app), isByKey: () => app.isByKey && (!app.isGiven || app.hidesMoves),
        ...acts })}
    </div>
    </div>`;
}

function nameOfBoard(app) {
  const { columns, rows } = app.game;
  return `Hex board, ${columns} by ${rows}. `
    + `${name("black")} joins north and south, ${name("white")} west and east. `
    + `${outcome(app) ?? (isBidFor(app) ? "Both bid" : `${name(app.turn)} is to move`)}.`;
}

// A sentence whose cell names pulse the cells on the board while they are under the pointer.
export function withCells(app, text) {
  return text.split(/\b([a-s][1-9][0-9]?)\b/).map((part, place) => (
    place % 2 && isCell(app.game, part)
      ? html`<span class="cell-name" data-at=${part}>${part}</span>` : part));
}

// What to draw: the stones of the game, or of a walk down a proof, with all marks.
export function viewOf(app) {
  const marks = app.marks();
  let { stones } = app;
  let { last } = stones;
  if (app.follow !== null) {
    const step = app.follow.steps[app.follow.steps.length - 1];
    stones = { black: new Set(step.black), white: new Set(step.white) };
    last = step.reply;
  }
  addGhosts(app, marks, stones);
  return {
    stones, last, marks, found: app.found, why: app.why, own: app.node.marks ?? [],
    layer: { solve: "solve", bidding: "bids" }[app.mode] ?? app.visible,
    turn: outcome(app) === null && !isBidFor(app) ? app.turn : null, pulsed: app.pulsed,
    settings: app.settings, numbers: app.stones.numbers,
    focus: app.isByKey ? app.focused : null, home: app.home,
  };
}

// Add ghosts: the numbered stones of a line that is shown, else the stone that a click places.
function addGhosts(app, marks, stones) {
  const isFree = (cell) => cell !== null && !stones.black.has(cell) && !stones.white.has(cell);
  const isPlaced = !app.asks && !["setup", "solve"].includes(app.mode) && app.follow === null
    && !isBidFor(app);
  if (app.lineShown !== null) {
    app.lineShown.forEach((cell, place) => {
      if (!isFree(cell)) return;
      marks.ghosts.set(cell, place % 2 ? OTHER[app.turn] : app.turn);
      if (app.lineShown.length > 1) marks.order.set(cell, place + 1);
    });
  } else if (isFree(app.pointed) && isPlaced && !marks.ghosts.has(app.pointed)) {
    marks.ghosts.set(app.pointed, app.turn);
  }
}

export function shapeOf(app) {
  const { columns, rows } = app.game, { rotation, mirrored } = app.settings;
  const width = document.documentElement.clientWidth, height = window.innerHeight;
  const isWide = width >= 900 || width > height;
  const room = [width - (isWide ? 400 : 8), Math.max(320, height - (isWide ? 130 : 280))];
  const most = [height - LEFT, TARGET / ACROSS];
  const turned = rotation || (isWide ? FLAT : bestRotation(columns, rows, ...room, ...most));
  const key = [columns, rows, turned, mirrored].join();
  if (app.shape?.key !== key) app.shape = { key, ...layout(columns, rows, turned, mirrored) };
  return app.shape;
}

function standing(app) {
  const { moves } = app.node.state, moved = moveOf(app.node);
  const isNews = moved.move !== null && !isGivenUp(moved);
  const last = isNews ? `, after ${label(moved)}` : "";
  const branch = branchOf(app.node) === null ? "" : ", in a variation";
  const bids = app.mode === "bidding" ? app.bids?.state : null;
  const turn = outcome(app) ?? (bids?.winner ? `${name(bids.winner)} has won`
    : isBidFor(app) ? "Both bid" : `${name(app.turn)} to move`);
  return `${turn}${moves ? last : ""}${branch}.`;
}

// Whether both players bid for the move, so nobody is to move.
const isBidFor = ({ mode, bids }) => mode === "bidding" && bids?.state?.mover === null
  && bids.state.winner === null;

// The board as text, and what its signs mean.
export function textBoard(app) {
  const { game, stones } = app;
  const marks = app.marks(), [black, white] = [name("black"), name("white")];
  const columns = [...Array(game.columns).keys()];
  const letters = columns.map((column) => String.fromCharCode(97 + column)).join(" ");
  const sign = (cell) => {
    if (stones.black.has(cell)) return black[0];
    if (stones.white.has(cell)) return white[0];
    if (cell === marks.key) return "+";
    return marks.dots.has(cell) || marks.rings.has(cell) ? "*" : ".";
  };
  const cells = cellsOf(game);
  const rows = [...Array(game.rows).keys()].map((row) => {
    const signs = cells.slice(row * game.columns, (row + 1) * game.columns).map(sign).join(" ");
    return `${" ".repeat(row)}${String(row + 1).padStart(2)} ${signs}  ${row + 1}`;
  });
  const text = [`   ${letters}`, ...rows, `${" ".repeat(game.rows + 3)}${letters}`].join("\n");
  const has = (wanted) => rows.some((row) => row.includes(wanted));
  const what = { proof: "a cell of the proof", mustplay: "a move that can hold",
    openings: "a first move to swap", connections: "a cell of a connection" }[app.visible];
  const signs = [`${black[0]} ${black}`, `${white[0]} ${white}`, ". an empty cell",
    ...has("+") ? ["+ the key, where it starts"] : [],
    ...has("*") ? [`* ${what ?? "a mark"}`] : []];
  return { text, signs: `Signs: ${signs.join(", ")}.` };
}
