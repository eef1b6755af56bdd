// Pictures to share: the board as the page shows it, as PNG or SVG, and its moves as GIF.

import { render } from "./vendor/lit-html.js";
import { shapeOf } from "./board.js";
import { noMarks } from "./layers.js";
import { picture } from "./picture.js";
import { stonesAt } from "./stones.js";
import { lineThrough, path } from "./tree.js";
import { GIFEncoder, applyPalette, quantize } from "./vendor/gifenc.js";

const WIDTH = { png: 1200, gif: 600 }; // pixels
const EACH = 700, LAST = 2500; // milliseconds of a frame, and of the last one
const COLORS = 64; // of a GIF

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
  const canvas = canvasFor(ground, WIDTH.png), whole = standalone(ground, canvas);
  whole.style.background = getComputedStyle(document.body).backgroundColor;
  whole.append(...standalone(stones, canvas).children);
  return new XMLSerializer().serializeToString(whole);
}

// The moves up to the node that is shown; the whole line if that is the root.
export async function gifOf(app) {
  const nodes = app.node.parent === null ? lineThrough(app.node) : path(app.node);
  const frames = await framesOf(app, nodes), last = frames.length - 1;
  const { data, width, height } = frames[last], palette = quantize(data, COLORS);
  const gif = GIFEncoder();
  frames.forEach((frame, place) => gif.writeFrame(applyPalette(frame.data, palette), width, height,
    { palette: place ? undefined : palette, delay: place === last ? LAST : EACH }));
  gif.finish();
  return new Blob([gif.bytesView()], { type: "image/gif" });
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
  const text = new XMLSerializer().serializeToString(standalone(drawing, canvas));
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}

const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap",
  "stroke-linejoin", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight",
  "text-anchor"];

// A drawing with the computed styles of the page, without the glow of the player to move.
function standalone(drawn, { width, height }) {
  const copied = drawn.cloneNode(true), parts = [...drawn.querySelectorAll("*")];
  [...copied.querySelectorAll("*")].forEach((part, place) => {
    const style = getComputedStyle(parts[place]);
    for (const look of LOOKS) part.setAttribute(look, style.getPropertyValue(look));
  });
  copied.querySelectorAll(".glow").forEach((part) => part.remove());
  copied.setAttribute("width", width);
  copied.setAttribute("height", height);
  return copied;
}
