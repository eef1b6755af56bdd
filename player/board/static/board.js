// The board of the page: its picture, the grid over it, its caption, and the board as text.

import { html } from "./vendor/lit-html.js";
import { guard } from "./vendor/directives/guard.js";
import { cellWords, name } from "./layers.js";
import { ACROSS, FLAT, bestRotation, layout, picture } from "./picture.js";
import { label, outcome } from "./stones.js";
import {
  OTHER, branchOf, cellName, cellsOf, columnAndRow, isCell, isGivenUp, moveOf,
} from "./tree.js";

const TARGET = 24.2; // pixels between cells that a finger needs
const REST = 171; // pixels that the tallest board of a phone leaves for the rest, as in style.css

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
function viewOf(app) {
  const marks = app.marks();
  let { stones } = app;
  let { last } = stones;
  if (app.follow !== null) {
    const step = app.follow.steps.at(-1);
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
  const isAsked = app.asks && app.onPress === undefined && app.mode !== "play";
  const isPlaced = !isAsked && !["setup", "solve"].includes(app.mode) && app.follow === null
    && !isBidFor(app) && (!app.game.isHidden || app.mode === "dark");
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
  const most = [height - REST, TARGET / ACROSS];
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
  const turn = outcome(app) ?? (isBidFor(app) ? "Both bid" : `${name(app.turn)} to move`);
  return `${turn}${moves ? last : ""}${branch}.`;
}

// Whether both players bid for the move, so nobody is to move.
const isBidFor = ({ mode, bids }) => mode === "bidding" && bids?.state?.mover === null
  && bids.state.winner === null;

// The board as text, and what its signs mean.
export function textBoard(app) {
  const { game, stones } = app;
  const marks = app.marks(), [black, white] = [name("black"), name("white")];
  const cells = cellsOf(game);
  const letters = cells.slice(0, game.columns).map(([letter]) => letter).join(" ");
  const sign = (cell) => {
    if (stones.black.has(cell)) return black[0];
    if (stones.white.has(cell)) return white[0];
    if (cell === marks.key) return "+";
    return marks.dots.has(cell) || marks.rings.has(cell) ? "*" : ".";
  };
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

// The board as an ARIA grid for mouse, touch, keyboard and screen reader: one element per cell.

const STEPS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  "Shift+ArrowUp": [1, -1], "Shift+ArrowDown": [-1, 1],
};
// Keys that step through the game or pause the search unless the focus came by keyboard.
const IN_GAME = ["ArrowLeft", "ArrowRight", "Home", "End", " "];

const LONG = 450; // milliseconds
const pressed = { timer: 0, isLong: false, cell: null, stroke: null };

const cellOf = (event) => event.target.closest("[data-cell]")?.dataset.cell ?? null;

// A long press of a finger points at the cell, as hovering does with a mouse; a short one plays.
function press(event, ask) {
  clearTimeout(pressed.timer); // of another finger
  Object.assign(pressed, { isLong: false, cell: cellOf(event), stroke: null });
  if (event.pointerType !== "touch") return;
  pressed.timer = setTimeout(() => { pressed.isLong = true; ask(); }, LONG);
}

function release() {
  clearTimeout(pressed.timer);
  pressed.cell = null;
}

// Point at a cell; with the button or a finger down, paint from where the stroke began.
function move(event, { onPoint, onPaint }) {
  const isTouch = event.pointerType === "touch";
  if (!isTouch) onPoint(cellOf(event));
  if (onPaint === null || pressed.cell === null || !(event.buttons & 1)) return;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const cell = under?.closest("[data-cell]")?.dataset.cell ?? null;
  if (cell === null || (cell === pressed.cell && pressed.stroke === null)) return;
  clearTimeout(pressed.timer);
  if (pressed.stroke === null) {
    pressed.stroke = Symbol("stroke");
    onPaint(pressed.cell, pressed.stroke);
  }
  if (cell !== pressed.cell) onPaint(cell, pressed.stroke);
  pressed.cell = cell;
}

function grid(shape, game, acts) {
  const { name, onPlay, onPoint, onLeave, onFocus } = acts;
  const rows = [...Array(game.rows).keys()];
  const click = (event) => {
    const cell = cellOf(event);
    if (pressed.isLong) pressed.isLong = false;
    else if (cell !== null && pressed.stroke === null) onPlay(cell, event.detail);
    pressed.stroke = null;
  };
  return html`
    <div class="grid ${isUpright(shape) ? "pointed" : "flat"}" role="grid" aria-label=${name}
      aria-rowcount=${game.rows} aria-colcount=${game.columns} @click=${click}
      @pointerdown=${(event) => press(event, () => onPoint(cellOf(event)))}
      @pointerup=${release} @pointercancel=${release}
      @contextmenu=${(event) => { if (pressed.isLong) event.preventDefault(); }}
      @pointermove=${(event) => move(event, acts)}
      @pointerleave=${onLeave}
      @focusin=${(event) => onFocus(cellOf(event), event.target.matches(":focus-visible"))}
      @focusout=${() => onFocus(null, false)}
      @keydown=${(event) => handleKey(event, game, cellOf(event), acts)}>
      ${rows.map((row) => gridRow(shape, game, row, acts))}
    </div>`;
}

function gridRow(shape, game, row, { words, focus }) {
  const columns = [...Array(game.columns).keys()];
  const gridCell = (column) => {
    const cell = cellName(column, row), said = words(cell), isFocus = cell === focus;
    return guard([shape, said, isFocus], () => html`<div role="gridcell" data-cell=${cell}
      aria-colindex=${column + 1} aria-label=${said} tabindex=${isFocus ? 0 : -1}
      .style=${placeOf(shape, cell)}></div>`);
  };
  return html`<div role="row" aria-rowindex=${row + 1}>${columns.map(gridCell)}</div>`;
}

// Whether the hexagons have a corner at the top.
function isUpright({ hexagon: [[x]] }) {
  return Math.abs(x) < 0.01 || Math.abs(Math.abs(x) - Math.sqrt(3) / 2) < 0.01;
}

function placeOf(shape, cell) {
  const sizes = isUpright(shape) ? [Math.sqrt(3), 2] : [2, Math.sqrt(3)];
  const width = sizes[0] / shape.width, height = sizes[1] / shape.height;
  const [x, y] = shape.centers.get(cell);
  const left = (x - shape.left) / shape.width - width / 2;
  const top = (y - shape.top) / shape.height - height / 2;
  return Object.entries({ left, top, width, height })
    .map(([name, part]) => `${name}:${(100 * part).toFixed(4)}%`).join(";");
}

// Whether a key is pressed with Alt, Control or Command. Many keyboards type brackets so.
export const isCommand = ({ key, altKey, ctrlKey, metaKey }) =>
  (altKey || ctrlKey || metaKey) && !(altKey && "[]".includes(key));

// Move the focus, play, or hand the key to the app; leave other keys alone, and arrows too if the
// focus came by a click.
function handleKey(event, game, cell, { isByKey, onPlay, onKey }) {
  if (!isByKey() && IN_GAME.includes(event.key)) return;
  const isJump = event.ctrlKey && ["Home", "End"].includes(event.key);
  if (cell === null || isCommand(event) && !isJump) return;
  const key = (event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key;
  const target = targetOf(key, event.ctrlKey, game, cell);
  if (target !== null) focusCell(event.currentTarget, target);
  else if (event.key === "Enter" || event.key === " ") onPlay(cell);
  else if (key in STEPS) event.preventDefault(); // at the rim
  else if (!onKey(event.key)) return;
  event.preventDefault();
}

function targetOf(key, isControl, game, cell) {
  const [column, row] = columnAndRow(cell);
  if (key in STEPS) {
    const [right, down] = STEPS[key];
    const name = cellName(column + right, row + down);
    return column + right >= 0 && row + down >= 0 && isCell(game, name) ? name : null;
  }
  if (key === "Home") return cellName(0, isControl ? 0 : row);
  if (key === "End") return cellName(game.columns - 1, isControl ? game.rows - 1 : row);
  if (key === "PageUp") return cellName(column, 0);
  if (key === "PageDown") return cellName(column, game.rows - 1);
  return null;
}

function focusCell(root, cell) {
  root.querySelector(`[data-cell="${cell}"]`)?.focus();
}
