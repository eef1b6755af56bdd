// Load a game from anywhere, and take one away.

import { html } from "../vendor/lit-html.js";
import { textBoard } from "../board.js";
import { say } from "../speech.js";
import { positionAt, stonesAt } from "../stones.js";
import { fromRecord, lineRecord, toRecord } from "../tree.js";
import { WRITTEN_HERE } from "../writing.js";
import { thumbnail } from "../picture.js";

export function loadPanel(app) {
  const read = (event) => {
    event.preventDefault();
    const text = event.target.elements.text.value;
    if (text.trim()) app.load(text);
  };
  const open = (event) => {
    const [file] = event.target.files;
    if (file !== undefined) app.loadFile(file);
  };
  return html`<section><h2>Open a game</h2>
    <form @submit=${read}><label>SGF, a HexWorld link, moves, a diagram, a suite, HexWiki's tag
      <textarea name="text" rows="6" spellcheck="false" placeholder="https://hexworld.org/board/#11c1,b4:sh4f7"></textarea></label>
      <button>Load</button></form>
    ${app.problem ? html`<p class="problem">${app.problem}</p>` : ""}
    <p><label>or open a file <input type="file" @change=${open}></label></p>
    <p class="hint">Text can also be pasted, and files dropped, anywhere on the page. Nothing leaves this machine.</p></section>
    ${recentPanel(app)} ${shippedPanel(app)}`;
}

// The last games of this browser, each with a picture.
function recentPanel(app) {
  if (app.saved.length === 0) return "";
  return html`<section><h2>Recent games</h2><ul class="recent">${app.saved.map((saved) => html`<li>
    <button type="button" @click=${() => app.reopen(saved)}>${thumbnail(...lastPosition(saved))}
      <span>${titleOf(saved)}</span></button></li>`)}</ul></section>`;
}

function lastPosition({ record, path: steps }) {
  const { game } = fromRecord(record);
  return [game, stonesAt(steps.reduce((at, step) => at.children[step] ?? at, game.root))];
}

function titleOf({ record, when }) {
  const about = new Map(record.info), players = [about.get("PB"), about.get("PW")];
  const named = players.some(Boolean) ? players.map((each) => each ?? "?").join(" – ")
    : `${record.columns} by ${record.rows}`;
  const moves = record.nodes.filter(({ move }) => move !== null).length;
  return `${named}, ${moves} moves, ${new Date(when).toLocaleString()}`;
}

const SHIPPED = [
  ["london-2000-queenbee-hexy", "London 2000, Queenbee against Hexy: the game of the gold medal"],
  ["london-2000-hexy-queenbee", "London 2000, Hexy against Queenbee"],
  ["classic", "Classic puzzles"], ["proved", "74 proved puzzles, graded"],
];

function shippedPanel(app) {
  return html`<section><h2>Games and puzzles that come along</h2><ul class="rows">
    ${SHIPPED.map(([name, title]) => html`<li><button type="button" class="row" @click=${() => app.loadShipped(name)}>${title}</button></li>`)}</ul></section>`;
}

export function sharePanel(app) {
  const line = () => lineRecord(app.game, app.node);
  const text = async (format) => {
    const game = format === "sgf" ? toRecord(app.game) : line();
    if (app.status !== "open" && format in WRITTEN_HERE) return WRITTEN_HERE[format](game, app.linkFlags());
    return (await app.ask("write", { game, format, ...app.linkFlags() }))?.text;
  };
  const drawing = async () => (await app.ask("draw", { position: positionAt(app.game, app.node), last: stonesAt(app.node).last }))?.svg;
  const json = async () => (app.found === null ? null : JSON.stringify(app.found.analysis, null, 1));
  const board = async () => location.href;
  const ways = [
    ["HexWorld link", () => text("hexworld"), null], ["Link to this board", board, null],
    ["SGF", () => text("sgf"), "game.sgf"], ["Moves", () => text("moves"), null], ["Diagram", () => text("diagram"), null],
    ["HexWiki tag", () => text("hexboard"), null], ["Picture (PNG)", () => pictureOfBoard(), "board.png"],
    ["Picture (SVG)", drawing, "board.svg"], ["Analysis (JSON)", json, "analysis.json"],
  ];
  return html`<section><h2>Share</h2><ul class="ways">
    ${ways.map(([title, make, file]) => html`<li><span>${title}</span>
      <button type="button" aria-label=${`Copy: ${title}`} @click=${async () => copy(app, await make())}>Copy</button>
      ${file === null ? "" : html`<button type="button" aria-label=${`Save: ${title}`} @click=${async () => save(file, await make())}>Save</button>`}</li>`)}</ul>
    <details class="text-board"><summary>Board as text</summary><pre>${textBoard(app)}</pre></details>
    <p class="hint">The address of this page holds the line of play; the SGF holds variations, comments and marks as well.</p></section>`;
}

// The board as the page shows it, as a PNG of 1200 pixels across.
async function pictureOfBoard() {
  const [ground, stones] = [...document.querySelectorAll(".board > .picture")];
  const [, , width, height] = ground.getAttribute("viewBox").split(" ").map(Number);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 1200, height: Math.round((1200 * height) / width) });
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const layer of [ground, stones]) {
    const image = new Image(canvas.width, canvas.height);
    image.src = `data:image/svg+xml,${encodeURIComponent(standalone(layer, canvas))}`;
    await image.decode();
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
  }
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin",
  "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor"];

// A drawing with the looks that the page's style sheet gives it.
function standalone(drawing, { width, height }) {
  const copy = drawing.cloneNode(true), parts = [...drawing.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((part, place) => {
    const style = getComputedStyle(parts[place]);
    for (const look of LOOKS) part.setAttribute(look, style.getPropertyValue(look));
  });
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

async function copy(app, text) {
  if (!text) {
    app.complain("That needs the server, which is away; SGF does not.");
    return;
  }
  try {
    if (text instanceof Blob) await navigator.clipboard.write([new ClipboardItem({ [text.type]: text })]);
    else await navigator.clipboard.writeText(text);
    app.notice = "Copied.";
  } catch {
    app.notice = text instanceof Blob ? "The clipboard is closed: save the picture." : text;
  }
  say(app.notice);
  app.changed();
}

export function save(name, text) {
  if (!text) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
