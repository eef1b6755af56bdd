// The chances of a position at random turns, a fair bid, and how often each cell decides.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { name } from "../layers.js";
import { say } from "../speech.js";
import { positionAt } from "../stones.js";
import { button, working } from "./fields.js";

export function oddsPanel(app, bids) {
  const found = app.node.odds;
  return html`<section><h2>Chances and a fair bid</h2>
    <p class="buttons">
      ${button("Count the chances here", () => count(app, bids), app.busy.has("odds"))}</p>
    ${working(app, "odds")} ${found ? chances(app, found) : ""}</section>`;
}

async function count(app, bids) {
  const { node } = app, { black, white } = bids.state?.chips ?? bids;
  const holder = bids.state?.holder ?? bids.holder, position = positionAt(app.game, node);
  const fields = { position, black, white, holder };
  const answer = await app.work("odds", "odds", fields, undefined, { about: node });
  if (answer === null) return;
  node.odds = answer;
  say(answer.said[1]);
  app.wantInSight(".chances");
}

function chances(app, { bid, said }) {
  const share = (color) => `${name(color)} ${Math.round(100 * bid.win_probability[color])} %`;
  return html`<div class="chances"><p>At random turns ${share("black")}, ${share("white")} win.</p>
    <p>A fair bid is <b>${bid.bid}</b>, for ${withCells(app, bid.move)}.</p>
    <p class="hint of-board">On the board: how often each cell decides the game, in per cent.</p>
    <details><summary>Details</summary>
      ${said.slice(1).map((line) => html`<p>${withCells(app, line)}</p>`)}</details></div>`;
}
