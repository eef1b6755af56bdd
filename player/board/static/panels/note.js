// The comment on a move, and entries of the record.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";

export function notePanel(app) {
  return html`<label class="comment">Comment<textarea rows="4" .value=${app.node.comment}
      maxlength="5000" @input=${(event) => app.comment(event.target.value)}></textarea></label>
    <div class="about">${field(app, "PB", name("black"))} ${field(app, "PW", name("white"))}
      ${field(app, "RE", "Result")} ${field(app, "DT", "Date")}</div>`;
}

// A field for an entry of the record, by its SGF name. It is stored as typed and trimmed only when
// the field loses the focus, because a trimmed value would change the text under the caret.
function field(app, entry, title) {
  const { info } = app.game.root;
  const value = info.find(([key]) => key === entry)?.[1] ?? "";
  return html`<label>${title} <input .value=${value} maxlength="100" autocomplete="off"
    @input=${(event) => app.inform(entry, event.target.value)}
    @change=${(event) => app.inform(entry, event.target.value.trim())}></label>`;
}
