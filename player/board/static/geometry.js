// The geometry of a board, which may be turned and mirrored. A cell's hexagon has radius 1.

import { cellName } from "./tree.js";

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
  const sides = sidesOf(columns, rows);
  const side = (edge, offsets) => sides[edge].flatMap(([column, row]) =>
    offsets.map((offset) => sum(at(column, row), corner(offset))));
  const across = [...Array(columns).keys()], down = [...Array(rows).keys()];
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

// The cells at each edge, as columns and rows.
function sidesOf(columns, rows) {
  const across = [...Array(columns).keys()], down = [...Array(rows).keys()];
  return {
    north: across.map((column) => [column, 0]), south: across.map((column) => [column, rows - 1]),
    west: down.map((row) => [0, row]), east: down.map((row) => [columns - 1, row]),
  };
}

// For each edge, the point beside each of its cells.
function besideEdges(sides, at) {
  return Object.fromEntries(Object.entries(sides).map(([edge, list]) => {
    const [right, below] = OUTWARD[edge];
    const point = ([column, row]) => at(column + 0.6 * right, row + 0.6 * below);
    return [edge, new Map(list.map((place) => [cellName(...place), point(place)]))];
  }));
}

export function sum([x, y], [dx, dy]) {
  return [x + dx, y + dy];
}

export function distance([x, y], [u, v]) {
  return Math.hypot(x - u, y - v);
}

export function points(list) {
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
export function linkEnds(shape, { ends, carrier }, groups) {
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
