// Fields that the forms of panels share: a whole number within bounds, and a choice.

import { html } from "../vendor/lit-html.js";

// `set` hears a number that is one, within its bounds; a form with another is not sent.
export function numberField(title, value, { least, most, name = "", set = () => {} }) {
  const change = ({ target }) => { if (target.validity.valid) set(Number(target.value)); };
  return html`<label>${title} <input type="number" name=${name} required min=${least} max=${most}
    .value=${String(value)} @change=${change}></label>`;
}

// One of some options, each a value (null is one, too) and its text, which `state` has at `key`.
export function choice(app, state, key, title, options) {
  const choose = (event) => { state[key] = event.target.value || null; app.changed(); };
  return html`<label>${title} <select @change=${choose}>${options.map(([value, text]) =>
    html`<option value=${value ?? ""} ?selected=${state[key] === value}>${text}</option>`)}
    </select></label>`;
}
