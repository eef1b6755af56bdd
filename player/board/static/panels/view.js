// Settings: the look of the board, and what the page does automatically.

import { html } from "../vendor/lit-html.js";

const TURNS = [
  [0, "automatic"], [10, "flat"], [11, "upright"], [9, "diamond"], [12, "tall diamond"],
];
const SWITCHES = [
  ["mirrored", "Mirrored"], ["numbers", "Move numbers"], ["coordinates", "Names in the cells"],
  ["reviews", "Review games that are opened"], ["deepens", "Review them more and more deeply"],
  ["letters", "Letters are keys anywhere, not on the board alone"],
  ["sound", "A sound when a stone is placed"],
];

export function viewPanel(app) {
  return html`<section><h2>View</h2> ${rotation(app)}
    ${SWITCHES.map(([key, title]) => html`<label class="switch"><input type="checkbox"
      .checked=${app.settings[key]}
      @change=${(event) => app.set(key, event.target.checked)}> ${title}</label>`)}
    ${players(app)}</section>`;
}

function rotation(app) {
  const here = app.settings.rotation;
  const turns = TURNS.some(([turn]) => turn === here) ? TURNS
    : [...TURNS, [here, `${here} o'clock`]];
  return html`<label>Board <select
    @change=${(event) => app.set("rotation", Number(event.target.value))}>
    ${turns.map(([turn, title]) => html`<option value=${turn}
      ?selected=${turn === here}>${title}</option>`)}</select></label>`;
}

function players(app) {
  const { redBlue } = app.settings;
  return html`<label>Players <select
    @change=${(event) => app.setColors(event.target.value === "red")}>
    <option value="red" ?selected=${redBlue}>Red and Blue</option>
    <option value="black" ?selected=${!redBlue}>Black and White</option></select></label>`;
}
