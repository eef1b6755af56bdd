// The picture of the board, hidden from screen readers, which read the grid over it.
//
// Cells and edges are a separate picture, which the browser need not paint again. Signs on a cell
// are drawn again only if they change.

import { html, svg } from "./vendor/lit-html.js";
import { guard } from "./vendor/directives/guard.js";
import { FLAT, distance, layout, linkEnds, points, sum } from "./geometry.js";

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

// Drop parts that are false: most cells have none, and each part of a template costs DOM nodes.
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

// A small picture of a position: its outline and its stones.
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
