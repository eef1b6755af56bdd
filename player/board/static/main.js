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
const isField = ({ tagName }) => ["INPUT", "TEXTAREA"].includes(tagName);
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file === undefined) app.load(event.dataTransfer.getData("text"), { isAsked: true });
  else app.loadFile(file, { isAsked: true });
});
document.addEventListener("paste", (event) => {
  if (isField(event.target)) return;
  const text = event.clipboardData.getData("text");
  if (text.trim()) app.load(text, { isAsked: true });
});
document.addEventListener("keydown", (event) => {
  const isTyped = isField(event.target) && !["range", "radio", "checkbox"].includes(event.target.type);
  if (event.key === "Escape" && !event.defaultPrevented) app.leave();
  if (event.defaultPrevented || event.altKey || isTyped) return;
  if (!event.ctrlKey && !event.metaKey) {
    const isOther = event.target.closest("input, select, summary, [role=tab], [role=tablist], .tree-of-moves");
    if (!event.shiftKey && !isOther && app.stepBy(event.key)) event.preventDefault();
    return;
  }
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) app.undo();
  else if (key === "y" || key === "z") app.redo();
  else return;
  event.preventDefault();
});
// A turn of the wheel over the board is a move.
let turned = 0;
document.addEventListener("wheel", (event) => {
  if (!event.target.closest(".board-room") || event.ctrlKey) return;
  turned += Math.abs(event.deltaY) < 40 ? event.deltaY : 40 * Math.sign(event.deltaY);
  if (Math.abs(turned) < 40) return;
  app.stepBy(turned > 0 ? "ArrowRight" : "ArrowLeft");
  turned = 0;
}, { passive: true });
addEventListener("popstate", (event) => app.travel(event.state));
addEventListener("storage", (event) => app.server.hear(event));
addEventListener("pagehide", () => { app.rememberGame(); app.keepRecent(); });
