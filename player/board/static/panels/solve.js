// Who wins for sure: the solver, its proof as a file, and such files checked.

import { html } from "../vendor/lit-html.js";
import { positionAt } from "../stones.js";
import { say } from "../speech.js";
import { save } from "./share.js";
import { working } from "./working.js";

export function solvePanels(app) {
  app.solving ??= { seconds: 10, every: true, proved: "" };
  const solve = app.solving;
  if (solve.node !== app.node) Object.assign(solve, { node: app.node, proved: "", checked: "" });
  const found = app.node.solved ?? null;
  const ask = async (event) => {
    event.preventDefault();
    const node = app.node;
    const answer = await app.work("solve", "solve", { position: positionAt(app.game, node), every: solve.every, seconds: solve.seconds });
    if (answer === null) return;
    node.solved = answer;
    say(answer.said);
    app.changed();
  };
  const prove = async () => {
    const answer = await app.work("solve", "prove", { position: positionAt(app.game, app.node) });
    if (answer === null) return;
    save("hex.proof", answer.text);
    solve.proved = `A proof of ${answer.positions === 1 ? "1 position" : `${answer.positions} positions`} is saved as hex.proof.`;
    say(solve.proved);
    app.changed();
  };
  const verify = async (event) => {
    const [file] = event.target.files;
    if (file === undefined) return;
    const answer = await app.work("solve", "verify", { text: await file.text() });
    solve.checked = answer === null ? "" : `${file.name}: ${answer.said}`;
    if (answer !== null) say(answer.said);
    app.changed();
  };
  const isBusy = app.busy.has("solve");
  return html`<section><h2>Solve</h2>
    <p class="hint">Exact up to 7x7 and on larger boards that are nearly decided. What was found is kept: ask again to go on.
      A click on the board plays a stone; Set up makes other boards.</p>
    <form class="fields" @submit=${ask}>
      <label>Seconds <input type="number" min="1" max="60" .value=${String(solve.seconds)} @change=${(event) => { solve.seconds = Number(event.target.value); }}></label>
      <label class="switch"><input type="checkbox" .checked=${solve.every} @change=${(event) => { solve.every = event.target.checked; }}> Every winning move</label>
      <p class="buttons"><button ?disabled=${isBusy}>Solve this position</button></p></form>
    ${working(app, "solve", "Stop and keep")}
    ${found === null ? "" : html`<p class=${found.solved.winner === null ? "open" : "proved"}>${found.solved.winner === null ? "" : html`<span aria-hidden="true">■</span> `}${found.said}</p>
      ${found.solved.winning_moves.length + found.losing.length ? html`<p class="hint">${legend(found)}</p>` : ""}
      ${found.solved.winner === null ? "" : html`<p class="buttons"><button type="button" ?disabled=${isBusy} @click=${prove}>Save the proof</button></p>`}`}
    ${solve.proved ? html`<p class="hint">${solve.proved}</p>` : ""}</section>
    <section><h2>Check a proof</h2><p><label>Proof file <input type="file" @change=${verify}></label></p>
      ${solve.checked ? html`<p class="proved">${solve.checked}</p>` : ""}</section>`;
}

function legend({ solved, losing }) {
  const told = [];
  if (solved.winning_moves.length) told.push("ringed cells win");
  if (losing.length) told.push("hatched ones lose");
  const text = told.join(", ");
  return `${text[0].toUpperCase()}${text.slice(1)}${solved.complete ? "" : "; of the others nothing is proved yet"}.`;
}

// Winning moves as rings, those known to lose as hatching.
export function solveMarks(app, marks) {
  const found = app.node.solved;
  if (!found) return;
  marks.rings = new Set(found.solved.winning_moves);
  marks.hatch = new Set(found.losing);
}
