// What panels share: icons, buttons, form fields and progress; and elements over the page: menus,
// the toast, the question what to do with a game.

import { html, svg } from "../vendor/lit-html.js";
import { sizeOf } from "../tree.js";

const PATHS = {
  first: "M5 4v12M15 4l-8 6 8 6Z",
  previous: "M13 4l-8 6 8 6Z",
  next: "M7 4l8 6-8 6Z",
  pause: "M7 4v12M13 4v12",
  back: "M8 3 2 8l6 5v-3h4a2 2 0 0 1 0 5H8v1h4a4.5 4.5 0 0 0 0-9H8Z",
  last: "M15 4v12M5 4l8 6-8 6Z",
};

export function icon(name) {
  return svg`<svg class="sign" viewBox="0 0 20 20" aria-hidden="true"
    ><path d=${PATHS[name]} /></svg>`;
}

export function button(title, act, isOff = false) {
  return html`<button type="button" ?disabled=${isOff} @click=${act}>${title}</button>`;
}

// A field for a number. `set` receives valid numbers only; a form with others is not sent.
export function numberField(title, value, { least, most, name = "", set = () => {} }) {
  const change = ({ target }) => { if (target.validity.valid) set(Number(target.value)); };
  return html`<label>${title} <input type="number" name=${name} required min=${least} max=${most}
    .value=${String(value)} @change=${change}></label>`;
}

// The same for `state[key]`.
export function number(app, state, key, title, least, most) {
  const set = (value) => { state[key] = value; app.redraw(); };
  return numberField(title, state[key], { least, most, set });
}

// A choice among options, each a value, which may be null, and its text; `set` receives a text.
export function select(title, here, options, set, isOff = false) {
  return html`<label>${title} <select ?disabled=${isOff}
    @change=${({ target }) => set(target.value)}>${options.map(([value, text]) =>
    html`<option value=${value ?? ""} ?selected=${value === here}>${text}</option>`)}
    </select></label>`;
}

// The same for `state[key]`.
export function choice(app, state, key, title, options) {
  const set = (value) => { state[key] = value || null; app.redraw(); };
  return select(title, state[key], options, set);
}

export function checkbox(title, isOn, set) {
  return html`<label class="switch"><input type="checkbox" .checked=${isOn}
    @change=${({ target }) => set(target.checked)}> ${title}</label>`;
}

export function fileField(title, read) {
  const take = ({ target: { files: [file] } }) => { if (file !== undefined) read(file); };
  const empty = ({ target }) => { target.value = ""; }; // the same file may be read again
  return html`<p><label>${title} <input type="file" @click=${empty} @change=${take}></label></p>`;
}

export function row(title, act) {
  return html`<li><button type="button" class="row" @click=${act}>${title}</button></li>`;
}

// A button that asks before it acts: its title, the question, and the answer that acts.
export function confirmed(app, state, [title, question, yes], act, isOff = false) {
  const ask = (isEnding) => () => {
    state.isEnding = isEnding;
    app.want(".apart button");
  };
  return state.isEnding
    ? html`<span role="alert">${question}</span>
      ${button("No, play on", ask(false))} ${button(yes, act)}`
    : button(title, ask(true), isOff);
}

const END = ["End the game", "End this game?", "Yes, end it"];

// The button that ends a game of bids or of hidden stones.
export function endButtons(app, state, isOver, end) {
  return html`<p class="buttons apart">${isOver ? button("Another game", end)
    : confirmed(app, state, END, end)}</p>`;
}

// The progress of a long question, and the button that stops it.
export function working(app, channel, title = "Stop") {
  const busy = app.busy.get(channel);
  if (busy === undefined) return "";
  return html`<div class="working">
    ${busy.share === null ? html`<progress aria-label="Progress"></progress>`
      : html`<progress aria-label="Progress" max="1" .value=${busy.share}></progress>`}
    <p class="waiting">${busy.text || "working ..."}</p>
    ${title === null ? "" : stopButton(app, channel, title)}</div>`;
}

export function stopButton(app, channel, title = "Stop") {
  return button(title, () => app.server.finish(channel));
}

export function closeMenu(event) {
  if (event.target.tagName === "BUTTON") shut(event.currentTarget);
}

// Close a menu, and move the focus from inside it to its button.
export function shut(menu) {
  const isIn = menu.contains(document.activeElement);
  menu.open = false;
  if (isIn) menu.querySelector("summary").focus();
}

export function toastPanel(app) {
  if (app.told === null) return "";
  const { text, way } = app.told, title = way === "undo" ? "Undo" : "Redo";
  const hold = () => app.holdToast(), fade = () => app.fade();
  return html`<div class="toast" role="region" aria-label="What was done" @pointerenter=${hold}
    @pointerleave=${fade} @focusin=${hold} @focusout=${fade}><span>${text}</span>
    ${button(title, () => app[way]())}
    <button type="button" class="icon" aria-label="Close" title="Close"
      @click=${() => { app.told = null; app.redraw(); }}>×</button></div>`;
}

// The question about games that were read: several, or one to replace the game on the board.
export function offerPanel(app) {
  if (app.offered === null) return "";
  const { games } = app.offered;
  const cancel = (event) => { event.preventDefault(); app.leave(); };
  return html`<dialog class="question" aria-label="A game was read" @cancel=${cancel}>
    ${games.length > 1 ? severalGames(app) : oneGame(app, games[0])}
    ${button("Cancel", () => app.leave())}</dialog>`;
}

// Open or close the question as a modal dialog, which confines the focus and then restores it.
export function showQuestion(root, { offered: isAsked }) {
  const question = root.querySelector("dialog");
  if (question !== null && isAsked === null) question.close();
  else if (question !== null && !question.open) question.showModal();
}

function severalGames(app) {
  const { games, isAsked } = app.offered;
  const choose = (one) => {
    if (!isAsked) { app.takeOffered(one); return; }
    app.offered = { ...app.offered, games: [one] };
    app.want("dialog button");
  };
  return html`<h2>${games.length} games were read: choose one</h2>
    <ul class="rows">${games.map((one) => row(one.name, () => choose(one)))}</ul>`;
}

function oneGame(app, one) {
  const isLost = sizeOf(app.game) > 1;
  return html`<h2>${one.name}${isLost ? ": what about the game on the board?" : ""}</h2>
    ${one.guess ? html`<p>${one.guess}</p>` : ""}
    ${button(isLost ? "Replace it" : "Play these moves", () => app.takeOffered(one))}
    ${isLost ? adding(app, one) : ""}`;
}

// The button that adds the game to the one on the board, or the reason why that is impossible.
function adding(app, one) {
  const { columns, rows, nodes: [first] } = one.game, { game } = app;
  const reason = columns !== game.columns || rows !== game.rows
    ? `It has another size, ${columns} by ${rows}.`
    : stonesOf(first) === stonesOf(game.root) ? "" : "It begins with other stones.";
  return reason ? html`<p class="hint">${reason}</p>`
    : button("Add as variation", () => app.addOffered(one));
}

// The initial stones of a game, sorted.
const stonesOf = ({ black, white }) => [[...black].sort(), [...white].sort()].join("|");
