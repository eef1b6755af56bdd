// Games with bidding or random turns: start, bids, moves, end.

import { WAIT, say } from "./state.js";
import { continueLine, cutRecord, emptyGame, nodeAt, stepsTo } from "./tree.js";

export const MOST_CHIPS = 10000; // limit of the server
const START = {
  variant: "bidding", black: 100, white: 100, holder: "black", engine: "white", size: 7,
  isOn: false, state: null, found: null, said: "", reason: "", bid: "10", takesTie: true,
  isEnding: false,
};

export function bidsState(app) {
  app.bids ??= { ...START };
  return app.bids;
}

// Begin a game, unless the server refuses or the page shows another place by then.
export async function begin(app, bids) {
  const { variant, engine, size, black, white, holder } = bids, empty = emptyGame(size);
  const fields = { variant, engine, chips: [black, white, holder] };
  const game = cutRecord(empty, empty.root);
  const answer = await app.workHere("bids", "turn", { game, ...fields });
  if (answer === null || app.mode !== "bidding") return;
  app.take({ ...answer.game, nodes: answer.game.nodes.slice(0, 1), guessed: false });
  Object.assign(bids, { isOn: true, bid: engine === null ? "" : START.bid, game: app.game,
    node: app.node });
  app.presses.set("bidding", (cell) => move(app, bids, cell));
  showTurn(app, bids, answer);
}

// Show the game as the server returned it, with bids, chips and coins.
function showTurn(app, bids, found) {
  const isBid = bids.variant === "bidding" && found.move !== null;
  const node = continueLine(app.game, bids.node, found.game);
  app.history.forget(app.game); // an undo would take back what was bid and played
  node.isFixed = true;
  Object.assign(bids, { state: found, found: null, said: found.said, node, isEnding: false,
    reason: isBid ? found.reason : "" });
  say(found.sealed ? "The bid is sealed. The other player bids." : bids.said);
  app.prepareSave();
  app.go(node, false);
  if (found.winner === null && found.mover === null) app.want(".panels form input");
  else app.wantBoard();
}

// Continue the game with acts of people; return whether they were legal. While the page shows
// another place, the answer waits until it returns.
export async function playTurn(app, bids, fields) {
  const { variant, engine } = bids, { sealed } = fields;
  const question = { variant, engine, game: cutRecord(bids.game, bids.node) };
  const found = await app.work("bids", "turn", { ...question, ...fields });
  if (found === null && sealed && bids.isOn) await checkSeal(app, bids, { ...question, sealed });
  if (found === null || !bids.isOn) return false;
  Object.assign(bids, { found, bid: engine === null ? "" : bids.bid });
  if (app.mode === "bidding") comeBackToBids(app);
  return true;
}

// After a refused bid: ask for the new name of the other one. If the server has lost it, as in a
// restart, both bid anew.
async function checkSeal(app, bids, fields) {
  const { state } = bids, found = await app.work("bids", "turn", fields);
  if (app.status === "open") state.sealed = found?.sealed ?? null;
}

// The chips, the bids and the current node, for a reload.
export function packBids({ game, bids }) {
  if (!bids?.isOn || bids.game !== game) return null;
  const { game: _, node, ...plain } = bids;
  return { ...plain, node: stepsTo(node), odds: node.odds };
}

export function resumeBids(app, { node, odds, ...plain }) {
  const bids = app.bids = { ...plain, game: app.game, node: nodeAt(app.game, node) };
  bids.node.odds = odds;
  bids.node.isFixed = true;
  app.presses.set("bidding", (cell) => move(app, bids, cell));
}

export function comeBackToBids(app) {
  const { bids } = app;
  if (!bids?.isOn) return;
  if (bids.game !== app.game) {
    end(app, bids);
    app.tell("The game on the board is another one now: that of bids is over.");
  } else if (bids.found !== null) showTurn(app, bids, bids.found);
  else if (bids.node !== app.node) app.go(bids.node, false);
}

function move(app, bids, cell) {
  const { state, engine } = bids;
  if (app.busy.has("bids")) return app.complain(WAIT);
  if (state.winner !== null) return app.complain("the game is over");
  if (state.mover === null) return app.complain("bids come before the move");
  if (state.mover === engine) return app.complain("the engine is to move");
  return playTurn(app, bids, { cell });
}

export function end(app, bids) {
  app.server.cancel("bids");
  Object.assign(bids, { isOn: false, isEnding: false, state: null, found: null });
  app.presses.delete("bidding");
  app.redraw();
}
