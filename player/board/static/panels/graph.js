// The graph of the game: each player's chance as a share of the height, the whole height for a
// proved win, and a slider over it.

import { html, svg } from "../vendor/lit-html.js";
import { guard } from "../vendor/directives/guard.js";
import { name, perCent } from "../layers.js";
import { isMistake, turningPoints } from "../reviewing.js";
import { moveWord } from "../stones.js";
import { alternates, isGivenUp, moveOf, plyOf } from "../tree.js";
import { button } from "./fields.js";

const HEIGHT = 60;

export function graphPanel(app) {
  const nodes = app.plies;
  if (nodes.length < 2) {
    return html`<section class="graph">
      <p class="hint">The course of the game comes here.</p></section>`;
  }
  const here = plyOf(app.node);
  const known = nodes.flatMap((node) => [node.summary, moveOf(node).verdict]);
  return html`<section class="graph">${graphHead(app, nodes, here)}
    <div class="chart" @pointermove=${(event) => pointAt(app, nodes, event)}
      @pointerleave=${() => pointAt(app, nodes, null)}>
      ${guard([here, name("black"), ...known], () => chart(nodes, here))}
      <span class="axis top" aria-hidden="true">${name("black")}</span>
      <span class="axis bottom" aria-hidden="true">${name("white")}</span>
      <input type="range" min="0" max=${nodes.length - 1} .value=${String(here)} aria-label="Move"
        aria-valuetext=${valueText(nodes, here)}
        @input=${(event) => app.visit(nodes[Number(event.target.value)])}>
      ${nodes.map(moveOf).map((node, number) => (isMistake(node)
        ? mistakeDot(app, node, number / (nodes.length - 1)) : ""))}</div></section>`;
}

function graphHead(app, nodes, here) {
  const turning = turningPoints(nodes), busy = app.busy.get("graph");
  const next = turning.find((place) => place > here);
  const words = app.plyPointed === undefined ? turnWords(app, nodes, turning)
    : valueText(nodes, app.plyPointed);
  const turn = () => app.visit(nodes[next]);
  return html`<p class="graph-head">${button("Next turning point", turn, next === undefined)}
    <span class="hint" title=${words}>${words}</span>
    ${busy ? html`<span class="waiting">${busy.text || "Looking ..."}
      ${button("Stop", () => app.server.cancel("graph"))}</span>` : ""}
    </p>`;
}

function pointAt(app, nodes, event) {
  const ply = event === null ? undefined : placeUnder(nodes, event);
  if (ply === app.plyPointed) return;
  app.plyPointed = ply;
  app.redraw();
}

function placeUnder(nodes, event) {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const place = Math.round((event.clientX - left) / width * (nodes.length - 1));
  return Math.max(0, Math.min(nodes.length - 1, place));
}

// The sentence about the move from which on the winner at the end is proved.
function turnWords(app, nodes, turning) {
  const end = nodes.at(-1), last = end.summary;
  if (last === undefined || last.winner === null || turning.length === 0) return "";
  if (isGivenUp(end) && last.winner === end.color) return ""; // the result is another one
  const wins = `${name(last.winner)} wins from move ${turning.at(-1)}`;
  return alternates(app.game) ? wins : `If turns alternate, ${wins}`;
}

function valueText(nodes, place) {
  if (nodes[place] === undefined) return "";
  const node = moveOf(nodes[place]), { move, color, verdict } = node, { summary } = nodes[place];
  const judged = verdict === undefined ? "" : `, ${verdict.word}`;
  const what = move === null ? "start" : `move ${place}, ${name(color)} ${moveWord(move)}`;
  if (isGivenUp(node) || summary === undefined) return what + judged;
  if (summary.winner !== null) return `${what}: proved ${name(summary.winner)}${judged}`;
  return `${what}: ${name("black")} ${perCent(summary.chance)} per cent, estimated${judged}`;
}

function chart(nodes, here) {
  const width = nodes.length - 1, lines = curves(nodes);
  const bands = proofBands(nodes).map(({ winner, from, to }) => {
    const left = Math.max(0, from - 0.5), right = Math.min(width, to + 0.5);
    return svg`<rect class="band ${winner}" x=${left} y="0" width=${right - left}
      height=${HEIGHT} />`;
  });
  return html`<svg class="chart-picture" viewBox="0 0 ${width} ${HEIGHT}"
      preserveAspectRatio="none" aria-hidden="true">
    ${lines.map((line) => [svg`<path class="area black" d=${area(line, 0)} />`,
      svg`<path class="area white" d=${area(line, HEIGHT)} />`])}
    ${bands}
    <path class="middle" d="M0 ${HEIGHT / 2}H${width}" />
    ${lines.map((line) => svg`<path class="curve" d="M${pathOf(line)}" />`)}
    <path class="cursor" d="M${here} 0V${HEIGHT}" />
  </svg>`;
}

// The dot of a mistake; a press shows the position before it.
function mistakeDot(app, node, share) {
  const title = `Mistake: ${node.verdict.number} ${node.verdict.move}`;
  const open = () => {
    app.tab = "review";
    app.visit(node.parent, { card: node });
  };
  return html`<button type="button" class="mistake" aria-label=${title} title=${title}
    .style=${`left:${100 * share}%`} @click=${open}></button>`;
}

const pathOf = (line) => line.map((point) => point.join(" ")).join("L");

function area(line, floor) {
  const [first, last] = [line[0], line.at(-1)];
  return `M${first[0]} ${floor}L${pathOf(line)}L${last[0]} ${floor}Z`;
}

// The maximal ranges of moves with the same proved winner.
function proofBands(nodes) {
  const bands = [];
  nodes.forEach(({ summary }, place) => {
    const winner = summary?.winner ?? null, last = bands.at(-1);
    if (winner === null) return;
    if (last?.winner === winner && last.to === place - 1) last.to = place;
    else bands.push({ winner, from: place, to: place });
  });
  return bands;
}

// The curves of chances, broken at proofs. Each point is the mean of two plies, because the player
// who has just moved is ahead by a tempo.
function curves(nodes) {
  const lines = [];
  let line = [];
  const end = () => { if (line.length > 1) lines.push(line); line = []; };
  nodes.forEach(({ summary }, place) => {
    if (summary === undefined || summary.winner !== null) { end(); return; }
    const before = nodes[place - 1]?.summary ?? summary;
    const chance = (summary.chance + (before.winner === null ? before : summary).chance) / 2;
    line.push([place, (chance * HEIGHT).toFixed(1)]);
  });
  end();
  return lines;
}
