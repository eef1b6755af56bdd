// The progress of a long question, and the button that stops it.

import { html } from "../vendor/lit-html.js";

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
  return html`<button type="button" @click=${() => app.server.finish(channel)}>${title}</button>`;
}
