// Settings: the look of the board, and what the page does automatically.

import { html } from "../vendor/lit-html.js";
import { checkbox, select } from "./fields.js";

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
    ${SWITCHES.map(([key, title]) =>
      checkbox(title, app.settings[key], (isOn) => app.set(key, isOn)))}
    ${players(app)}</section>`;
}

function rotation(app) {
  const here = app.settings.rotation;
  const turns = TURNS.some(([turn]) => turn === here) ? TURNS
    : [...TURNS, [here, `${here} o'clock`]];
  return select("Board", here, turns, (turn) => app.set("rotation", Number(turn)));
}

function players(app) {
  const here = app.settings.redBlue ? "red" : "black";
  const names = [["red", "Red and Blue"], ["black", "Black and White"]];
  return select("Players", here, names, (chosen) => app.setColors(chosen === "red"));
}
