// Form fields that panels share: a whole number within bounds, a choice, the end of a game.

import { html } from "../vendor/lit-html.js";

// A field for a number. `set` receives valid numbers only; a form with others is not sent.
export function numberField(title, value, { least, most, name = "", set = () => {} }) {
  const change = ({ target }) => { if (target.validity.valid) set(Number(target.value)); };
  return html`<label>${title} <input type="number" name=${name} required min=${least} max=${most}
    .value=${String(value)} @change=${change}></label>`;
}

// A choice of `state[key]` among options, each a value, which may be null, and its text.
export function choice(app, state, key, title, options) {
  const choose = (event) => { state[key] = event.target.value || null; app.redraw(); };
  return html`<label>${title} <select @change=${choose}>${options.map(([value, text]) =>
    html`<option value=${value ?? ""} ?selected=${state[key] === value}>${text}</option>`)}
    </select></label>`;
}

// The button that ends a game; while the game is on, it asks first.
export function endButtons(app, state, isOver, end) {
  const button = (title, act) => html`<button type="button" @click=${act}>${title}</button>`;
  const ask = (isEnding) => () => {
    state.isEnding = isEnding;
    app.want(".apart button");
  };
  if (isOver) return html`<p class="buttons apart">${button("Another game", end)}</p>`;
  return html`<p class="buttons apart">${state.isEnding ? html`<span>End this game?</span>
    ${button("No, play on", ask(false))} ${button("Yes, end it", end)}`
    : button("End the game", ask(true))}</p>`;
}
