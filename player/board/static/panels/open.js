// Open a game: pasted, from a file, a recent one, or one that hsearch ships.

import { html } from "../vendor/lit-html.js";
import { quantity } from "../layers.js";
import { thumbnail } from "../picture.js";
import { stonesAt } from "../stones.js";
import { fromRecord, nodeAt } from "../tree.js";
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
    event.preventDefault();
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
  return `${named}, ${quantity(moves, "move")}, ${new Date(when).toLocaleString()}`;
}

function examplesPanel(app) {
  const item = ([name, title]) => row(title, () => app.loadExample(name));
  return html`<section><h2>Included games and puzzles</h2>
    <ul class="rows">${SHIPPED.map(item)}</ul></section>`;
}
