// The board of the page: the picture, the grid over it, the sentence below it, and a text board.

import { html } from "./vendor/lit-html.js";
import { FLAT, bestRotation, layout } from "./geometry.js";
import { grid } from "./grid.js";
import { cellWords, name } from "./layers.js";
import { picture } from "./picture.js";
import { label } from "./stones.js";
import { branchOf, cellsOf } from "./tree.js";

export function boardView(app) {
  const { game } = app;
  const shape = shapeOf(app);
  const view = viewOf(app);
  const named = `Hex board, ${game.columns} by ${game.rows}. Black joins north and south, White west and east. `
    + `${outcome(app) ?? `${name(app.turn)} is to move`}.`;
  return html`
    <p class="standing">${standing(app)}</p>
    <div class="board" .style=${`aspect-ratio:${shape.width}/${shape.height};--ratio:${(shape.width / shape.height).toFixed(4)};max-width:${Math.round(46 * shape.width)}px`}>
      ${picture(shape, view)}
      ${grid(shape, game, { words: (cell) => cellWords(cell, view), focus: view.home, name: named,
        onPlay: (cell) => app.press(cell), onPoint: (cell) => app.point(cell), onLeave: () => app.point(null),
        onFocus: (cell, isByKey) => app.focus(cell, isByKey), onKey: (key) => app.key(key) })}
    </div>
    <p class="reply-line" aria-hidden="true">${app.replyLine() || "\u00a0"}</p>
    <details class="text-board"><summary>Board as text</summary><pre>${textBoard(app)}</pre></details>`;
}

// What is drawn: the game's stones, or those of a line of play through a proof.
export function viewOf(app) {
  const marks = app.marks();
  let { stones } = app;
  let { last } = stones;
  if (app.follow !== null) {
    const step = app.follow.steps[app.follow.steps.length - 1];
    stones = { black: new Set(step.black), white: new Set(step.white) };
    last = step.reply;
  }
  return { stones, last, marks, layer: app.mode === "solve" ? "solve" : app.mode === "bidding" ? "bids" : app.visible, found: app.found, why: app.why, own: app.node.marks ?? [],
    settings: app.settings, numbers: app.stones.numbers, focus: app.isByKey ? app.focused : null, home: app.home };
}

export function shapeOf(app) {
  const { columns, rows } = app.game, { rotation, mirrored } = app.settings;
  const width = document.documentElement.clientWidth;
  const isWide = width >= 900;
  const room = [isWide ? width - 400 : width - 16, Math.max(320, window.innerHeight - (isWide ? 190 : 220))];
  const turned = rotation || (isWide ? FLAT : bestRotation(columns, rows, ...room));
  const key = [columns, rows, turned, mirrored].join();
  if (app.shape?.key !== key) app.shape = { key, ...layout(columns, rows, turned, mirrored) };
  return app.shape;
}

function standing(app) {
  const moves = app.stones.moves;
  const last = [null, "resign", "forfeit"].includes(app.node.move) ? "" : `, after ${label(app.node)}`;
  const branch = branchOf(app.node) === null ? "" : ", in a variation";
  const turn = outcome(app) ?? `${name(app.turn)} to move`;
  return `${turn}${moves ? last : ""}${branch}.`;
}

// How the game has ended here; null if it has not.
function outcome(app) {
  if (app.node.move === "resign") return `${name(app.node.color)} resigned`;
  if (app.node.move === "forfeit") return `${name(app.node.color)} forfeited`;
  return app.found?.analysis.proof === "chain" ? `${name(app.found.analysis.winner)} has won` : null;
}

function textBoard(app) {
  const { game, stones } = app;
  const marks = app.marks();
  const letters = [...Array(game.columns).keys()].map((column) => String.fromCharCode(97 + column)).join(" ");
  const sign = (cell) => {
    if (stones.black.has(cell)) return "B";
    if (stones.white.has(cell)) return "W";
    if (cell === marks.key) return "+";
    return marks.dots.has(cell) || marks.rings.has(cell) ? "*" : ".";
  };
  const cells = cellsOf(game);
  const rows = [...Array(game.rows).keys()].map((row) => {
    const signs = cells.slice(row * game.columns, (row + 1) * game.columns).map(sign).join(" ");
    return `${" ".repeat(row)}${String(row + 1).padStart(2)} ${signs}  ${row + 1}`;
  });
  return [`   ${letters}`, ...rows, `${" ".repeat(game.rows + 3)}${letters}`].join("\n");
}
