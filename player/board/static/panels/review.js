// The panel of the review: a card for each mistake, to show it or to try another move.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { name } from "../layers.js";
import { thumbnail } from "../picture.js";
import { isFall, isMistake, startReview, tryAt, turnOf } from "../reviewing.js";
import { label, moveWord, stonesAt } from "../stones.js";
import { isThere } from "../tree.js";
import { button, row, stopButton, working } from "./fields.js";

const FALLS = 5; // falls of the estimate listed at most

// Show the position before a mistake, with the move played and better ones marked.
function showMistake(app, node) {
  const lineShown = node.verdict.better.length ? node.verdict.better : null;
  app.visit(node.parent, { trying: null, card: node, lineShown });
  showBoard(app);
}

// Draw; if the drawer of a phone hides the board, close it.
function showBoard(app) {
  if (app.isDrawerOpen) app.wantBoard();
  app.redraw();
}

// Begin the exercise of a mistake; `tryMove` judges what is tried.
function tryInstead(app, node) {
  app.visit(node.parent, { trying: node });
  app.tell(`${name(node.color)} to move: try something better than ${node.move}.`);
  app.wantBoard();
}

export function reviewPanel(app) {
  const { review } = app;
  if (app.line.length < 3) {
    return html`<p class="hint">A game of two moves or more is reviewed here.</p>`;
  }
  const isBusy = app.busy.has("review");
  return html`<p class="buttons">${button("Review this game", () => startReview(app), isBusy)}
      ${isBusy ? stopButton(app, "review") : ""}</p>
    ${working(app, "review", null)} ${review?.record === app.game ? results(app, review) : ""}
    ${here(app)}`;
}

function results(app, whole) {
  const review = { ...whole, nodes: whole.nodes.filter(isThere) };
  const mistakes = review.nodes.filter(isMistake);
  const isHidden = review.nodes.includes(app.trying); // these lines name the better move
  return html`${isHidden ? "" : html`<p><b>${withCells(app, turnOf(whole))}</b></p>`}
    <ul class="cards">${mistakes.map((node) => card(app, node))}</ul>
    ${review.isWhole && mistakes.length === 0 ? html`<p>No mistake is proved.</p>` : ""}
    ${falls(app, review)} ${onlyMoves(app, review)}
    ${isHidden ? "" : html`<details><summary>Details</summary>
      ${[...review.said ?? [], ...bases(review)].map((line) =>
        html`<p>${withCells(app, line)}</p>`)}</details>`}`;
}

// Words for verdicts whose names are too short for a sentence.
const JUDGED = { "proved loss": "loses", "missed proved win": "misses a win",
  open: "nothing is proved" };

function here(app) {
  const { verdict } = app.node;
  if (!verdict) return "";
  const { number, move, word } = verdict;
  const words = `${number} ${moveWord(move)}: ${JUDGED[word] ?? word}.`;
  return html`<p class="change">${withCells(app, words)}</p>`;
}

// The reasons of the verdicts, in the engine's words.
function bases({ nodes }) {
  return nodes.filter(({ verdict }) => verdict?.notable).map(({ verdict }) =>
    `${verdict.number} ${verdict.move}: ${verdict.basis}.`);
}

function card(app, node) {
  const { number, move, better } = node.verdict, tried = tryAt(node);
  const words = app.trying === node ? "The move is yours to find."
    : better.length ? `${moveWord(better[0])} held.`
    : tried ? `The best try was ${tried}; whether it holds is not known.`
    : "No better move is known.";
  return html`<li class="card">${thumbnail(app.game, stonesAt(node))}
    <div><b>${number} ${moveWord(move)}??</b> ${withCells(app, words)}
      <p class="buttons"><button type="button" aria-label="Show ${number} ${moveWord(move)}"
        @click=${() => showMistake(app, node)}>Show</button>
      ${button("Try it yourself", () => tryInstead(app, node))}</p>
    </div></li>`;
}

// The largest falls of the estimate, which prove nothing; a press shows the position before.
function falls(app, { nodes }) {
  const all = nodes.filter(isFall), sizes = all.map(({ verdict }) => verdict.fell);
  const least = sizes.sort((one, other) => other - one)[FALLS - 1] ?? 0;
  if (all.length === 0) return "";
  const show = (node) => { app.visit(node.parent); showBoard(app); };
  const fall = (node) => row(`${label(node)}: ${name(node.color)}'s by ${
    Math.round(100 * node.verdict.fell)} points`, () => show(node));
  return html`<p>Estimated, not proved: the chance of who moved fell most at</p>
    <ul class="rows">${all.filter(({ verdict }) => verdict.fell >= least).map(fall)}</ul>`;
}

function onlyMoves(app, review) {
  const only = review.nodes.filter(({ verdict }) => verdict?.verdict === "only move");
  if (only.length === 0) return "";
  const title = only.length === 1 ? "Only move" : "Only moves";
  return html`<p>${title}: ${only.map((node) => html`<button type="button" class="move"
    @click=${() => app.visit(node)}>${label(node)}!</button> `)}</p>`;
}
