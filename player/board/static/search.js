// The search for the best moves in the position that is shown, until it is paused.

import { compilingWords } from "./state.js";
import { isFirstSight, outcome, positionAt } from "./stones.js";
import { isCell, isGivenUp } from "./tree.js";

const SECONDS = 30; // for the position that is shown
const TRY = 1; // seconds for a better move than a mistake
const SHOWN = 3; // candidates at most

// Search the position that is shown; cancel the search of another one.
export function search(app) {
  const { node } = app, { settings: { searches } } = app;
  const isWanted = searches && app.mode === "analyze" && app.status === "open"
    && !app.hidesAnalysis && !isFirstSight(app) && !node.isSearched && node.found
    && node.found.chain.length === 0 && node.found.analysis.outcome == null
    && !isGivenUp(node);
  if (app.searched === node.state && isWanted) return;
  app.searched = isWanted ? node.state : null; // a state, because stones may be set up at a node
  if (isWanted) searchAt(app, node, SECONDS);
  else app.server.cancel("moves");
}

// Pause the search or resume it: Space, or the button in the answer.
export function togglePause(app) {
  app.searched = null;
  app.set("searches", !app.settings.searches);
  search(app);
}

async function searchAt(app, node, seconds) {
  const fields = { position: positionAt(app.game, node), seconds }, { state } = node;
  const onProgress = ({ compiling, text, ...told }) => {
    node.compiling = compiling ? compilingWords(compiling) : "";
    if (told.candidates !== undefined) storeMoves(node, told, text);
    if (node === app.node) app.redraw();
  };
  const options = { channel: "moves", about: node, onProgress };
  const found = await app.askQuietly("moves", fields, options);
  if (app.searched === state) app.searched = null;
  const isTold = node.compiling; // compiling is over
  node.compiling = "";
  if (found === null && isTold) app.redraw();
  if (found === null) return;
  const isNews = found.winner !== null && node.found?.proved === null;
  node.isSearched = true;
  storeMoves(node, found, "");
  if (isNews) { // ask again: the server has a proof now
    node.found = undefined;
    app.look(false);
    app.onProof(node, found.winner);
  }
  app.redraw();
}

// Store the moves of a search; its chance replaces any other estimate of the position.
function storeMoves(node, { candidates, estimate, tried }, work) {
  Object.assign(node, { candidates, estimate, tried, work });
  showEstimate(node);
}

export function showEstimate(node) {
  const { found, estimate } = node;
  if (!found || !estimate || found.analysis.winner !== null || found.proved !== null) return;
  const { chance, said } = estimate;
  found.chance = chance;
  found.said.estimate = found.said.unless + said;
  node.summary = { ...node.summary, chance };
}

// The moves to list: not those of a search whose chances are void because the winner is proved.
export function candidatesOf(app) {
  const { found, node } = app;
  if (found === null || outcome(app) !== null || isFirstSight(app)) return [];
  const isStale = found.proved !== null && node.candidates?.some((one) => one.winner === null);
  const moves = isStale ? found.candidates : node.candidates ?? found.candidates;
  return withOpening(app, moves ?? []).slice(0, SHOWN);
}

// While a swap may follow, the maps of openings come first, because chances ignore the swap:
// a swap before other moves, or a first move alone.
function withOpening({ game, found: { opening } }, moves) {
  if (!opening) return moves;
  const { move } = opening, isStone = isCell(game, move);
  const first = { move, said: "", winner: null, line: isStone ? [move] : [], isOpening: true };
  return isStone ? [first] : [first, ...moves];
}

// The first candidate, or the key of a proof; null if there is none, or the game is over.
export function bestMove(app) {
  if (outcome(app) !== null) return null;
  return candidatesOf(app)[0]?.move ?? app.found?.connection?.key ?? null;
}

// Whether a candidate is proved to lose: then it only delays the loss.
export function isLosing(app, { winner }) {
  return winner !== null && winner !== app.turn;
}

// Stop the search until `look` resumes it.
function suspend(app) {
  app.searched = null;
  app.server.cancel("moves");
}

// Search for a refutation of a move that is tried instead of a mistake.
export async function searchTry(app, node) {
  const fields = { position: positionAt(app.game, node), seconds: TRY };
  suspend(app);
  const options = { channel: "try", about: node, isHere: true };
  const answer = await app.askQuietly("moves", fields, options);
  if (answer?.winner) node.found = undefined; // ask again: the server has a proof now
  if (node === app.node) await app.look(false);
}

// Search for the best try instead of a mistake, if no better move is proved; show the first result
// at once, then the last one. Return the answer, or null.
export async function searchForTry(app, node) {
  const before = node.parent;
  if (before.candidates?.length || app.tried === before) return null; // known, or being searched
  const fields = { position: positionAt(app.game, before), seconds: TRY };
  app.tried = before;
  if (app.isVisitor) suspend(app); // a visitor may run one search at a time
  const show = ({ candidates, estimate }) => {
    if (!candidates?.length) return;
    Object.assign(before, { candidates, estimate });
    app.redraw();
  };
  const onProgress = (told) => { if (!before.candidates?.length) show(told); };
  const options = { channel: "try", about: before, onProgress };
  const answer = await app.askQuietly("moves", fields, options);
  if (answer !== null) show(answer);
  if (!before.candidates?.length && !answer?.winner) app.tried = null; // a later call tries again
  return answer;
}
