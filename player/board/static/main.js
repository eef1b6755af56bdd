// Draw the page whenever its state has changed.

import { render } from "./vendor/lit-html.js";
import { App } from "./app.js";
import { focusCell } from "./grid.js";
import { showMove } from "./panels/moves.js";
import { page } from "./page.js";

const root = document.getElementById("page");
root.replaceChildren();
let node = null;
const app = new App(() => {
  render(page(app), root);
  if (app.node !== node) showMove(root);
  node = app.node;
  if (!app.isBoardWanted) return;
  app.isBoardWanted = false;
  focusCell(root, app.home);
});
// Only the room for the board matters, not how long the page is.
let room = "";
new ResizeObserver(() => {
  const now = `${document.documentElement.clientWidth} ${innerHeight}`;
  if (now !== room) app.changed();
  room = now;
}).observe(document.documentElement);
addEventListener("resize", () => app.changed());
app.changed();

// Anything that our readers read may be dropped or pasted anywhere.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  app.load(file === undefined ? event.dataTransfer.getData("text") : await file.text());
});
document.addEventListener("paste", (event) => {
  if (["INPUT", "TEXTAREA"].includes(event.target.tagName)) return;
  const text = event.clipboardData.getData("text");
  if (text.trim()) app.load(text);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented) app.leaveFollow();
});
addEventListener("hashchange", () => app.followAddress());
addEventListener("pagehide", () => app.rememberGame());
