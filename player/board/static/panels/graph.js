// How the game went: proofs as bands, the estimate as a line, and a slider that has words.

import { html, svg } from "../vendor/lit-html.js";
import { guard } from "../vendor/directives/guard.js";
import { name } from "../layers.js";

const HEIGHT = 60;

export function graphPanel(app) {
  const nodes = app.plies;
  const here = Math.max(0, nodes.indexOf(nodeOnLine(app, nodes)));
  const turning = turningPoints(nodes);
  const next = turning.find((place) => place > here) ?? turning[0];
  const busy = app.busy.get("graph");
  return html`<section class="graph"><h2>Game</h2>
    ${nodes.length < 2 ? html`<p>No moves yet: click a cell, or load a game.</p>` : html`
    <div class="chart">${guard([here, ...nodes.flatMap(({ summary, verdict }) => [summary, verdict])], () => chart(nodes, here))}
      <input type="range" min="0" max=${nodes.length - 1} .value=${String(here)} aria-label="Move"
        aria-valuetext=${valueText(nodes, here)} @input=${(event) => app.go(nodes[Number(event.target.value)])}></div>
    <p class="buttons"><button type="button" ?disabled=${turning.length === 0} @click=${() => app.go(nodes[next])}>Next turning point</button>
      ${turning.length ? html`<span>${turnWords(nodes, turning)}</span>` : ""}</p>
    ${busy ? html`<p class="waiting">${busy.text || "Looking at every move ..."} <button type="button" @click=${() => app.server.cancel("graph")}>Stop</button></p>` : ""}`}
  </section>`;
}

function nodeOnLine(app, nodes) {
  let node = app.node;
  while (node.parent !== null && !nodes.includes(node)) node = node.parent;
  return node;
}

// Where the proved winner changes: a proof found, or gone.
export function turningPoints(nodes) {
  return nodes.flatMap((node, place) => {
    const before = nodes[place - 1];
    const isTurn = place > 0 && node.summary !== undefined && before.summary !== undefined
      && node.summary.winner !== before.summary.winner;
    return isTurn ? [place] : [];
  });
}

// From where on the winner at the end is proved at every move.
function turnWords(nodes, turning) {
  const last = nodes[nodes.length - 1].summary;
  if (last === undefined || last.winner === null) return "";
  const from = turning[turning.length - 1];
  return `From move ${from} on ${name(last.winner)} is proved to win, without a break.`;
}

function valueText(nodes, place) {
  const { move, color, summary, verdict } = nodes[place];
  const judged = verdict === undefined ? "" : `, ${verdict.word}`;
  const what = move === null ? "start" : `move ${place}, ${name(color)} ${move}`;
  if (summary === undefined) return what + judged;
  if (summary.winner !== null) return `${what}: proved ${name(summary.winner)}${judged}`;
  return `${what}: Black ${Math.round(100 * summary.chance)} per cent, estimated${judged}`;
}

function chart(nodes, here) {
  const width = Math.max(nodes.length - 1, 1);
  const bands = proved(nodes).map(({ winner, from, to }) =>
    svg`<rect class="band ${winner}" x=${from - 0.5} y=${winner === "black" ? 0 : HEIGHT / 2} width=${to - from + 1} height=${HEIGHT / 2} />`);
  return svg`<svg class="chart-picture" viewBox="-0.5 0 ${width + 1} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    ${bands}
    <path class="middle" d="M-0.5 ${HEIGHT / 2}H${width + 0.5}" />
    ${curves(nodes).map((line) => svg`<path class="curve" d=${line} />`)}
    ${nodes.flatMap((node, place) => node.verdict?.mistake || node.verdict?.verdict === "proved loss"
      ? [svg`<path class="mistake" d="M${place - 0.5} ${HEIGHT}h1l-.5 -14z" />`] : [])}
    <path class="cursor" d="M${here} 0V${HEIGHT}" />
  </svg>`;
}

// The stretches at which one player is proved to win at every move.
function proved(nodes) {
  const bands = [];
  nodes.forEach(({ summary }, place) => {
    const winner = summary?.winner ?? null, last = bands[bands.length - 1];
    if (winner === null) return;
    if (last?.winner === winner && last.to === place - 1) last.to = place;
    else bands.push({ winner, from: place, to: place });
  });
  return bands;
}

// The mean of each two plies, for whoever has moved is ahead by a tempo; it breaks at proofs.
function curves(nodes) {
  const lines = [];
  let line = [];
  const end = () => { if (line.length > 1) lines.push(`M${line.join("L")}`); line = []; };
  nodes.forEach(({ summary }, place) => {
    const before = nodes[place - 1]?.summary ?? summary;
    if (summary === undefined || summary.winner !== null) { end(); return; }
    const chance = (summary.chance + (before.winner === null ? before.chance : summary.chance)) / 2;
    line.push(`${place} ${((1 - chance) * HEIGHT).toFixed(1)}`);
  });
  end();
  return lines;
}
