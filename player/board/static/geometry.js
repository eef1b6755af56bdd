// Where the cells lie. A cell's hexagon has radius 1; a board may be turned and mirrored.

import { cellName } from "./tree.js";

export const ACROSS = Math.sqrt(3); // from cell to cell
const ROOM = 0.4; // around the letters and numbers at the rim, of two digits at most
export const FLAT = 10, UPRIGHT = 11; // of HexWorld's twelve rotations: clock positions

// The place of a column and a row on a board turned by a clock position.
function place(column, row, rotation, isMirrored) {
  if (isMirrored) [column, row] = [row, column];
  const x = ACROSS * (column + row / 2), y = 1.5 * row;
  return turned([x, y], rotation);
}

function turned([x, y], rotation) {
  const angle = ((rotation - FLAT) * Math.PI) / 6;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos - y * sin, x * sin + y * cos];
}

function mirroredOffset([x, y], isMirrored) {
  // Columns and rows exchanged is a reflection in the line at 30 degrees.
  return isMirrored ? [x / 2 + (y * ACROSS) / 2, (x * ACROSS) / 2 - y / 2] : [x, y];
}

const TOP = [0, -1], BOTTOM = [0, 1];
const [UPPER_RIGHT, LOWER_RIGHT] = [[ACROSS / 2, -0.5], [ACROSS / 2, 0.5]];
const [UPPER_LEFT, LOWER_LEFT] = [[-ACROSS / 2, -0.5], [-ACROSS / 2, 0.5]];
const HEXAGON = [TOP, UPPER_RIGHT, LOWER_RIGHT, BOTTOM, LOWER_LEFT, UPPER_LEFT];

// Everything about a board that does not depend on stones.
export function layout(columns, rows, rotation, isMirrored) {
  const centers = new Map();
  const at = (column, row) => place(column, row, rotation, isMirrored);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      centers.set(cellName(column, row), at(column, row));
    }
  }
  const corner = (offset) => turned(mirroredOffset(offset, isMirrored), rotation);
  const hexagon = HEXAGON.map(corner);
  const side = (cells, offsets) => cells.flatMap(([column, row]) =>
    offsets.map((offset) => sum(at(column, row), corner(offset))));
  const across = [...Array(columns).keys()], down = [...Array(rows).keys()];
  const letter = (column) => String.fromCharCode(97 + column);
  const edges = {
    north: side(across.map((column) => [column, 0]), [UPPER_LEFT, TOP, UPPER_RIGHT]),
    south: side(across.map((column) => [column, rows - 1]), [LOWER_LEFT, BOTTOM, LOWER_RIGHT]),
    west: side(down.map((row) => [0, row]), [UPPER_LEFT, LOWER_LEFT, BOTTOM]),
    east: side(down.map((row) => [columns - 1, row]), [TOP, UPPER_RIGHT, LOWER_RIGHT]),
  };
  const labels = [
    ...across.map((column) => ({ text: letter(column), at: at(column, -1.04) })),
    ...across.map((column) => ({ text: letter(column), at: at(column, rows + 0.04) })),
    ...down.map((row) => ({ text: String(row + 1), at: at(-1.04, row) })),
    ...down.map((row) => ({ text: String(row + 1), at: at(columns + 0.04, row) })),
  ];
  const xs = labels.map(({ at: [x] }) => x), ys = labels.map(({ at: [, y] }) => y);
  const [left, top] = [Math.min(...xs) - ROOM, Math.min(...ys) - ROOM];
  const [width, height] = [Math.max(...xs) + ROOM - left, Math.max(...ys) + ROOM - top];
  const beside = besideEdges(columns, rows, at);
  return { centers, hexagon, edges, beside, labels, left, top, width, height };
}

const OUTWARD = { north: [0.5, -1], south: [-0.5, 1], west: [-1, 0.5], east: [1, -0.5] };

// For each edge the points on it, by the cells that touch it.
function besideEdges(columns, rows, at) {
  const across = [...Array(columns).keys()], down = [...Array(rows).keys()];
  const cells = {
    north: across.map((column) => [column, 0]), south: across.map((column) => [column, rows - 1]),
    west: down.map((row) => [0, row]), east: down.map((row) => [columns - 1, row]),
  };
  return Object.fromEntries(Object.entries(cells).map(([edge, list]) => {
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

// The rotation that shows the cells largest in a room of a width and a height; for cells of the
// least scale the room may be as high as the tallest.
export function bestRotation(columns, rows, width, height, tallest, least) {
  const scale = (rotation) => {
    const found = layout(columns, rows, rotation, false);
    const high = Math.max(height / found.height, Math.min(least, tallest / found.height));
    return Math.min(width / found.width, high);
  };
  return scale(UPRIGHT) > 1.1 * scale(FLAT) ? UPRIGHT : FLAT;
}

// Where a link is drawn from and to: stones of its groups, or the edge beside its cells.
export function linkEnds(shape, { ends, carrier }, groups) {
  return nearest(...ends.map((end) => {
    const stones = (groups[end] ?? [end]).filter((cell) => shape.centers.has(cell));
    const sides = shape.beside[end] ?? new Map();
    return [...stones.map((cell) => shape.centers.get(cell)),
      ...carrier.filter((cell) => sides.has(cell)).map((cell) => sides.get(cell))];
  }));
}

// Of two lists of places the two that are nearest to each other.
function nearest(ones, others) {
  let best = [ones[0], others[0]];
  for (const one of ones) {
    for (const other of others) {
      if (distance(one, other) < distance(...best)) best = [one, other];
    }
  }
  return best;
}
