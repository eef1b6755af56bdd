// The board as a picture. It is hidden from screen readers: the grid above it says the same.

import { svg } from "./vendor/lit-html.js";
import { distance, nearest, points, sum } from "./geometry.js";

const EDGE_COLOR = { north: "black", south: "black", west: "white", east: "white" };

export function picture(shape, { stones, last, marks, own, settings, focus, numbers }) {
  const { left, top, width, height } = shape;
  return svg`
    <svg class="picture ${settings.redBlue ? "red-blue" : ""}" aria-hidden="true" focusable="false"
      viewBox="${left} ${top} ${width} ${height}">
      <defs><pattern id="hatch" width="0.3" height="0.3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="hatch-line" d="M0 0V.3"/></pattern></defs>
      ${Object.entries(shape.edges).map(([edge, line]) => svg`
        <polyline class="edge-rim" points=${points(line)} />
        <polyline class="edge ${EDGE_COLOR[edge]}" points=${points(line)} />`)}
      ${shape.labels.map(({ text, at }) => svg`<text class="label" x=${at[0]} y=${at[1] + 0.22}>${text}</text>`)}
      ${[...shape.centers].map(([cell, at]) => cellPicture(shape, cell, at, marks))}
      ${marks.lines.map((link) => linkPicture(shape, link, marks.groups))}
      ${[...shape.centers].map(([cell, at]) => onCell(cell, at, { stones, last, marks, settings, numbers }))}
      ${own.map((mark) => ownMark(mark, shape.centers.get(mark.cell), stones))}
      ${arrow(shape, marks)}
      ${focus === null ? "" : svg`<polygon class="focus" points=${points(hexagon(shape, shape.centers.get(focus), 0.94))} />`}
    </svg>`;
}

function hexagon(shape, at, size = 1) {
  return shape.hexagon.map(([dx, dy]) => sum(at, [dx * size, dy * size]));
}

function cellPicture(shape, cell, at, marks) {
  const outline = points(hexagon(shape, at));
  const warmth = marks.heat.get(cell);
  return svg`<polygon class="cell ${marks.rings.has(cell) ? "ringed" : ""}" points=${outline} />
    ${warmth === undefined ? "" : svg`<polygon class="heat" points=${outline} fill-opacity=${Math.min(0.75, warmth / marks.hottest * 0.75).toFixed(2)} />`}
    ${marks.hatch.has(cell) ? svg`<polygon class="hatched" points=${outline} />` : ""}`;
}

function onCell(cell, [x, y], { stones, last, marks, settings, numbers }) {
  const color = stones.black.has(cell) ? "black" : stones.white.has(cell) ? "white" : null;
  const number = settings.numbers ? numbers.get(cell) : undefined;
  return svg`
    ${color === null ? "" : svg`<circle class="stone ${color}" cx=${x} cy=${y} r="0.68" />`}
    ${color !== null && number !== undefined ? svg`<text class="number on-${color}" x=${x} y=${y + 0.2}>${number}</text>` : ""}
    ${cell === last && color !== null && number === undefined ? svg`<circle class="last on-${color}" cx=${x} cy=${y} r="0.24" />` : ""}
    ${color === null && settings.coordinates ? svg`<text class="inside" x=${x} y=${y + 0.72}>${cell}</text>` : ""}
    ${marks.chosen.has(cell) ? svg`<circle class="chosen" cx=${x} cy=${y} r="0.78" />` : ""}
    ${color === null && marks.dots.has(cell) && cell !== marks.key ? svg`<circle class="dot" cx=${x} cy=${y} r="0.17" />` : ""}
    ${color === null && marks.rings.has(cell) ? svg`<circle class="ring" cx=${x} cy=${y} r="0.34" />` : ""}
    ${color === null && marks.numbers.has(cell) ? svg`<text class="rank" x=${x} y=${y + 0.28}>${marks.numbers.get(cell)}</text>` : ""}
    ${cell === marks.key && color === null ? svg`<path class="key" d=${star(x, y, 0.55)} />` : ""}
    ${cell === marks.intrusion ? svg`<circle class="intrusion" cx=${x} cy=${y} r="0.76" />` : ""}
    ${cell === marks.reply ? svg`<circle class="reply" cx=${x} cy=${y} r="0.76" />` : ""}`;
}

function ownMark({ shape, text }, [x, y], stones) {
  const ink = "own-mark";
  if (shape === "label") return svg`<text class="rank ${ink}" x=${x} y=${y + 0.25}>${text}</text>`;
  if (shape === "triangle") return svg`<path class=${ink} d="M${x} ${y - 0.4}l.36 .62h-.72z" />`;
  if (shape === "square") return svg`<path class=${ink} d="M${x - 0.3} ${y - 0.3}h.6v.6h-.6z" />`;
  if (shape === "cross") return svg`<path class=${ink} d="M${x - 0.28} ${y - 0.28}l.56 .56m0 -.56l-.56 .56" />`;
  return svg`<circle class=${ink} cx=${x} cy=${y} r="0.36" />`;
}

function star(x, y, size) {
  const tips = [];
  for (let corner = 0; corner < 10; corner++) {
    const reach = corner % 2 ? size * 0.45 : size, angle = (Math.PI * corner) / 5;
    tips.push(`${(x + reach * Math.sin(angle)).toFixed(3)} ${(y - reach * Math.cos(angle)).toFixed(3)}`);
  }
  return `M${tips.join("L")}Z`;
}

// From an intrusion to its reply.
function arrow(shape, { intrusion, reply }) {
  if (intrusion === null || reply === null || intrusion === reply) return "";
  const [from, to] = [shape.centers.get(intrusion), shape.centers.get(reply)];
  const length = distance(from, to), cut = 0.76 / length;
  const at = (part) => [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
  const [[x, y], [u, v]] = [at(cut), at(1 - cut)];
  return svg`<line class="arrow" x1=${x} y1=${y} x2=${u} y2=${v} />`;
}

function linkPicture(shape, link, groups) {
  const [one, other] = link.ends.map((end) => groups[end] ?? [end]);
  const [x, y] = nearest(one, other, shape.centers).map((cell) => shape.centers.get(cell));
  return svg`<line class="link-rim" x1=${x[0]} y1=${x[1]} x2=${y[0]} y2=${y[1]} />
    <line class="link ${link.color}" x1=${x[0]} y1=${x[1]} x2=${y[0]} y2=${y[1]} />`;
}
