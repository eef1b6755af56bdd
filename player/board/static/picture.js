// The picture of the board, hidden from screen readers, which read the grid over it; and its
// geometry, as the board may be turned and mirrored.
//
// Cells and edges are a separate picture, which the browser need not paint again. Signs on a cell
// are drawn again only if they change.

import { html, svg } from "./vendor/lit-html.js";
import { guard } from "./vendor/directives/guard.js";
import { cellName } from "./tree.js";

export const DARKEST = 0.6; // darkest shade on which a number is legible
const EDGE_COLOR = { north: "black", south: "black", west: "white", east: "white" };

export function picture(shape, view) {
  const { marks, own, focus, stones, turn, pulsed } = view;
  const { left, top, width, height, centers } = shape;
  const box = `${left} ${top} ${width} ${height}`;
  const cells = [...centers];
  const shade = ([cell, at]) => guardCell(shape, shadeOf(cell, marks), (now) =>
    cellShade(shape, at, now));
  const signs = ([cell, at]) => guardCell(shape, signsOf(cell, view), (now) =>
    cellSigns(cell, at, now));
  return html`
    ${ground(shape, box, turn)}
    <svg class="picture" aria-hidden="true" viewBox=${box}>
      <defs><pattern id="hatch" width="0.3" height="0.3" patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"><path class="hatch-line" d="M0 0V.3"/></pattern></defs>
      ${cells.map(shade)}
      ${marks.lines.map((link) => linkPicture(shape, link, marks.groups))}
      ${cells.map(signs)}
      ${own.map((mark) => (mark.shape === "arrow"
        ? ownArrow(shape, mark) : ownMark(mark, centers.get(mark.cell), stones)))}
      ${arrow(shape, marks)}
      ${centers.has(focus) ? svg`<polygon class="focus"
        points=${points(hexagon(shape, centers.get(focus), 0.94))} />` : ""}
      ${centers.has(pulsed) ? svg`<polygon class="pulse"
        points=${points(hexagon(shape, centers.get(pulsed), 0.9))} />` : ""}
    </svg>`;
}

// Draw the signs of a cell, values by name, unless they are unchanged.
function guardCell(shape, signs, draw) {
  return guard([shape, ...Object.values(signs)], () => draw(signs));
}

// Drop parts that are false, as each part of a template costs DOM nodes.
const present = (...parts) => parts.filter((part) => part !== false);

// Cells, edges and labels. The edges of the player to move glow: with broad lines, because a blur
// takes a browser longer than all the rest of a move.
function ground(shape, box, turn) {
  const edges = Object.entries(shape.edges);
  const lines = (look) => edges.map(([side, line]) => svg`<polyline
    class="${look} ${EDGE_COLOR[side]}" points=${points(line)} />`);
  return html`<svg class="picture ground ${turn ?? "nobody"}-moves" aria-hidden="true"
    viewBox=${box}>${guard([shape], () => svg`
    ${lines("glow wide")} ${lines("glow")} ${lines("edge-rim")} ${lines("edge")}
    ${shape.labels.map(({ text, at: [x, y] }) => svg`<text class="label" x=${x}
      y=${y + 0.22}>${text}</text>`)}
    ${[...shape.centers.values()].map((at) => svg`<polygon class="cell"
      points=${points(hexagon(shape, at))} />`)}`)}
  </svg>`;
}

// A small picture of a position.
export function thumbnail({ columns, rows }, { black, white }) {
  const shape = layout(columns, rows, FLAT, false);
  const { left, top, width, height, centers } = shape;
  const stones = (cells, color) => [...cells].map((cell) => {
    const [x, y] = centers.get(cell);
    return svg`<circle class="stone ${color}" cx=${x} cy=${y} r="0.8" />`;
  });
  return html`<svg class="thumbnail" aria-hidden="true"
      viewBox="${left} ${top} ${width} ${height}">
    <polygon class="cell" points=${points(outline(shape.edges))} />
    ${Object.entries(shape.edges).map(([edge, line]) => svg`<polyline
      class="edge ${EDGE_COLOR[edge]}" points=${points(line)} />`)}
    ${stones(black, "black")}${stones(white, "white")}</svg>`;
}

function outline({ north, east, south, west }) {
  return [...north, ...east, ...[...south].reverse(), ...[...west].reverse()];
}

function hexagon(shape, at, size = 1) {
  return shape.hexagon.map(([dx, dy]) => sum(at, [dx * size, dy * size]));
}

function shadeOf(cell, { rings, heat, hatch, hottest, tinted, carrier }) {
  const warm = heat.get(cell);
  const warmth = warm === undefined ? null
    : (DARKEST * Math.min(1, warm / hottest)).toFixed(2);
  return { isRinged: rings.has(cell), warmth, isHatched: hatch.has(cell),
    isTinted: tinted.has(cell), owner: carrier.get(cell) };
}

function cellShade(shape, at, { isRinged, warmth, isHatched, isTinted, owner }) {
  const line = points(hexagon(shape, at));
  return present(
    owner !== undefined && !isTinted && svg`<polygon class="carrier ${owner}" points=${line} />`,
    isTinted && svg`<polygon class="tint" points=${line} />`,
    isRinged && svg`<polygon class="ringed" points=${line} />`,
    warmth !== null && svg`<polygon class="heat" points=${line} fill-opacity=${warmth} />`,
    isHatched && svg`<polygon class="hatched" points=${line} />`,
  );
}

function signsOf(cell, { stones, last, marks, settings, numbers }) {
  const color = stones.black.has(cell) ? "black" : stones.white.has(cell) ? "white" : null;
  const isEmpty = color === null, isKey = isEmpty && cell === marks.key;
  const isRanked = marks.best.has(cell); // its number replaces a dot and a ring
  return {
    color, number: settings.numbers ? numbers.get(cell) : undefined, isLast: cell === last,
    isNamed: isEmpty && settings.coordinates, isChosen: marks.chosen.has(cell),
    isDot: isEmpty && marks.dots.has(cell) && !isKey && !isRanked, hue: marks.hues.get(cell),
    isRing: isEmpty && marks.rings.has(cell) && !isRanked,
    rank: isEmpty ? marks.numbers.get(cell) : undefined, isKey,
    ghost: isEmpty ? marks.ghosts.get(cell) : undefined, order: marks.order.get(cell),
    best: isEmpty && marks.ghosts.size < 2 && cell !== marks.played ? marks.best.get(cell)
      : undefined,
    isLosing: marks.losing.has(cell), isIntrusion: cell === marks.intrusion,
    isReply: cell === marks.reply, isPlayed: cell === marks.played,
    isBetter: marks.better.has(cell),
  };
}

function cellSigns(cell, at, signs) {
  const { color, number, isLast, isNamed, isChosen, isDot, hue, isRing, rank, isKey, ghost, order,
    best, isLosing, isIntrusion, isReply, isPlayed, isBetter } = signs;
  const [x, y] = at;
  return present(
    ghost !== undefined && ghostStone(at, ghost, order),
    color !== null && stone(at, color, number, isLast),
    isNamed && svg`<text class="inside" x=${x} y=${y + 0.72}>${cell}</text>`,
    isChosen && circle("chosen", at, 0.78),
    isDot && circle(hue === undefined ? "dot" : `dot hue-${hue}`, at, 0.17),
    isRing && circle("ring", at, 0.34),
    rank !== undefined && svg`<text class="rank" x=${x} y=${y + 0.28}>${rank}</text>`,
    best !== undefined && candidateSign(at, isKey ? "" : best, isLosing), // the star covers it
    isKey && svg`<path class="key" d=${star(x, y, 0.55)} />`,
    isIntrusion && circle("intrusion", at, 0.76),
    isPlayed && svg`<path class="played" d="M${x - 0.4} ${y - 0.4}l.8 .8m0 -.8l-.8 .8" />`,
    isBetter && circle("better", at, 0.62),
    isReply && circle("reply", at, 0.76),
  );
}

function candidateSign(at, place, isLosing) {
  const look = isLosing ? "best losing" : "best", [x, y] = at;
  return svg`${circle(`best-ring ${look}`, at, 0.6)}<text class="rank ${look}" x=${x}
    y=${y + 0.28}>${place}</text>`;
}

function circle(look, [x, y], radius) {
  return svg`<circle class=${look} cx=${x} cy=${y} r=${radius} />`;
}

function stone(at, color, number, isLast) {
  const [x, y] = at;
  return svg`${circle(`stone ${color}`, at, 0.68)}
    ${number === undefined ? "" : svg`<text class="number on-${color}" x=${x}
      y=${y + 0.2}>${number}</text>`}
    ${isLast && number === undefined ? circle(`last on-${color}`, at, 0.24) : ""}`;
}

// A ghost stone, with its number in a line.
function ghostStone(at, color, order) {
  return svg`${circle(`stone ghost ${color}`, at, 0.68)}
    ${order === undefined ? "" : svg`<text class="number order" x=${at[0]}
      y=${at[1] + 0.2}>${order}</text>`}`;
}

// A user's mark: on a card, unlike the engine's marks; on a stone in the color of its number.
function ownMark({ cell, shape, text }, [x, y], stones) {
  const color = ["black", "white"].find((one) => stones[one].has(cell));
  const ink = color === undefined ? "own-mark" : `own-mark on-${color}`;
  const card = color !== undefined ? "" : svg`<rect class="own-card" x=${x - 0.5} y=${y - 0.5}
    width="1" height="1" rx=".16" />`;
  if (shape === "label") {
    const isLong = text.length > 2;
    return svg`${card}<text class="rank ${ink} ${isLong ? "long" : ""}" x=${x}
      y=${y + (isLong ? 0.16 : 0.25)}>${text}</text>`;
  }
  const path = {
    triangle: `M${x} ${y - 0.4}l.36 .62h-.72z`, square: `M${x - 0.3} ${y - 0.3}h.6v.6h-.6z`,
    cross: `M${x - 0.28} ${y - 0.28}l.56 .56m0 -.56l-.56 .56`,
  }[shape];
  const sign = path === undefined ? circle(ink, [x, y], 0.3)
    : svg`<path class=${ink} d=${path} />`;
  return svg`${card}${sign}`;
}

function star(x, y, size) {
  const tips = [];
  for (let corner = 0; corner < 10; corner++) {
    const reach = corner % 2 ? size * 0.45 : size, angle = (Math.PI * corner) / 5;
    const tip = [x + reach * Math.sin(angle), y - reach * Math.cos(angle)];
    tips.push(tip.map((part) => part.toFixed(3)).join(" "));
  }
  return `M${tips.join("L")}Z`;
}

// An arrow from an intrusion to its reply.
function arrow(shape, { intrusion, reply }) {
  if (intrusion === null || reply === null || intrusion === reply) return "";
  const at = between(shape, intrusion, reply);
  const [[x, y], [u, v]] = [at(0.76), at(-0.76)];
  return svg`<line class="arrow" x1=${x} y1=${y} x2=${u} y2=${v} />`;
}

// Points on the way between two cells: `far` from the start, or if negative, before the end.
function between(shape, start, end) {
  const [[x, y], to] = [shape.centers.get(start), shape.centers.get(end)];
  const length = distance([x, y], to), step = [(to[0] - x) / length, (to[1] - y) / length];
  return (far) => (far >= 0 ? [x + step[0] * far, y + step[1] * far]
    : [to[0] + step[0] * far, to[1] + step[1] * far]);
}

// A user's arrow, from near the center of a cell to near the center of another.
function ownArrow(shape, { cell, text }) {
  if (cell === text) return "";
  const at = between(shape, cell, text);
  const [[x, y], [u, v], [p, q], [r, s]] = [at(0.2), at(-0.6), at(-0.15), at(-0.75)];
  const side = [(q - s) * 0.6, (r - p) * 0.6]; // half the width of the head
  const corners = [[p, q], [r + side[0], s + side[1]], [r - side[0], s - side[1]]];
  return svg`<line class="own-arrow" x1=${x} y1=${y} x2=${u} y2=${v} />
    <polygon class="own-head" points=${points(corners)} />`;
}

// A link in its hue, with a rim in the color of its owner.
function linkPicture(shape, link, groups) {
  const [[x, y], [u, v]] = linkEnds(shape, link, groups);
  const line = (look) => svg`<line class=${look} x1=${x} y1=${y} x2=${u} y2=${v} />`;
  return svg`${line(`link-rim ${link.color}`)}${line(`link hue-${link.hue}`)}`;
}

// ---- Geometry: a cell's hexagon has radius 1

export const ACROSS = Math.sqrt(3); // distance of neighboring cells
const ROOM = 0.4; // margin around the labels at the rim, which have up to two digits
export const FLAT = 10, UPRIGHT = 11; // two of HexWorld's rotations, which are clock positions

// The center of a cell on a board turned by a clock position.
function place(column, row, rotation, isMirrored) {
  if (isMirrored) [column, row] = [row, column];
  const x = ACROSS * (column + row / 2), y = 1.5 * row;
  return rotate([x, y], rotation);
}

function rotate([x, y], rotation) {
  const angle = ((rotation - FLAT) * Math.PI) / 6;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos - y * sin, x * sin + y * cos];
}

function mirrorOffset([x, y], isMirrored) {
  // Exchanging columns and rows is a reflection in the line at 30 degrees.
  return isMirrored ? [x / 2 + (y * ACROSS) / 2, (x * ACROSS) / 2 - y / 2] : [x, y];
}

const TOP = [0, -1], BOTTOM = [0, 1];
const [UPPER_RIGHT, LOWER_RIGHT] = [[ACROSS / 2, -0.5], [ACROSS / 2, 0.5]];
const [UPPER_LEFT, LOWER_LEFT] = [[-ACROSS / 2, -0.5], [-ACROSS / 2, 0.5]];
const HEXAGON = [TOP, UPPER_RIGHT, LOWER_RIGHT, BOTTOM, LOWER_LEFT, UPPER_LEFT];

// All geometry of a board, without stones.
export function layout(columns, rows, rotation, isMirrored) {
  const centers = new Map();
  const at = (column, row) => place(column, row, rotation, isMirrored);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      centers.set(cellName(column, row), at(column, row));
    }
  }
  const corner = (offset) => rotate(mirrorOffset(offset, isMirrored), rotation);
  const hexagon = HEXAGON.map(corner);
  const across = [...Array(columns).keys()], down = [...Array(rows).keys()];
  const sides = { // the cells at each edge, as columns and rows
    north: across.map((column) => [column, 0]), south: across.map((column) => [column, rows - 1]),
    west: down.map((row) => [0, row]), east: down.map((row) => [columns - 1, row]),
  };
  const side = (edge, offsets) => sides[edge].flatMap(([column, row]) =>
    offsets.map((offset) => sum(at(column, row), corner(offset))));
  const edges = {
    north: side("north", [UPPER_LEFT, TOP, UPPER_RIGHT]),
    south: side("south", [LOWER_LEFT, BOTTOM, LOWER_RIGHT]),
    west: side("west", [UPPER_LEFT, LOWER_LEFT, BOTTOM]),
    east: side("east", [TOP, UPPER_RIGHT, LOWER_RIGHT]),
  };
  const labels = [
    ...[-1.04, rows + 0.04].flatMap((row) => across.map((column) => (
      { text: cellName(column, 0)[0], at: at(column, row) }))),
    ...[-1.04, columns + 0.04].flatMap((column) => down.map((row) => (
      { text: String(row + 1), at: at(column, row) }))),
  ];
  const xs = labels.map(({ at: [x] }) => x), ys = labels.map(({ at: [, y] }) => y);
  const [left, top] = [Math.min(...xs) - ROOM, Math.min(...ys) - ROOM];
  const [width, height] = [Math.max(...xs) + ROOM - left, Math.max(...ys) + ROOM - top];
  const beside = besideEdges(sides, at);
  return { centers, hexagon, edges, beside, labels, left, top, width, height };
}

const OUTWARD = { north: [0.5, -1], south: [-0.5, 1], west: [-1, 0.5], east: [1, -0.5] };

// For each edge, the point beside each of its cells.
function besideEdges(sides, at) {
  return Object.fromEntries(Object.entries(sides).map(([edge, list]) => {
    const [right, below] = OUTWARD[edge];
    const point = ([column, row]) => at(column + 0.6 * right, row + 0.6 * below);
    return [edge, new Map(list.map((place) => [cellName(...place), point(place)]))];
  }));
}

function sum([x, y], [dx, dy]) {
  return [x + dx, y + dy];
}

function distance([x, y], [u, v]) {
  return Math.hypot(x - u, y - v);
}

function points(list) {
  return list.map(([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`).join(" ");
}

// The rotation with the largest cells in a room of a width and a height; up to the scale `least`,
// the room may be `tallest` high.
export function bestRotation(columns, rows, width, height, tallest, least) {
  const scale = (rotation) => {
    const found = layout(columns, rows, rotation, false);
    const high = Math.max(height / found.height, Math.min(least, tallest / found.height));
    return Math.min(width / found.width, high);
  };
  return scale(UPRIGHT) > 1.1 * scale(FLAT) ? UPRIGHT : FLAT;
}

// The ends of the line of a link: stones of its groups, or points on the edge beside its cells.
function linkEnds(shape, { ends, carrier }, groups) {
  return nearest(...ends.map((end) => {
    const stones = (groups[end] ?? [end]).filter((cell) => shape.centers.has(cell));
    const sides = shape.beside[end] ?? new Map();
    return [...stones.map((cell) => shape.centers.get(cell)),
      ...carrier.filter((cell) => sides.has(cell)).map((cell) => sides.get(cell))];
  }));
}

function nearest(ones, others) {
  let best = [ones[0], others[0]];
  for (const one of ones) {
    for (const other of others) {
      if (distance(one, other) < distance(...best)) best = [one, other];
    }
  }
  return best;
}
