// How the board looks.

import { html } from "../vendor/lit-html.js";

const TURNS = [[0, "automatic"], [10, "flat"], [11, "upright"], [9, "diamond"], [12, "tall diamond"]];

export function viewPanel(app) {
  const { settings } = app;
  const check = (key, title) => html`<label class="switch"><input type="checkbox" .checked=${settings[key]}
    @change=${(event) => app.set(key, event.target.checked)}> ${title}</label>`;
  const isKnown = TURNS.some(([turn]) => turn === settings.rotation);
  return html`<section><h2>View</h2>
    <label>Board <select @change=${(event) => app.set("rotation", Number(event.target.value))}>
      ${TURNS.map(([turn, title]) => html`<option value=${turn} ?selected=${turn === settings.rotation}>${title}</option>`)}
      ${isKnown ? "" : html`<option value=${settings.rotation} selected>${settings.rotation} o'clock</option>`}
    </select></label>
    ${check("mirrored", "Mirrored")} ${check("numbers", "Move numbers")} ${check("coordinates", "Names in the cells")}
    ${check("reviews", "Review games that are opened")} ${check("deepens", "Review them more and more deeply")}
    <label>Players <select @change=${(event) => app.setColors(event.target.value === "red")}>
      <option value="red" ?selected=${settings.redBlue}>Red and Blue</option>
      <option value="black" ?selected=${!settings.redBlue}>Black and White</option></select></label>
  </section>`;
}
