// A few icons, drawn here so that no font needs them.

import { svg } from "./vendor/lit-html.js";

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
