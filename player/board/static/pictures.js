// Pictures to share: the board as the page shows it, as PNG or SVG, and its moves as GIF.

import { render } from "./vendor/lit-html.js";
import { shapeOf } from "./board.js";
import { noMarks } from "./layers.js";
import { picture } from "./picture.js";
import { outcome, stonesAt } from "./stones.js";
import { lineThrough, path } from "./tree.js";

const WIDTH = { png: 1200, gif: 600 }; // pixels
const EACH = 70, LAST = 250; // hundredths of a second of a frame, and of the last one
const BITS = 7; // of a color of a GIF, which is a place in its palette

// The board with all its marks.
export async function pngOf() {
  const [ground, stones] = document.querySelectorAll(".board > .picture");
  const canvas = canvasFor(ground, WIDTH.png);
  paint(canvas, [await imageOf(ground, canvas), await imageOf(stones, canvas)]);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

// The same as SVG, on the background of the page.
export function svgOf() {
  const [ground, stones] = document.querySelectorAll(".board > .picture");
  const canvas = canvasFor(ground, WIDTH.png), whole = copyWithStyles(ground, canvas);
  whole.style.background = getComputedStyle(document.body).backgroundColor;
  whole.append(...copyWithStyles(stones, canvas).children);
  return new XMLSerializer().serializeToString(whole);
}

// The moves up to the node that is shown; the whole line if that is the root.
export async function gifOf(app) {
  const nodes = app.node.parent === null ? lineThrough(app.node) : path(app.node);
  const frames = await framesOf(app, nodes), last = frames.length - 1;
  const { width, height } = frames[last], palette = paletteOf(frames[last]);
  const nearest = nearestIn(palette), size = [...bytesOfWord(width), ...bytesOfWord(height)];
  const parts = [bytesOfText("GIF89a"), [...size, 0xf0 + BITS - 1, 0, 0, ...palette.flat()],
    [0x21, 0xff, 11], bytesOfText("NETSCAPE2.0"), [3, 1, 0, 0, 0]]; // it begins again at its end
  frames.forEach((frame, place) => parts.push([0x21, 0xf9, 4, 0],
    [...bytesOfWord(place === last ? LAST : EACH), 0, 0, 0x2c, 0, 0, 0, 0, ...size, 0, BITS],
    ...splitBlocks(compress(pixelsOf(frame).map(nearest))), [0]));
  return new Blob([...parts, [0x3b]].map((part) => Uint8Array.from(part)), { type: "image/gif" });
}

const bytesOfText = (text) => [...text].map((sign) => sign.charCodeAt(0));
const bytesOfWord = (number) => [number & 255, number >> 8];
const pixelsOf = ({ data: { buffer } }) => new Uint32Array(buffer); // red in the lowest byte
const partsOf = (pixel) => [pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255];

// The most frequent colors of a frame, filled up with black.
function paletteOf(frame) {
  const counts = new Map(), most = 1 << BITS;
  for (const pixel of pixelsOf(frame)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return Array.from({ length: most }, (_, place) => partsOf(sorted[place]?.[0] ?? 0));
}

// A function that returns the place of the nearest color in a palette.
function nearestIn(palette) {
  const places = new Map();
  return (pixel) => {
    if (!places.has(pixel)) {
      const own = partsOf(pixel), far = palette.map((color) =>
        color.reduce((sum, part, place) => sum + (part - own[place]) ** 2, 0));
      places.set(pixel, far.indexOf(Math.min(...far)));
    }
    return places.get(pixel);
  };
}

// Bytes in blocks, each after its length.
function splitBlocks(bytes) {
  const parts = [];
  for (let place = 0; place < bytes.length; place += 255) {
    const part = bytes.slice(place, place + 255);
    parts.push([part.length], part);
  }
  return parts;
}

// The LZW code of places in a palette, as bytes.
function compress(places) {
  const bytes = [], clear = 1 << BITS;
  let codes, width, next, rest = 0, held = 0; // `held` bits of `rest` are not in a byte yet
  const put = (code) => {
    rest |= code << held;
    for (held += width; held >= 8; held -= 8, rest >>= 8) bytes.push(rest & 255);
  };
  const begin = () => { codes = new Map(); width = BITS + 1; next = clear + 2; };
  begin();
  put(clear);
  let before = places[0];
  for (const place of places.subarray(1)) {
    const text = before << BITS | place, code = codes.get(text);
    if (code !== undefined) { before = code; continue; }
    put(before);
    if (next === 4096) { // the most codes
      put(clear);
      begin();
    } else {
      if (next >= 1 << width) width += 1;
      codes.set(text, next);
      next += 1;
    }
    before = place;
  }
  put(before);
  put(clear + 1); // the end
  return [...bytes, rest & 255];
}

// A frame for each position; cells and edges are drawn once for each player to move.
async function framesOf(app, nodes) {
  const host = document.createElement("div"), grounds = new Map(), frames = [];
  host.className = "board offstage";
  document.body.append(host);
  for (const node of nodes) {
    const view = viewAt(app, node);
    render(picture(shapeOf(app), view), host);
    const [ground, stones] = host.querySelectorAll(".picture");
    const canvas = canvasFor(ground, WIDTH.gif);
    if (!grounds.has(view.turn)) grounds.set(view.turn, await imageOf(ground, canvas));
    const context = paint(canvas, [grounds.get(view.turn), await imageOf(stones, canvas)]);
    frames.push(context.getImageData(0, 0, canvas.width, canvas.height));
  }
  host.remove();
  return frames;
}

function viewAt(app, node) {
  const stones = stonesAt(node), isOver = node === app.node && outcome(app) !== null;
  return { stones, last: stones.last, numbers: stones.numbers, marks: noMarks(),
    own: node.marks ?? [], settings: app.settings, turn: isOver ? null : node.state.turn,
    focus: null, pulsed: null };
}

function canvasFor(drawing, width) {
  const [, , across, down] = drawing.getAttribute("viewBox").split(" ").map(Number);
  const canvas = document.createElement("canvas");
  return Object.assign(canvas, { width, height: Math.round((width * down) / across) });
}

function paint(canvas, images) {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  images.forEach((image) => context.drawImage(image, 0, 0, canvas.width, canvas.height));
  return context;
}

async function imageOf(drawing, canvas) {
  const image = new Image(canvas.width, canvas.height);
  const text = new XMLSerializer().serializeToString(copyWithStyles(drawing, canvas));
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}

const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap",
  "stroke-linejoin", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight",
  "text-anchor"];

// A drawing with the computed styles of the page, without the glow of the player to move.
function copyWithStyles(drawn, { width, height }) {
  const copy = drawn.cloneNode(true), parts = [...drawn.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((part, place) => {
    const style = getComputedStyle(parts[place]);
    for (const look of LOOKS) part.setAttribute(look, style.getPropertyValue(look));
  });
  copy.querySelectorAll(".glow").forEach((part) => part.remove());
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return copy;
}
