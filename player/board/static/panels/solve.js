// The solver, its proof as a file, and the check of such files.

import { html } from "../vendor/lit-html.js";
import { UNSEEN } from "../hidden.js";
import { name, quantity } from "../layers.js";
import { thumbnail } from "../picture.js";
import { say } from "../state.js";
import { cutRecord, isBegun } from "../tree.js";
import { button, checkbox, fileField, number, working } from "./fields.js";
import { save } from "./files.js";

const START = { seconds: 10, every: true, proved: "", checked: null };

export function solvePanels(app) {
  app.solving ??= { ...START };
  const solve = app.solving;
  const { state } = app.node;
  if (solve.state !== state) Object.assign(solve, { state, proved: "", checked: null });
  return html`${solveForm(app, solve)} ${checkPanel(app, solve)}`;
}

function solveForm(app, solve) {
  if (app.game.isHidden) return html`<section><h2>Solve</h2><p>${UNSEEN}</p></section>`;
  const isBusy = app.busy.has("solve");
  const every = (isOn) => { solve.every = isOn; };
  return html`<section><h2>Solve</h2>
    <p class="hint">Exact up to 7x7 and on larger boards that are nearly decided. What was found is
      kept: ask again to continue. A click on the board plays a stone; Set up makes other boards.
    </p>
    <form class="fields" @submit=${() => ask(app, solve)}>
      ${number(app, solve, "seconds", "Seconds", 1, 60)}
      ${checkbox("Every winning move", solve.every, every)}
      <p class="buttons"><button ?disabled=${isBusy}>Solve this position</button></p></form>
    ${working(app, "solve", "Stop and keep")}
    ${app.node.solved ? answer(app, app.node.solved, isBusy) : ""}
    ${solve.proved ? html`<p class="hint">${solve.proved}</p>` : ""}</section>`;
}

function answer(app, found, isBusy) {
  const { winner, winning_moves: wins } = found.solved;
  if (winner === null) return html`<p class="open">${found.said}</p> ${legend(found)}`;
  return html`<p class="proved"><span aria-hidden="true">■</span> ${found.said}</p>
    ${wins.length + found.losing.length ? legend(found) : ""}
    <p class="buttons">${button("Save the proof", () => prove(app), isBusy)}</p>`;
}

async function ask(app, { every, seconds }) {
  await app.acting;
  const { node, position } = app;
  const fields = { position, every, seconds };
  if (isBegun(node)) fields.game = cutRecord(app.game, node);
  const answer = await app.work("solve", "solve", fields, undefined, { about: node });
  if (answer === null) return;
  node.solved = answer;
  if (node === app.node) say(answer.said);
}

async function prove(app) {
  const { position, node: { state } } = app;
  const answer = await app.work("solve", "prove", { position });
  if (answer === null) return;
  save("hex.proof", answer.text);
  if (state !== app.node.state) return;
  const size = quantity(answer.positions, "position");
  app.solving.proved = `A proof of ${size} is saved as hex.proof.`;
  say(app.solving.proved);
}

// A proof may be of any board, so it is shown with its own position.
function checkPanel(app, { checked, title }) {
  return html`<section><h2>Check a proof</h2>
    ${fileField("Proof file", (file) => verify(app, file))}
    ${checked === null ? "" : html`<div class="card">
      ${thumbnail(checked.position, checked.position)}
      <p class="proved">${title}, ${name(checked.position.turn)} to move: ${checked.said}
      </p></div>`}</section>`;
}

async function verify(app, file) {
  const text = await app.textOf(file);
  if (text === false) return;
  app.hush();
  app.solving.checked = null;
  const answer = await app.work("solve", "verify", { text });
  if (answer !== null) {
    Object.assign(app.solving, { checked: answer, title: file.name });
    say(answer.said);
  }
}

function legend({ solved, losing }) {
  const parts = [];
  if (solved.winning_moves.length) parts.push("ringed cells win");
  if (losing.length) parts.push("hatched ones lose");
  if (solved.complete && solved.winning_moves.length === 0) parts[0] = "every move loses";
  if (parts.length === 0) return "";
  const text = parts.join(", ");
  const rest = solved.complete ? "" : "; of the others nothing is proved yet";
  return html`<p class="hint">${text[0].toUpperCase()}${text.slice(1)}${rest}.</p>`;
}
