// The board as a picture. It is hidden from screen readers: the grid above it says the same.
//
// What lies still, the cells and edges, is a picture of its own, so that a browser need not paint
// it again; of what lies on a cell only that is drawn again which has changed.

import { html, svg } from "./vendor/lit-html.js";
import { guard } from "./vendor/directives/guard.js";
import { FLAT, distance, layout, nearest, points, sum } from "./geometry.js";

const EDGE_COLOR = { north: "black", south: "black", west: "white", east: "white" };

export function picture(shape, view) {
  const { marks, own, settings, focus, stones } = view;
  const { left, top, width, height, centers } = shape;
  const box = `${left} ${top} ${width} ${height}`;
  return html`
    ${guard([shape], () => ground(shape, box))}
    <svg class="picture" aria-hidden="true" focusable="false" viewBox=${box}>
      <defs><pattern id="hatch" width="0.3" height="0.3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="hatch-line" d="M0 0V.3"/></pattern></defs>
      ${[...centers].map(([cell, at]) => kept(shape, shadeOf(cell, marks), (shade) => cellShade(shape, at, shade)))}
      ${marks.lines.map((link) => linkPicture(shape, link, marks.groups))}
      ${[...centers].map(([cell, at]) => kept(shape, signsOf(cell, view), (signs) => cellSigns(cell, at, signs)))}
      ${own.map((mark) => ownMark(mark, centers.get(mark.cell), stones))}
      ${arrow(shape, marks)}
      ${focus === null ? "" : svg`<polygon class="focus" points=${points(hexagon(shape, centers.get(focus), 0.94))} />`}
    </svg>`;
}

// Draw what lies on a cell, unless it lies there already.
function kept(shape, things, draw) {
  return guard([shape, ...things], () => draw(things));
}

function ground(shape, box) {
  return html`<svg class="picture ground" aria-hidden="true" focusable="false" viewBox=${box}>
    ${Object.values(shape.edges).map((line) => svg`<polyline class="edge-rim" points=${points(line)} />`)}
    ${Object.entries(shape.edges).map(([edge, line]) => svg`<polyline class="edge ${EDGE_COLOR[edge]}" points=${points(line)} />`)}
    ${shape.labels.map(({ text, at }) => svg`<text class="label" x=${at[0]} y=${at[1] + 0.22}>${text}</text>`)}
    ${[...shape.centers.values()].map((at) => svg`<polygon class="cell" points=${points(hexagon(shape, at))} />`)}
  </svg>`;
}

// A small picture of a position: its outline and its stones.
export function thumbnail({ columns, rows }, { black, white }) {
  const shape = layout(columns, rows, FLAT, false);
  const { left, top, width, height, centers } = shape;
  const stones = (cells, color) => [...cells].map((cell) => {
    const [x, y] = centers.get(cell);
    return svg`<circle class="stone ${color}" cx=${x} cy=${y} r="0.8" />`;
  });
  return html`<svg class="thumbnail" aria-hidden="true" viewBox="${left} ${top} ${width} ${height}">
    <polygon class="cell" points=${points(outline(shape.edges))} />
    ${Object.entries(shape.edges).map(([edge, line]) => svg`<polyline class="edge ${EDGE_COLOR[edge]}" points=${points(line)} />`)}
    ${stones(black, "black")}${stones(white, "white")}</svg>`;
}

function outline({ north, east, south, west }) {
  return [...north, ...east, ...[...south].reverse(), ...[...west].reverse()];
}

function hexagon(shape, at, size = 1) {
  return shape.hexagon.map(([dx, dy]) => sum(at, [dx * size, dy * size]));
}

function shadeOf(cell, { rings, heat, hatch, hottest, tinted }) {
  const warmth = heat.get(cell);
  return [rings.has(cell), warmth === undefined ? null : Math.min(0.75, warmth / hottest * 0.75).toFixed(2), hatch.has(cell),
    tinted.has(cell)];
}

function cellShade(shape, at, [isRinged, warmth, isHatched, isTinted]) {
  const outline = points(hexagon(shape, at));
  return svg`${isTinted ? svg`<polygon class="tint" points=${outline} />` : ""}
    ${isRinged ? svg`<polygon class="ringed" points=${outline} />` : ""}
    ${warmth === null ? "" : svg`<polygon class="heat" points=${outline} fill-opacity=${warmth} />`}
    ${isHatched ? svg`<polygon class="hatched" points=${outline} />` : ""}`;
}

function signsOf(cell, { stones, last, marks, settings, numbers }) {
  const color = stones.black.has(cell) ? "black" : stones.white.has(cell) ? "white" : null;
  const isEmpty = color === null;
  return [color, settings.numbers ? numbers.get(cell) : undefined, cell === last, isEmpty && settings.coordinates,
    marks.chosen.has(cell), isEmpty && marks.dots.has(cell) && cell !== marks.key, isEmpty && marks.rings.has(cell),
    isEmpty ? marks.numbers.get(cell) : undefined, isEmpty && cell === marks.key,
    cell === marks.intrusion, cell === marks.reply, isEmpty ? marks.ghosts.get(cell) : undefined,
    cell === marks.played, marks.better.has(cell)];
}

function cellSigns(cell, [x, y], [color, number, isLast, isNamed, isChosen, isDot, isRing, rank, isKey, isIntrusion, isReply, ghost, isPlayed, isBetter]) {
  return svg`
    ${ghost === undefined ? "" : svg`<circle class="stone ghost ${ghost}" cx=${x} cy=${y} r="0.68" />`}
    ${color === null ? "" : svg`<circle class="stone ${color}" cx=${x} cy=${y} r="0.68" />`}
    ${color !== null && number !== undefined ? svg`<text class="number on-${color}" x=${x} y=${y + 0.2}>${number}</text>` : ""}
    ${isLast && color !== null && number === undefined ? svg`<circle class="last on-${color}" cx=${x} cy=${y} r="0.24" />` : ""}
    ${isNamed ? svg`<text class="inside" x=${x} y=${y + 0.72}>${cell}</text>` : ""}
    ${isChosen ? svg`<circle class="chosen" cx=${x} cy=${y} r="0.78" />` : ""}
    ${isDot ? svg`<circle class="dot" cx=${x} cy=${y} r="0.17" />` : ""}
    ${isRing ? svg`<circle class="ring" cx=${x} cy=${y} r="0.34" />` : ""}
    ${rank === undefined ? "" : svg`<text class="rank" x=${x} y=${y + 0.28}>${rank}</text>`}
    ${isKey ? svg`<path class="key" d=${star(x, y, 0.55)} />` : ""}
    ${isIntrusion ? svg`<circle class="intrusion" cx=${x} cy=${y} r="0.76" />` : ""}
    ${isPlayed ? svg`<path class="played" d="M${x - 0.4} ${y - 0.4}l.8 .8m0 -.8l-.8 .8" />` : ""}
    ${isBetter ? svg`<circle class="better" cx=${x} cy=${y} r="0.62" />` : ""}
    ${isReply ? svg`<circle class="reply" cx=${x} cy=${y} r="0.76" />` : ""}`;
}

function ownMark({ shape, text }, [x, y], stones) {
  const ink = "own-mark";
  if (shape === "label") return svg`<text class="rank ${ink}" x=${x} y=${y + 0.25}>${text}</text>`;
  if (shape === "triangle") return svg`<path class=${ink} d="M${x} ${y - 0.4}l.36 .62h-.72z" />`;
  if (shape === "square") return svg`<path class=${ink} d="M${x - 0.3} ${y - 0.3}h.6v.6h-.6z" />`;
  if (shape === "cross") return svg`<path class=${ink} d="M${x - 0.28} ${y - 0.28}l.56 .56m0 -.56l-.56 .56" />`;
  return svg`<circle class=${ink} cx=${x} cy=${y} r="0.36" />`;
}

function star(x, y, size) {
  const tips = [];
  for (let corner = 0; corner < 10; corner++) {
    const reach = corner % 2 ? size * 0.45 : size, angle = (Math.PI * corner) / 5;
    tips.push(`${(x + reach * Math.sin(angle)).toFixed(3)} ${(y - reach * Math.cos(angle)).toFixed(3)}`);
  }
  return `M${tips.join("L")}Z`;
}

// From an intrusion to its reply.
function arrow(shape, { intrusion, reply }) {
  if (intrusion === null || reply === null || intrusion === reply) return "";
  const [from, to] = [shape.centers.get(intrusion), shape.centers.get(reply)];
  const length = distance(from, to), cut = 0.76 / length;
  const at = (part) => [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
  const [[x, y], [u, v]] = [at(cut), at(1 - cut)];
  return svg`<line class="arrow" x1=${x} y1=${y} x2=${u} y2=${v} />`;
}

function linkPicture(shape, link, groups) {
  const [one, other] = link.ends.map((end) => groups[end] ?? [end]);
  const [x, y] = nearest(one, other, shape.centers).map((cell) => shape.centers.get(cell));
  return svg`<line class="link-rim" x1=${x[0]} y1=${x[1]} x2=${y[0]} y2=${y[1]} />
    <line class="link ${link.color}" x1=${x[0]} y1=${x[1]} x2=${y[0]} y2=${y[1]} />`;
}
