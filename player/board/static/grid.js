// The board as an ARIA grid for mouse, touch, keyboard and screen reader: one element per cell.

import { html } from "./vendor/lit-html.js";
import { guard } from "./vendor/directives/guard.js";
import { cellName, columnAndRow, isCell } from "./tree.js";

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
  Object.assign(pressed, { cell: cellOf(event), stroke: null });
  if (event.pointerType !== "touch") return;
  pressed.isLong = false;
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

export function grid(shape, game, acts) {
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

// Move the focus, play, or hand the key to the app; leave other keys alone, and arrows too if the
// focus came by a click.
function handleKey(event, game, cell, { isByKey, onPlay, onKey }) {
  if (!isByKey() && IN_GAME.includes(event.key)) return;
  const isOther = event.ctrlKey && !["Home", "End"].includes(event.key);
  if (cell === null || isOther || event.altKey || event.metaKey) return;
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
