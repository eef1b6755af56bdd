// The review of the game on the board: it starts at quick, deepens by itself, and has a card for
// each mistake.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { name } from "../layers.js";
import { thumbnail } from "../picture.js";
import { searchForTry } from "../search.js";
import { say } from "../speech.js";
import { stonesAt } from "../stones.js";
import { lineRecord } from "../tree.js";
import { isMistake } from "./moves.js";
import { working } from "./working.js";

const EFFORTS = ["quick", "normal", "deep"];

// Review the line of the game, with more and more effort, until another game is on the board.
export async function startReview(app, efforts = EFFORTS) {
  const { game, plies } = app, nodes = app.line.filter((node) => node.move !== null);
  if (nodes.length < 2) return;
  app.tab = "review";
  const record = { ...lineRecord(game, nodes[nodes.length - 1]), cursor: null };
  for (const effort of efforts) {
    const about = { effort, record: game, nodes };
    const hear = (told) => {
      if (app.game !== game) return;
      if (told.ply !== undefined && plies[told.ply]) learn(plies[told.ply], told);
      const isKnown = app.review?.record === game && app.review.isWhole;
      if (told.so_far !== undefined && !isKnown) {
        const moves = [...Array(told.from), ...told.so_far.moves];
        takeOver(app, { ...told.so_far, ...about, moves, isWhole: false });
      }
    };
    const found = await app.work("review", "review", { game: record, effort }, hear);
    if (app.game !== game) return;
    if (found === null) { app.fillGraph(); return; }
    takeOver(app, { ...found, ...about, isWhole: true });
  }
}

// What a review found goes into the graph, the list of moves and the answer.
function takeOver(app, review) {
  app.review = review.isWhole || turnOf(review) ? review : undefined;
  review.nodes.forEach((node, place) => {
    if (review.moves[place] === undefined) return;
    node.verdict = review.moves[place];
    learn(node, summaryOf(node.verdict.after));
  });
  say(turnOf(review));
  const mistake = mistakeOf(review);
  if (mistake !== null && mistake.verdict.better.length === 0) searchForTry(app, mistake);
  app.look(false);
  app.changed();
}

// A winner that was not known before is asked about anew, for by now there is a proof.
function learn(node, { winner, proof, chance }) {
  const isNews = winner !== null && node.summary?.winner !== winner;
  if (isNews || node.summary === undefined) node.summary = { winner, proof, chance };
  if (isNews && node.found?.analysis.winner === null) node.found = undefined;
}

// A review has the chance of whoever is to move, the graph that of Black.
function summaryOf({ turn, winner, proof, chance }) {
  return { winner, proof: proof?.by ?? null, chance: turn === "black" ? chance : 1 - chance };
}

// The move that decided the game: the last mistake, else the one from which on a win is proved.
function decisive({ game, moves }) {
  const number = game.last_mistake ?? game.turning_point;
  return number === null ? null : moves[number - 1] ?? null;
}

// The node of the mistake that decided the game; null if the winner's own move did.
function mistakeOf(review) {
  const move = decisive(review);
  return move === null || move.color === review.game.winner ? null
    : review.nodes[move.number - 1];
}

// How the game turned, in one line.
export function turnOf(review) {
  const move = decisive(review), { winner, turning_point: from } = review.game;
  if (winner === null) return "";
  if (move === null) {
    return review.isWhole ? "" : `${name(winner)} wins from move ${from} or before.`;
  }
  const what = move.color === winner ? "decided it" : `was the mistake; ${betterOf(review, move)}`;
  return `${name(winner)} wins from move ${from}. ${move.number} ${move.move} ${what}.`;
}

// What was better than a mistake; where nothing is proved, what the page would have tried.
function betterOf(review, move) {
  if (move.better.length) return `${move.better[0]} held`;
  const best = tryAt(review.nodes[move.number - 1]);
  return best === null ? "no better move is known" : `the best try was ${best}`;
}

// The best move before a mistake by the search, unless that is lost as well.
function tryAt({ parent, color, move }) {
  const [best] = (parent.candidates ?? []).filter((one) => one.move !== move);
  return best === undefined || ![null, color].includes(best.winner) ? null : best.move;
}

// Go to the position before a mistake, with the move that was played and a better one marked.
export function showMistake(app, node) {
  app.go(node.parent);
  app.card = node;
  app.lineShown = node.verdict.better.length ? node.verdict.better : null;
  app.changed();
}

// Try a move in place of a mistake: one that loses is taken back, with its refutation shown.
export function tryInstead(app, node) {
  showMistake(app, node);
  app.card = app.lineShown = null;
  app.trying = node;
  app.notice = `${name(node.color)} to move: try something better than ${node.move}.`;
  app.wantBoard();
}

export async function attempt(app, cell) {
  const before = app.node, mover = app.turn;
  if (!await app.play(cell)) return;
  await app.look(false);
  const { analysis, connection } = app.found ?? {};
  if (analysis === undefined || app.node.parent !== before) return;
  if (analysis.winner === null || analysis.winner === mover) {
    app.notice = analysis.winner === mover ? `${cell} wins: well found.`
      : `${cell} may hold: no proof against it is known.`;
    app.trying = null;
  } else {
    await app.undo();
    const reply = connection?.key ?? analysis.winning_move;
    app.lineShown = reply === null ? [cell] : [cell, reply];
    const how = reply === null ? "" : `: ${name(analysis.winner)} plays ${reply}`;
    app.notice = `${cell} loses${how}. Try another.`;
  }
  say(app.notice);
  app.changed();
}

// The marks of the mistake that is looked at: amber for what was played, green for better moves.
export function mistakeMarks(app, marks) {
  const { card } = app;
  if (!card || card.parent !== app.node) return;
  marks.played = card.move;
  const { better, before } = card.verdict, tried = better.length ? null : tryAt(card);
  marks.better = new Set([...better.slice(0, 1), ...before.winning, ...tried ? [tried] : []]);
}

export function reviewPanel(app) {
  const { review } = app;
  if (app.line.length < 3) {
    return html`<p class="hint">A game of two moves or more is reviewed here.</p>`;
  }
  return html`<p class="buttons"><button type="button" ?disabled=${app.busy.has("review")}
      @click=${() => startReview(app)}>Review this game</button></p>
    ${working(app, "review")} ${review?.record === app.game ? results(app, review) : ""}
    ${here(app)}`;
}

function results(app, review) {
  return html`<p><b>${withCells(app, turnOf(review))}</b></p>
    <ul class="cards">${review.nodes.filter(isMistake).map((node) => card(app, node))}</ul>
    ${onlyMoves(app, review)}
    <details><summary>Details</summary>
      ${(review.said ?? []).map((line) => html`<p>${withCells(app, line)}</p>`)}</details>`;
}

// How the page puts the words of a review that are short for its table.
const JUDGED = { "proved loss": "loses", "missed proved win": "misses a win" };

function here(app) {
  const { verdict } = app.node;
  if (!verdict) return "";
  const { number, move, word, basis } = verdict;
  const words = `${number} ${move}: ${JUDGED[word] ?? word}, ${basis}.`;
  return html`<p class="change">${withCells(app, words)}</p>`;
}

function card(app, node) {
  const { number, move, better, basis } = node.verdict;
  const tried = tryAt(node);
  const words = better.length ? `${better[0]} held.`
    : tried ? `The best try was ${tried}. ${basis}.` : `No better move is known. ${basis}.`;
  return html`<li class="card">${thumbnail(app.game, stonesAt(node))}
    <div><b>${number} ${move}??</b> ${withCells(app, words)}
      <p class="buttons"><button type="button" aria-label="Show ${number} ${move}"
        @click=${() => showMistake(app, node)}>Show</button>
      <button type="button" @click=${() => tryInstead(app, node)}>Try it yourself</button></p>
    </div></li>`;
}

function onlyMoves(app, review) {
  const only = review.nodes.filter(({ verdict }) => verdict?.verdict === "only move");
  if (only.length === 0) return "";
  return html`<p>Only moves: ${only.map((node) => html`<button type="button" class="move"
    @click=${() => app.go(node)}>${node.verdict.number} ${node.verdict.move}!</button> `)}</p>`;
}
