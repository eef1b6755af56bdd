// The answer: who wins or stands better, in one line, the reason, and what to play.

import { html, noChange } from "../vendor/lit-html.js";
import { hasOpenings, name } from "../layers.js";
import { withCells } from "../board.js";
import { UNSEEN } from "../hidden.js";
import { turnOf } from "../reviewing.js";
import { headlineOf } from "../known.js";
import { candidatesOf, isLosing, togglePause } from "../search.js";
import { isFirstSight, moveWord, outcome } from "../stones.js";
import { isGivenUp, moveOf } from "../tree.js";
import { button, icon } from "./fields.js";

const ORDER = "the chance after each, and its number of simulations, most first";

// The bar beside the board: each player's chance; solid if the winner is proved.
export function evaluationBar(app) {
  const { proved = null, analysis } = app.found ?? {};
  const isProved = proved !== null && proved.winner === analysis.winner && !app.hidesAnalysis;
  const isOver = outcome(app) !== null && !isProved; // then a chance would contradict the result
  const chance = app.hidesAnalysis || isFirstSight(app) || isOver ? null : latestChance(app);
  const part = chance === null ? 50 : Math.round(100 * chance);
  const look = `${isProved ? "proved-bar" : ""} ${chance === null ? "no-chance" : ""}`;
  return html`<div class="evaluation ${look}" aria-hidden="true">
    <div class="black" .style=${`flex:${part} 0 0`}></div>
    <div class="white" .style=${`flex:${100 - part} 0 0`}></div></div>`;
}

// Black's chance by the latest answer on the path, so that the bar does not jump.
function latestChance(app) {
  for (let node = app.node; node !== null; node = node.parent) {
    if (node.summary) return node.summary.chance;
  }
  return null;
}

export function verdictPanel(app) {
  const { found } = app;
  if (found === null && app.settling === app.node) return noChange;
  if (isGivenUp(app.node)) {
    return html`<section class="verdict"><h2 class="headline">${outcome(app)}</h2>
      ${howItTurned(app)}</section>`;
  }
  if (app.game.isHidden) {
    return html`<section class="verdict"><h2 class="headline">Dark Hex</h2>
      <p>${UNSEEN}</p>
      <p class="buttons">${button("Return to Dark", () => app.setMode("dark"))}</p></section>`;
  }
  if (app.isTrying) return tryingPanel(app);
  if (isFirstSight(app)) return firstPanel(app);
  if (found === null) return waitingPanel(app);
  return html`<section class="verdict">
    <h2 class="headline ${isOpen(found) ? "open" : ""}">${headline(app)}</h2>
    ${otherTurns(app)} ${answer(app)} ${details(app)}</section>`;
}

const isOpen = ({ proved, said }) => proved === null && !said.result;

// The exercise of a review, until the user asks for its answer.
function tryingPanel(app) {
  const show = () => { app.trying = null; app.look(); app.redraw(); };
  return html`<section class="verdict"><h2 class="headline">${name(app.turn)} to move</h2>
    <p>Find something better than ${app.trying.move}.</p>
    <p class="buttons">${button("Show the answer", show)}</p>
    </section>`;
}

// An empty board. Its buttons stay when the answer comes: one that is made anew loses the focus.
function firstPanel(app) {
  const { found } = app, isWaiting = found === null;
  const look = isWaiting ? "waiting" : isOpen(found) ? "open" : "";
  return html`<section class="verdict">
    <h2 class="headline ${look}">${isWaiting ? `${name(app.turn)} to move` : headline(app)}</h2>
    ${isWaiting || isOpen(found) ? "" : reason(app)} ${invitation(app)}
    ${isWaiting ? compiling(app) : details(app)}</section>`;
}

function waitingPanel(app) {
  const isAway = app.status !== "open";
  const isRefused = !isAway && !app.node.asking;
  const text = isAway ? "\u00a0" : isRefused ? "No answer yet" : "Looking ...";
  return html`<section class="verdict"><h2 class="headline waiting">${text}</h2>
    ${isRefused ? button("Ask again", () => app.look()) : compiling(app)}</section>`;
}

const compiling = (app) => html`<p class="hint">${app.node.compiling ?? ""}</p>`;

function headline(app) {
  const [claim, how] = headlineOf(app).split(": ");
  return how ? html`${claim}: <span class="how">${how}</span>` : withCells(app, claim);
}

// The reason in a line; the words of the engine are in the details. A proof and an estimate must
// not look alike.
function reason(app) {
  const { said, proved } = app.found;
  if (app.hasResultOnly) return "";
  if (proved !== null) {
    return html`<p class="proved"><span aria-hidden="true">■</span>
      ${withCells(app, said.proof)}</p>`;
  }
  return said.estimate
    ? html`<p class="estimate"><span aria-hidden="true">≈</span> ${said.estimate}</p>` : "";
}

// The answer about a position. At the end of a line, how the game turned comes first; a finished
// game has no search.
function answer(app) {
  const { change } = app.found.said, turned = howItTurned(app);
  const isEnd = app.node.children.length === 0, isOver = outcome(app) !== null;
  return html`${isOver ? "" : searching(app)} ${isEnd ? turned : ""} ${reason(app)}
    ${isOver ? "" : candidates(app)} ${isEnd ? "" : turned}
    ${change ? html`<p class="change">${withCells(app, change)}</p>` : ""}`;
}

// The remark on a game whose turns do not alternate.
function otherTurns(app) {
  const { turns } = app.found.said;
  return turns ? html`<p class="turns">${turns}
    ${button("Its chances, in Bids", () => app.setMode("bidding"))}</p>` : "";
}

// How the game turned, at a move of the line that was reviewed; elsewhere the tab Review has it.
function howItTurned(app) {
  const { review, game, node } = app;
  const isOfLine = review?.record === game
    && (node.parent === null || review.nodes.includes(moveOf(node)));
  const turn = isOfLine ? turnOf(review) : "";
  return turn ? html`<p class="turn">${withCells(app, turn)}</p>` : "";
}

function invitation(app) {
  const example = () => app.loadExample("london-2000-queenbee-hexy");
  return html`<p class="invitation">Play, paste a game, or open an example.</p><p class="buttons">
    ${button("Play a game", () => app.setMode("play"))}
    ${button("Open a game", () => app.setMode("load"))}
    ${button("An example", example)}
    ${hasOpenings(app) ? button("Which first moves to swap", () => app.setLayer("links"))
      : ""}</p>`;
}

// The progress of the search, and the button that pauses it.
function searching(app) {
  if (app.mode !== "analyze") return ""; // nothing is searched elsewhere
  const { searches } = app.settings, { work = "" } = app.node;
  const title = searches ? "Pause the search (Space)" : "Resume the search (Space)";
  return html`<div class="search"><span>${work}</span> <button type="button" class="icon"
    aria-label=${title} title=${title} aria-pressed=${!searches}
    @click=${() => togglePause(app)}>${icon(searches ? "pause" : "next")}</button></div>`;
}

// Up to three moves with their chances; their place is reserved while the search runs.
function candidates(app) {
  const isSettled = app.node.isSearched || !app.settings.searches || app.mode !== "analyze";
  const moves = candidatesOf(app), words = moves.length ? "" : app.node.compiling;
  const order = moves.some((one) => one.winner === null && !one.isOpening) ? ORDER : "";
  return html`<ol class="candidates ${isSettled ? "settled" : ""}" title=${order}
    aria-label=${`Moves to play${order && `: ${order}`}`}>${words
    ? html`<li class="hint">${words}</li>` : ""}${moves.map((one) => candidate(app, one))}</ol>`;
}

// A candidate: hover or focus shows its line as ghost stones, a press plays the move.
function candidate(app, one) {
  const { move, said, line } = one;
  const show = () => app.show({ lineShown: line }), hide = () => app.show({ lineShown: null });
  const play = () => (app.onPress === undefined ? app.play(move) : app.onPress(move));
  const look = isLosing(app, one) ? "losing" : "";
  return html`<li class=${look}><button type="button" class="row" @pointerenter=${show}
    @pointerleave=${hide}
    @focus=${show} @blur=${hide} @click=${play}
    ><b>${moveWord(move)}</b> <span class="chance">${said}</span>
    <span class="hint">${line.slice(1).join(" ")}</span></button></li>`;
}

function details(app) {
  const { said } = app.found;
  return html`<details><summary>Details</summary>
    ${said.swap ? html`<p>${withCells(app, said.swap)}</p>` : ""}
    <p>${withCells(app, said.verdict)}</p>
    ${said.more.map((line) => html`<p>${withCells(app, line)}</p>`)}</details>`;
}
