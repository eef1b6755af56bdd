// The board as a grid that eye, keyboard, touch and screen reader share: one element a cell.

import { html } from "./vendor/lit-html.js";
import { guard } from "./vendor/directives/guard.js";
import { cellName, columnAndRow, isCell } from "./tree.js";

const STEPS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  "Shift+ArrowUp": [1, -1], "Shift+ArrowDown": [-1, 1],
};

const LONG = 450; // milliseconds
const pressed = { timer: 0, isLong: false };

// A long press of a finger asks, as pointing does with a mouse; a short one plays.
function press(event, ask) {
  if (event.pointerType !== "touch") return;
  pressed.isLong = false;
  pressed.timer = setTimeout(() => { pressed.isLong = true; ask(); }, LONG);
}

function release() {
  clearTimeout(pressed.timer);
}

export function grid(shape, game, { words, focus, name, isByKey, onPlay, onPoint, onLeave, onKey, onFocus }) {
  const isUpright = Math.abs(shape.hexagon[0][0]) < 0.01 || Math.abs(Math.abs(shape.hexagon[0][0]) - Math.sqrt(3) / 2) < 0.01;
  const width = (isUpright ? Math.sqrt(3) : 2) / shape.width, height = (isUpright ? 2 : Math.sqrt(3)) / shape.height;
  const rows = [...Array(game.rows).keys()], columns = [...Array(game.columns).keys()];
  const style = (cell) => {
    const [x, y] = shape.centers.get(cell);
    const left = (x - shape.left) / shape.width - width / 2, top = (y - shape.top) / shape.height - height / 2;
    const per = (part) => `${(100 * part).toFixed(4)}%`;
    return `left:${per(left)};top:${per(top)};width:${per(width)};height:${per(height)}`;
  };
  const cellOf = (event) => event.target.closest("[data-cell]")?.dataset.cell ?? null;
  return html`
    <div class="grid ${isUpright ? "pointed" : "flat"}" role="grid" aria-label=${name}
      aria-rowcount=${game.rows} aria-colcount=${game.columns}
      @click=${(event) => {
        const cell = cellOf(event);
        if (pressed.isLong) pressed.isLong = false;
        else if (cell !== null) onPlay(cell);
      }}
      @pointerdown=${(event) => press(event, () => onPoint(cellOf(event)))} @pointerup=${release} @pointercancel=${release}
      @contextmenu=${(event) => { if (pressed.isLong) event.preventDefault(); }}
      @pointermove=${(event) => { if (event.pointerType !== "touch") onPoint(cellOf(event)); }}
      @pointerleave=${onLeave}
      @focusin=${(event) => onFocus(cellOf(event), event.target.matches(":focus-visible"))}
      @focusout=${() => onFocus(null, false)}
      @keydown=${(event) => keyed(event, game, cellOf(event), { isByKey, onPlay, onKey })}>
      ${rows.map((row) => html`<div role="row" aria-rowindex=${row + 1}>
        ${columns.map((column) => {
          const cell = cellName(column, row), said = words(cell), isFocus = cell === focus;
          return guard([shape, said, isFocus], () => html`<div role="gridcell" data-cell=${cell} aria-colindex=${column + 1}
            aria-label=${said} tabindex=${isFocus ? 0 : -1} .style=${style(cell)}></div>`);
        })}</div>`)}
    </div>`;
}

// Move the focus, play, or hand the key on; what is not for the board passes through, as arrows
// do where the focus came by a click.
function keyed(event, game, cell, { isByKey, onPlay, onKey }) {
  if (!isByKey && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
  if (cell === null || event.ctrlKey && !["Home", "End"].includes(event.key) || event.altKey || event.metaKey) return;
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

export function focusCell(root, cell) {
  root.querySelector(`[data-cell="${cell}"]`)?.focus();
}
