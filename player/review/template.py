"""The fixed parts of the page: head, style and script."""

HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>{style}</style></head><body>"""

STYLE = """
:root { color-scheme: light dark; --ink: #30343b; --page: #fbfaf7; --line: #8d8574; --bad: #c0392b }
@media (prefers-color-scheme: dark) {
:root { --ink: #d9dce1; --page: #16181c; --line: #757b86; --bad: #ff7a6b } }
body { background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif;
margin: 1rem auto; max-width: 1280px; padding: 0 1rem }
h1 { font-size: 1.3rem } h2 { font-size: 1.05rem } p { margin: .35rem 0 }
main { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
.play { flex: 1 1 420px; min-width: 0; position: sticky; top: .5rem }
@media (max-width: 900px) { .play { position: static } }
 .side { flex: 1 1 420px; min-width: 0 }
#board svg, #chart svg { width: 100%; height: auto } #chart { cursor: pointer }
#board:focus-visible { outline: 3px solid #1f6f8b; outline-offset: 2px }
.controls { display: flex; gap: .4rem; align-items: center } .controls input { flex: 1 }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--line);
border-radius: 4px; padding: .15rem .5rem; cursor: pointer }
#say { font-weight: 600; min-height: 1.4em } #why { min-height: 2.8em }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .2rem .5rem .2rem 0;
border-top: 1px solid var(--line) }
tr.mistake td:nth-child(2) { color: var(--bad); font-weight: 600 }
tr[aria-current] { outline: 2px solid #1f6f8b }
#board .mark { fill: #1d7a4a } #board .square { fill: none; stroke: #1f6f8b; stroke-width: 2 }
#board .ring { fill: none; stroke: #b0189b; stroke-width: 3 }
#board .link { font: 600 12px system-ui, sans-serif; text-anchor: middle; fill: #a0460c }
#board .carried { fill: #57a773; fill-opacity: .35 }
@media (prefers-color-scheme: dark) {
#board .mark { fill: #6fd7a2 } #board .ring { stroke: #ff7be9 }
#board .square { stroke: #6cc5e3 } #board .link { fill: #ffb27a } }
"""

SCRIPT = """
"use strict";
(() => {
const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const space = "http://www.w3.org/2000/svg";
const cells = [...document.querySelectorAll("#board svg g")].slice(0, data.names.length);
const centers = cells.map(cell => {
  const points = cell.querySelector("polygon").getAttribute("points").split(" ")
    .map(pair => pair.split(",").map(Number));
  const mean = axis => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const high = Math.max(...points.map(p => p[1])) - Math.min(...points.map(p => p[1]));
  return { x: mean(0), y: mean(1), r: high / 2, outline: cell.querySelector("polygon") };
});
const cursor = document.createElementNS(space, "line");
cursor.setAttribute("class", "r-cursor");
const chart = document.querySelector("#chart svg");
chart.append(cursor);
let at = 0;
function add(cell, kind, attributes, text) {
  const thing = document.createElementNS(space, kind);
  for (const [name, value] of Object.entries(attributes)) thing.setAttribute(name, value);
  thing.classList.add("laid");
  if (text) thing.textContent = text;
  cells[cell].append(thing);
}
function stone(cell, color) {
  const { x, y, r } = centers[cell];
  add(cell, "circle", { class: color, cx: x, cy: y, r: 0.66 * r });
  cells[cell].querySelector("title").textContent = `${data.names[cell]}, ${color}`;
}
function show(number) {
  at = Math.max(0, Math.min(data.positions.length - 1, number));
  const now = data.positions[at];
  for (const thing of document.querySelectorAll("#board .laid")) thing.remove();
  cells.forEach((cell, i) => cell.querySelector("title").textContent = `${data.names[i]}, empty`);
  for (const cell of now.carrier) {
    const points = centers[cell].outline.getAttribute("points");
    add(cell, "polygon", { class: "carried", points });
  }
  for (const cell of now.black) stone(cell, "black");
  for (const cell of now.white) stone(cell, "white");
  for (const cell of now.wins) {
    const { x, y, r } = centers[cell], s = 0.42 * r;
    add(cell, "polygon", { class: "mark",
      points: `${x},${y - s} ${x + s},${y + 0.7 * s} ${x - s},${y + 0.7 * s}` });
  }
  for (const cell of now.region) {
    const { x, y, r } = centers[cell], s = 0.36 * r;
    add(cell, "rect", { class: "square", x: x - s, y: y - s, width: 2 * s, height: 2 * s });
  }
  now.links.forEach((cell, i) => {
    const { x, y } = centers[cell];
    add(cell, "text", { class: "link", x, y: y + 4 }, String(i + 1));
  });
  if (now.last !== null) {
    const { x, y, r } = centers[now.last];
    add(now.last, "circle", { class: "ring", cx: x, cy: y, r: 0.76 * r });
    cells[now.last].querySelector("title").textContent += ", last move";
  }
  $("say").textContent = now.say;
  $("why").textContent = now.why;
  $("at").value = at;
  $("number").textContent = `${at} of ${data.positions.length - 1}`;
  const x = data.left + data.step * at;
  for (const [name, value] of Object.entries({ x1: x, x2: x, y1: 36, y2: 206 }))
    cursor.setAttribute(name, value);
  for (const row of document.querySelectorAll("tbody tr")) {
    const own = Number(row.querySelector("button").dataset.move) === at;
    if (own) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
  }
}
const last = data.positions.length - 1;
$("first").onclick = () => show(0);
$("back").onclick = () => show(at - 1);
$("next").onclick = () => show(at + 1);
$("last").onclick = () => show(last);
$("at").oninput = () => show(Number($("at").value));
for (const button of document.querySelectorAll("button.go"))
  button.onclick = () => show(Number(button.dataset.move));
chart.addEventListener("click", event => {
  const box = chart.getBoundingClientRect();
  const x = (event.clientX - box.left) * chart.viewBox.baseVal.width / box.width;
  show(Math.round((x - data.left) / data.step));
});
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === $("at")) return;
  const goal = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last,
    PageUp: at - 10, PageDown: at + 10 }[event.key];
  if (goal === undefined) return;
  event.preventDefault();
  show(goal);
});
show(data.start);
})();
"""
