// Games in and out: opened from text, a file or the recent ones, and shared as text or a picture.

import { html } from "../vendor/lit-html.js";
import { textBoard } from "../board.js";
import { UNSEEN } from "../hidden.js";
import { quantity } from "../layers.js";
import { thumbnail } from "../picture.js";
import { gifOf, pngOf, svgOf } from "../pictures.js";
import { say } from "../state.js";
import { stonesAt } from "../stones.js";
import { fromRecord, lineRecord, nodeAt, toRecord } from "../tree.js";
import { fileField, row } from "./fields.js";
import { SUITES } from "./puzzles.js";

const READ = "SGF, a HexWorld link, moves, a diagram, a suite, HexWiki's tag, JSON of PlayHex";
const SHIPPED = [
  ["london-2000-queenbee-hexy",
    "London 2000, Queenbee against Hexy: the game of the gold medal"],
  ["london-2000-hexy-queenbee", "London 2000, Hexy against Queenbee"],
  ...SUITES,
];

export function openPanel(app) {
  const read = (event) => {
    const text = event.target.elements.text.value;
    if (text.trim()) app.load(text);
    else app.complain("paste a game here first");
  };
  return html`<section><h2>Open a game</h2>
    <form @submit=${read}><label>${READ}<textarea name="text" rows="6" spellcheck="false"
        placeholder="https://hexworld.org/board/#11c1,b4:sh4f7"></textarea></label>
      <button>Load</button></form>
    ${problem(app)}
    ${fileField("or open a file", (file) => app.loadFile(file))}
    <p class="hint">Text can also be pasted, and files dropped, anywhere on the page. Nothing
      leaves this machine.</p></section>
    ${recentPanel(app)} ${examplesPanel(app)}`;
}

// The error, and the formats that can be read.
function problem(app) {
  if (!app.problem) return "";
  return html`<p class="problem">${app.problem}</p>
    <p class="hint">Read here: ${READ}; links to trmph, files of Little Golem and JSON of Abstract
      Play, too. Little Golem and PlayHex save a game as SGF; HexWorld has a bookmarklet that makes
      a link of a game of Board Game Arena; other sites save SGF, or link to HexWorld.</p>`;
}

// The recent games, each with a picture. The list stays as it was when this place was opened, so
// that a button that is pressed during a drawing does not open another game.
function recentPanel(app) {
  if (app.saved.length === 0) return "";
  const item = (saved) => html`<li><button type="button" @click=${() => app.reopen(saved)}
    >${thumbnail(...lastPosition(saved))} <span>${titleOf(saved)}</span></button></li>`;
  return html`<section><h2>Recent games</h2>
    <ul class="recent">${app.saved.map(item)}</ul></section>`;
}

function lastPosition({ record, path: steps }) {
  const { game } = fromRecord(record);
  return [game, stonesAt(nodeAt(game, steps))];
}

function titleOf({ record, when }) {
  const about = new Map(record.info), players = [about.get("PB"), about.get("PW")];
  const named = players.some(Boolean) ? players.map((each) => each ?? "?").join(" – ")
    : `${record.columns} by ${record.rows}`;
  const moves = record.nodes.filter(({ move }) => move !== null).length;
  return html`<bdi>${named},</bdi> ${quantity(moves, "move")},
    ${new Date(when).toLocaleString()}`;
}

function examplesPanel(app) {
  const item = ([name, title]) => row(title, () => app.loadExample(name));
  return html`<section><h2>Included games and puzzles</h2>
    <ul class="rows">${SHIPPED.map(item)}</ul></section>`;
}

// For each way: its title, the server's format or the function that makes it, the file extension
// if it can be saved, and whether it can be copied.
const WAYS = [
  ["HexWorld link", "hexworld"],
  ["SGF", "sgf", "sgf"],
  ["Picture (PNG)", pngOf, "png"],
  ["Moves up to here (GIF)", gifOf, "gif", false],
  ["Moves", "moves"],
  ["Diagram", "diagram"],
  ["HexWiki tag", "hexboard"],
  ["Drawing (SVG)", svgOf, "svg", false],
  ["Analysis (JSON)", writeAnalysis, "json"],
  ["Link to this board, on this machine", () => location.href],
];

export function sharePanel(app) {
  const { text, signs } = textBoard(app);
  return html`<section><h2>Share</h2><ul class="ways">${WAYS.map((way) => item(app, way))}</ul>
    <details class="text-board"><summary>Board as text</summary>
      <pre>${text}</pre><p>${signs}</p></details>
    <p class="hint">The address of this page holds the line of play; the SGF holds variations,
      comments and marks as well.</p></section>`;
}

// A way with its buttons, and what was done beside them.
function item(app, [title, way, end, isText = true]) {
  const make = typeof way === "string" ? () => write(app, way) : way;
  const isDone = app.shared?.title === title;
  const copyIt = async () => copy(app, title, await make(app), make);
  const saveIt = async () => {
    tell(app, title, "");
    const content = await make(app);
    if (content) save(fileName(app, end), content);
    tell(app, title, content ? "Saved." : reasonForNone(app, make));
  };
  return html`<li><span>${title}</span> <span class="hint">${isDone ? app.shared.said : ""}</span>
    ${isText ? html`<button type="button" aria-label=${`Copy: ${title}`}
      @click=${copyIt}>Copy</button>` : ""}
    ${end === undefined ? "" : html`<button type="button" aria-label=${`Save: ${title}`}
      @click=${saveIt}>Save</button>`}</li>`;
}

function reasonForNone(app, make) {
  if (app.status !== "open") return "The server is away, and has not written that before.";
  if (make !== writeAnalysis) return app.problem;
  return app.game.isHidden ? UNSEEN
    : "The analysis is not here yet: try again in a moment.";
}

async function write(app, format) {
  await app.begun; // else it is the empty board
  const game = format === "sgf" ? toRecord(app.game) : lineRecord(app.game, app.node);
  if (app.status !== "open") return app.written[format]; // fetched in advance
  return (await app.ask("write", { game, format, ...app.linkFlags() }))?.text;
}

function writeAnalysis(app) {
  return app.found === null ? null : JSON.stringify(app.found.analysis, null, 1);
}

// The name of a file: the players or the board size, the date, and except for SGF the move.
function fileName({ game, node }, end) {
  const about = new Map(game.root.info);
  const players = ["PB", "PW"].map((entry) => about.get(entry)).filter(Boolean).join("-");
  const day = about.get("DT") ?? new Date().toISOString().slice(0, 10);
  const move = end === "sgf" ? "" : `-move-${node.state.moves}`;
  const what = players || `hex-${game.columns}x${game.rows}`;
  return `${`${what}-${day}`.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80)}${move}.${end}`;
}

async function copy(app, title, text, make) {
  if (!text) { tell(app, title, reasonForNone(app, make)); return; }
  const instead = `The clipboard is closed: ${text instanceof Blob ? "save the picture"
    : "the text is beside the button"}.`;
  if (await copyOut(text)) tell(app, title, "Copied.");
  else tell(app, title, text instanceof Blob ? instead : text, instead);
}

// Copy a text or a picture; return whether that was possible. A page from another machine has no
// clipboard without https: it copies a text as a selection.
export async function copyOut(content) {
  try {
    if (typeof content === "string") await navigator.clipboard.writeText(content);
    else await navigator.clipboard.write([new ClipboardItem({ [content.type]: content })]);
    return true;
  } catch {
    return typeof content === "string" && copySelected(content);
  }
}

function copySelected(text) {
  const had = document.activeElement, field = document.createElement("textarea");
  field.className = "unseen";
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  had.focus();
  return isCopied;
}

function tell(app, title, said, spoken = said) {
  app.shared = { title, said };
  say(spoken);
  app.redraw();
}

export function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(text instanceof Blob ? text
    : new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
