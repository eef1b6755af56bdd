// A review of the game on the board: it starts with the effort "quick" and deepens. Its results go
// into the graph, the list of moves and the answer.

import { name } from "./layers.js";
import { searchForTry, searchTry } from "./search.js";
import { say } from "./state.js";
import { moveWord } from "./stones.js";
import { alternates, cutRecord, isThere, nodeAt, path, pliesOf, stepsTo } from "./tree.js";

// The efforts with their relative lengths, for one progress bar.
const LENGTHS = { quick: 1, normal: 6, deep: 24 }, EFFORTS = Object.keys(LENGTHS);

// Review a line of the game with increasing effort, until another game is on the board.
export async function startReview(app, efforts = EFFORTS, line = app.line) {
  const { game } = app, nodes = line.filter((node) => node.move !== null);
  const plies = pliesOf(line);
  if (nodes.length < 2) return;
  const record = cutRecord(game, line.at(-1)); // not the moves after it
  const whole = efforts.reduce((sum, effort) => sum + LENGTHS[effort], 0);
  let past = 0;
  for (const effort of efforts) {
    const part = [past / whole, (past += LENGTHS[effort]) / whole];
    const about = { effort, record: game, sent: record, nodes, plies };
    const hear = (told) => storeProgress(app, about, told);
    const fields = { game: record, effort };
    const own = app.unreviewed = { game, efforts: efforts.slice(efforts.indexOf(effort)), line };
    const answer = await app.work("review", "review", fields, hear, { part });
    if (app.game !== game || app.unreviewed !== own) return; // another review has begun
    const isStopped = answer === null && app.status === "open"; // by a person
    if (answer !== null || isStopped) app.unreviewed = null;
    if (answer === null) { app.fillGraph(); return; }
    const review = { ...answer, ...about, isWhole: true };
    if (isStale(app, review)) reviewAgain(app, about);
    else showReview(app, review);
  }
}

// The review in progress, for a reload: the efforts left and the line.
export function packReviewing({ unreviewed, game }) {
  if (unreviewed?.game !== game) return null;
  const { efforts, line } = unreviewed, steps = stepsTo(line.at(-1));
  return steps.includes(-1) ? null : { efforts, steps, played: keyOfLine(game, line) };
}

// Resume it, unless the moves have changed.
export function resumeReviewing(app, kept) {
  if (kept === null || app.busy.has("review")) return;
  const { game } = app, { efforts } = kept, line = path(nodeAt(game, kept.steps));
  if (keyOfLine(game, line) !== kept.played) return;
  app.unreviewed = { game, efforts, line };
  continueReviewing(app);
}

// Resume a review that was in progress when the server went away; return whether there was one.
export function continueReviewing(app) {
  const { unreviewed } = app;
  app.unreviewed = null;
  if (unreviewed?.game !== app.game) return false;
  startReview(app, unreviewed.efforts, unreviewed.line);
  return true;
}

// Restart the review in progress, whose sentences have other names of the players.
export function restartReviewing(app) {
  const { unreviewed } = app;
  app.server.cancel("again");
  if (unreviewed?.game !== app.game) return;
  const last = EFFORTS.indexOf(unreviewed.efforts.at(-1));
  startReview(app, EFFORTS.slice(0, last + 1), unreviewed.line);
}

function storeProgress(app, about, told) {
  const { record, plies } = about;
  if (app.game !== record) return;
  const isKnown = app.review?.record === record && app.review.isWhole;
  if (told.ply !== undefined && plies[told.ply]) {
    const { found } = app;
    learn(plies[told.ply], told);
    if (app.found !== found) app.look(false);
    if (isKnown && told.winner !== null) correct(app, plies[told.ply], told.winner);
  }
  if (told.so_far === undefined || isKnown) return;
  const moves = [...Array(told.from), ...told.so_far.moves];
  const review = { ...about, ...told.so_far, moves, isWhole: false };
  if (!isStale(app, review)) showReview(app, review);
}

// Whether the review shown has more proofs than this one.
function isStale({ review: known }, { record, game }) {
  const { proved_winner: winner, turning_point: from } = game;
  return known?.record === record && known.game.proved_winner === winner
    && from > known.game.turning_point;
}

// Review again with the effort "quick" and all proofs so far; `about` is the review to replace.
async function reviewAgain(app, about) {
  const fields = { game: about.sent, effort: "quick" };
  const onProgress = (told) => storeProgress(app, about, told);
  const answer = await app.askQuietly("review", fields, { channel: "again", onProgress });
  if (answer === null || app.game !== about.record) return;
  const review = { ...about, ...answer, isWhole: true };
  if (!isStale(app, review)) showReview(app, review);
}

// Correct the review if the winner at `node`, before the decisive move, was just proved. If all
// moves lose there, an earlier one was decisive: show only what is proved until a new review has
// found it. Where turns do not alternate, each review finds its own.
export function correct(app, node, winner) {
  const { review } = app;
  if (review && !alternates(review.record)) return;
  const move = review?.record === app.game ? decisiveMove(review) : null;
  if (move === null || review.nodes[move.number - 1].parent !== node) return;
  if (move.better[0] === "swap-pieces") return; // a proof without swap
  const isLost = winner === review.game.proved_winner; // whatever the player moved
  if (!isLost && move.before.proved_winner === winner) return; // the review knows it
  if (isLost) {
    const game = { ...review.game, turning_point: move.number - 1, last_mistake: null };
    app.review = { ...review, game, moves: [], isWhole: false };
    review.nodes[move.number - 1].verdict = undefined;
    say(turnOf(app.review));
    dropMistake(app);
  }
  reviewAgain(app, review);
  app.redraw();
}

// If the mistake that is shown or tried is none after all, tell the user: every move loses.
function dropMistake(app) {
  const node = app.card ?? app.trying;
  if (!app.review?.nodes.includes(node) || isMistake(node)) return;
  app.card = app.trying = app.lineShown = null;
  if (node.parent !== app.node) return;
  app.look(false);
  const all = `Every move of ${name(node.color)} is proved to lose here`;
  app.tell(`${all}: ${node.move} was no mistake.`);
}

// Show a review: in the graph, the list of moves and the answer.
function showReview(app, review) {
  app.review = review.isWhole || turnOf(review) ? review : undefined;
  review.nodes.forEach((node, place) => {
    if (review.moves[place] === undefined) return;
    node.verdict = review.moves[place];
    learn(review.plies[place + 1], summaryOf(node.verdict.after));
  });
  const turn = turnOf(review);
  if (turn && turn !== app.turnSaid) say(turn);
  app.turnSaid = turn;
  dropMistake(app);
  const mistake = mistakeOf(review);
  if (mistake !== null && mistake.verdict.better.length === 0) findBestTry(app, mistake);
  app.look(false);
  app.redraw();
}

async function findBestTry(app, mistake) {
  const found = await searchForTry(app, mistake);
  if (found?.winner) correct(app, mistake.parent, found.winner);
}

// The review of the moves that are there, for a reload; null if the game has none.
export function packReview({ review, game, build, settings: { redBlue } }) {
  if (review?.record !== game) return null;
  const { effort, isWhole, game: whole, said } = review, nodes = review.nodes.filter(isThere);
  if (!nodes.length) return null;
  const steps = stepsTo(nodes.at(-1));
  const moves = nodes.map((node, place) => (node.verdict && review.moves[place]) ?? null);
  const played = keyOfLine(game, path(nodes.at(-1)));
  return { build, played, redBlue, steps, effort, isWhole, game: whole, said, moves };
}

// A key for the subject of a review: the board, and the stones played on it.
const keyOfLine = ({ columns, rows }, line) => JSON.stringify([columns, rows, line.map((node) =>
  [node.color, node.move, node.black, node.white, node.cleared])]);

// Show a stored review, unless the moves, the names of the players or the program have changed.
export function resumeReview(app, kept) {
  const { game, build, settings: { redBlue, reviews, deepens } } = app;
  if (kept === null || kept.redBlue !== redBlue) return;
  if (kept.build !== build) {
    if (reviews) startReview(app, deepens ? EFFORTS : EFFORTS.slice(0, 1));
    return;
  }
  const { steps, moves, played, ...rest } = kept, line = path(nodeAt(game, steps));
  if (played !== keyOfLine(game, line)) return;
  const nodes = line.filter((node) => node.move !== null), plies = pliesOf(line);
  const sent = cutRecord(game, line.at(-1));
  const review = { ...rest, moves: moves.map((one) => one ?? undefined) };
  Object.assign(review, { record: game, sent, nodes, plies });
  app.turnSaid = turnOf(review); // it was spoken before
  showReview(app, review);
}

// Store the summary of a node. If its winner is new, drop the analysis.
function learn(node, { winner, proof, chance }) {
  const isNews = winner !== null && node.summary?.winner !== winner;
  if (isNews || node.summary === undefined) node.summary = { winner, proof, chance };
  if (isNews && node.found?.proved === null) node.found = undefined;
}

// A review has the chance of the player to move, the graph has Black's.
function summaryOf({ turn, proved_winner: winner, proof, chance }) {
  return { winner, proof: proof?.by ?? null, chance: turn === "black" ? chance : 1 - chance };
}

// The decisive move: the last mistake, else that from which on a win is proved.
function decisiveMove({ game, moves }) {
  const number = game.last_mistake ?? game.turning_point;
  return number === null ? null : moves[number - 1] ?? null;
}

// The node of the decisive move, if it was a mistake; null if it was the winner's.
function mistakeOf(review) {
  const move = decisiveMove(review);
  return move === null || move.color === review.game.proved_winner ? null
    : review.nodes[move.number - 1];
}

// How the game turned, in one line.
export function turnOf(review) {
  const move = decisiveMove(review), { proved_winner: winner, turning_point: from } = review.game;
  const isGone = move !== null && !isThere(review.nodes[move.number - 1]);
  if (winner === null || isGone) return "";
  const isAlternating = alternates(review.record);
  if (move === null) {
    return review.isWhole || !isAlternating ? ""
      : `${name(winner)} wins from move ${from} or before.`;
  }
  const what = move.color === winner ? "decided it" : `was the mistake; ${betterOf(review, move)}`;
  const start = isAlternating ? `${name(winner)} wins from move ${from}.` : "If turns alternate:";
  return `${start} ${move.number} ${moveWord(move.move)} ${what}.`;
}

// A better move than a mistake; if none is proved, the best try, or if all moves are proved to
// lose meanwhile, the one that is hardest to refute.
function betterOf(review, move) {
  if (move.better.length) return `${moveWord(move.better[0])} held`;
  const node = review.nodes[move.number - 1];
  const best = tryAt(node) ?? otherMoves(node)[0]?.move;
  return best === undefined ? "no better move is known" : `the best try was ${best}`;
}

const otherMoves = ({ parent, move }) =>
  (parent.candidates ?? []).filter((one) => one.move !== move);

// The best move before a mistake by the search, unless it is proved to lose.
export function tryAt(node) {
  const [best] = otherMoves(node);
  return best === undefined || ![null, node.color].includes(best.winner) ? null : best.move;
}

export const isMistake = ({ verdict }) => Boolean(verdict?.mistake)
  || verdict?.verdict === "proved loss";

// Whether the estimate fell, which is not called a mistake.
export const isFall = ({ verdict }) => verdict?.verdict === "estimate fell";

// Try a move in the exercise of a mistake: take a losing one back, and show its refutation. Return
// whether it was played.
export async function tryMove(app, cell) {
  if (app.judged) return app.complain(`${app.judged} is being judged`);
  app.judged = cell;
  return judge(app, cell).finally(() => { app.judged = null; });
}

async function judge(app, cell) {
  const before = app.node, mover = app.turn;
  if (!await app.play(cell) || app.node.parent !== before) return false;
  const { node } = app;
  await app.look(false);
  if (app.node === node && app.found?.proved === null) {
    app.tell(`Looking for what refutes ${cell} ...`);
    await searchTry(app, node);
  }
  const { proved, connection } = app.found ?? {};
  if (proved === undefined || app.node !== node) return true;
  if (proved === null || proved.winner === mover) {
    app.tell(proved?.winner === mover ? `${cell} wins: well found.`
      : `${cell} is not proved to lose. ${app.found.said.estimate}`);
    app.trying = null;
  } else {
    if (app.history.isStep(node)) await app.undo();
    else app.go(before); // a comment was typed meanwhile
    app.told = null; // nobody has undone anything
    const reply = connection?.key ?? proved.move;
    app.lineShown = reply === null ? [cell] : [cell, reply];
    const how = reply === null ? "" : `: ${name(proved.winner)} plays ${reply}`;
    app.tell(`${cell} loses${how}. Try another.`);
  }
  return true;
}

// The marks of the mistake that is shown: amber for the move played, green for better ones.
export function mistakeMarks(app, marks) {
  const { card } = app;
  if (!card || app.isTrying || card.parent !== app.node || !isMistake(card)) return;
  marks.played = card.move;
  const { better, before } = card.verdict, tried = better.length ? null : tryAt(card);
  marks.better = new Set([...better.slice(0, 1), ...before.winning, ...tried ? [tried] : []]);
}

// The places where the proved winner changes: a proof appears or is lost.
export function turningPoints(nodes) {
  return nodes.flatMap((node, place) => {
    const before = nodes[place - 1];
    const isTurn = place > 0 && node.summary !== undefined && before.summary !== undefined
      && node.summary.winner !== before.summary.winner;
    return isTurn ? [place] : [];
  });
}
