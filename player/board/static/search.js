// The search for moves to play: it goes on while one looks at a position, until it is paused.

import { compilingWords } from "./state.js";
import { isFirstSight, positionAt } from "./stones.js";

const SECONDS = 30; // for the position that is shown
const TRY = 1; // for what was better than a mistake

// Search the position that is shown; give up that of another.
export function search(app) {
  const { node } = app, { settings: { searches } } = app;
  const isWanted = searches && app.mode === "analyze" && app.status === "open"
    && !app.hidesAnalysis && !isFirstSight(app) && !node.isSearched && node.found
    && node.found.chain.length === 0 && node.found.analysis.outcome == null
    && !["resign", "forfeit"].includes(node.move);
  if (app.searched === node.state && isWanted) return;
  app.searched = isWanted ? node.state : null; // with other stones it is another position
  if (isWanted) searchAt(app, node, SECONDS);
  else app.server.cancel("moves");
}

// Space, or the button in the answer.
export function pause(app) {
  app.searched = null;
  app.set("searches", !app.settings.searches);
  search(app);
}

async function searchAt(app, node, seconds) {
  const fields = { position: positionAt(app.game, node), seconds }, { state } = node;
  const onProgress = ({ compiling, text, ...told }) => {
    node.compiling = compiling ? compilingWords(compiling) : "";
    if (told.candidates !== undefined) take(node, told, text);
    if (node === app.node) app.changed();
  };
  const options = { channel: "moves", about: node, onProgress };
  const found = await app.askQuietly("moves", fields, options);
  if (app.searched === state) app.searched = null;
  const isTold = node.compiling; // of which nothing more is heard
  node.compiling = "";
  if (found === null && isTold) app.changed();
  if (found === null) return;
  const isNews = found.winner !== null && node.found?.proved === null;
  node.isSearched = true;
  take(node, found, "");
  if (isNews) { // what was proved is known to whoever asks again
    node.found = undefined;
    app.look(false);
    app.onProof(node, found.winner);
  }
  app.changed();
}

// The chance after the best move is that of the position; no other estimate stands beside it.
function take(node, { candidates, estimate, tried }, work) {
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

// Look for a refutation of a move that is tried in place of a mistake, for as long as for the best
// try.
export async function searchTry(app, node) {
  const fields = { position: positionAt(app.game, node), seconds: TRY };
  app.searched = null; // which would be in the way, and goes on after it
  app.server.cancel("moves");
  const options = { channel: "try", about: node, isHere: true };
  const found = await app.askQuietly("moves", fields, options);
  if (found?.winner) node.found = undefined; // what was proved is known to whoever asks again
  if (node === app.node) await app.look(false);
}

// Ask for the best try before a mistake, where no better move is proved: the first one is shown at
// once, then the last one. Return the answer, or null.
export async function searchForTry(app, node) {
  const before = node.parent;
  if (before.candidates?.length || app.tried === before) return null; // early reports have none
  const fields = { position: positionAt(app.game, before), seconds: TRY };
  app.tried = before;
  if (app.isVisitor) { // whose search would be in the way for as long as one looks
    app.searched = null;
    app.server.cancel("moves");
  }
  const show = ({ candidates, estimate }) => {
    if (!candidates?.length) return;
    Object.assign(before, { candidates, estimate });
    app.changed();
  };
  const onProgress = (told) => { if (!before.candidates?.length) show(told); };
  const options = { channel: "try", about: before, onProgress };
  const found = await app.askQuietly("moves", fields, options);
  if (found === null) app.tried = null;
  else show(found);
  return found;
}
