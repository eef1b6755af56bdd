// Draw the page whenever its state has changed.

import { render } from "./vendor/lit-html.js";
import { App } from "./app.js";
import { isCommand } from "./board.js";
import { showMove } from "./panels/moves.js";
import { showQuestion, shut } from "./panels/fields.js";
import { page } from "./page.js";

// Where the focus of a keyboard user stays when the focused button is disabled or gone.
const PLACES = ".move-bar .buttons, .panels, [role=tabpanel], .graph, .menu, .question, .toast, "
  + ".regions";
const STOPS = "button:enabled, summary";
const root = document.getElementById("page");
root.replaceChildren();
let node = null, mode = null, isOn = false;
const drawer = { isOpen: false, depth: 0 }; // `depth` is its scroll position
const app = new App(() => {
  const had = document.activeElement ?? document.body, place = had.closest(PLACES);
  if (app.offered === null) showQuestion(root, app);
  if (!app.isStored) app.rememberGame();
  if (drawer.isOpen) drawer.depth = root.querySelector(".regions")?.scrollTop ?? 0;
  render(page(app), root);
  turnDrawer();
  showQuestion(root, app);
  if (app.node !== node || app.mode !== mode) showMove(root);
  // Scroll to the top of a new place, and of a game that begins or ends there.
  const isOther = app.mode !== mode || (app.onPress !== undefined) !== isOn;
  const scrolled = isOther ? root.querySelectorAll("main, .panels") : [];
  scrolled.forEach((part) => part.scrollTo(0, 0));
  ({ node, mode } = app);
  app.placeDrawn = mode;
  isOn = app.onPress !== undefined;
  const { wanted, wantedInSight } = app;
  const isLost = (had.disabled || !had.isConnected) && !app.isByPointer;
  app.wanted = app.wantedInSight = undefined;
  if (wantedInSight) root.querySelector(wantedInSight)?.scrollIntoView({ block: "nearest" });
  if (wanted !== undefined) app.give(() => root.querySelector(wanted)?.focus());
  else if (isLost && place?.isConnected) {
    (place.tabIndex === 0 ? place : place.querySelector(STOPS))?.focus();
  } else if (isLost && (isOther || had.matches(".toast *, [data-cell]"))) {
    const panels = isOther ? root.querySelector(".panels") : null;
    app.give(() => (panels ?? root.querySelector(`[data-cell="${app.home}"]`))?.focus());
  }
});
// Open or close the drawer with what is below the answer, and restore its scroll position.
function turnDrawer() {
  if (drawer.isOpen === app.isDrawerOpen) return;
  drawer.isOpen = app.isDrawerOpen;
  root.querySelector(".regions")?.scrollTo(0, drawer.isOpen ? drawer.depth : 0);
}
addEventListener("resize", () => app.redraw());
app.redraw();

// Games may be dropped or pasted anywhere.
const NO_TEXT = ["range", "radio", "checkbox"];
const isField = ({ tagName, type }) => ["INPUT", "TEXTAREA"].includes(tagName)
  && !NO_TEXT.includes(type);
// Whether a field takes what is dropped on it: a text, or a file.
const isTaken = ({ target, dataTransfer: { types } }) => isField(target)
  && types.includes("Files") === (target.type === "file");
document.addEventListener("dragover", (event) => isTaken(event) || event.preventDefault());
document.addEventListener("drop", (event) => {
  if (isTaken(event)) return;
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file === undefined) load(event.dataTransfer);
  else app.loadFile(file, { isAsked: true });
});
document.addEventListener("paste", (event) => {
  if (!isField(event.target)) load(event.clipboardData);
});
function load(data) {
  const text = data.getData("text");
  if (text.trim()) app.load(text, { isAsked: true });
}
// Elements that use arrows and letters if the focus came by keyboard; after a click these step.
const OWN_KEYS = "input, select, .tree-of-moves";
const hasOwn = ({ target }) => target.closest(OWN_KEYS) && !app.isByPointer;

// Browsers do not report, at a key, whether the focus came by pointer.
document.addEventListener("pointerdown", ({ target }) => {
  app.isByPointer = true;
  closeMenus(target);
}, true);

// A menu closes at Escape or a press elsewhere.
function closeMenus(target = null) {
  const menus = [...root.querySelectorAll(".more[open]")].filter((one) => !one.contains(target));
  menus.forEach(shut);
  return menus.length > 0;
}

// A button is pressed when Space is released.
let isSpaceTaken = false;
document.addEventListener("keyup", (event) => {
  if (event.key !== " ") return;
  if (isSpaceTaken) event.preventDefault();
  isSpaceTaken = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Tab") app.isByPointer = false;
  if (app.offered !== null) { // only the question gets keys
    if (event.key === "Escape") { event.preventDefault(); app.leave(); }
    return;
  }
  if (event.key === "Escape" && !event.defaultPrevented && !closeMenus()) app.leave();
  if (event.defaultPrevented || isField(event.target)) return;
  if (!isCommand(event)) {
    if (hasOwn(event)) return;
    const isStep = !event.shiftKey && app.stepBy(event.key);
    const isFree = event.key !== " " || event.target === document.body
      || event.target.closest(".grid") !== null // elsewhere Space presses or scrolls
      || app.isByPointer && event.target.matches("button");
    const isLetter = app.settings.letters && isFree && app.pressKey(event.key);
    isSpaceTaken = isLetter && event.key === " ";
    if (isStep || isLetter) event.preventDefault();
    return;
  }
  if (event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) app.undo();
  else if (key === "y" || key === "z") app.redo();
  else return;
  event.preventDefault();
});

// The page itself reads its forms.
document.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("pointerover", (event) => {
  app.pulse(event.target.closest?.(".cell-name")?.dataset.at ?? null);
});
// The wheel over the board steps through the game.
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
addEventListener("pagehide", () => { app.rememberGame(true); app.keepRecent(); });
