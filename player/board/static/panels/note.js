// What was written about a move, and who played the game.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";

export function notePanel(app) {
  return html`<label class="comment">Comment<textarea rows="4" .value=${app.node.comment}
      maxlength="5000" @input=${(event) => app.comment(event.target.value)}></textarea></label>
    <div class="about">${field(app, "PB", name("black"))} ${field(app, "PW", name("white"))}
      ${field(app, "RE", "Result")} ${field(app, "DT", "Date")}</div>`;
}

// An entry of the record, by its name in SGF. It is kept as it is typed, for a value that was
// trimmed would be written back into the field below the caret; who leaves the field trims it.
function field(app, entry, title) {
  const { info } = app.game.root;
  const value = info.find(([key]) => key === entry)?.[1] ?? "";
  return html`<label>${title} <input .value=${value} maxlength="100" autocomplete="off"
    @input=${(event) => app.inform(entry, event.target.value)}
    @change=${(event) => app.inform(entry, event.target.value.trim())}></label>`;
}
