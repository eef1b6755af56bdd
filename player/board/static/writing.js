// Records as SGF and as HexWorld's links while the server is away; it writes them otherwise.

import { OTHER } from "./tree.js";

const escaped = (text) => text.replace(/[\\\]]/g, "\\$&");

function sgf({ columns, rows, info, nodes }) {
  const size = columns === rows ? columns : `${columns}:${rows}`;
  const about = info.filter(([name]) => !["GM", "FF", "SZ", "AP"].includes(name))
    .map(([name, value]) => `${name}[${escaped(value)}]`).join("");
  const children = new Map();
  nodes.forEach(({ parent }, number) => {
    children.set(parent, [...children.get(parent) ?? [], number]);
  });
  const written = (number) => {
    const below = (children.get(number) ?? []).map(written);
    return nodeText(nodes[number], number === 0 ? `FF[4]GM[11]SZ[${size}]${about}` : "")
      + (below.length > 1 ? below.map((text) => `(${text})`).join("") : below.join(""));
  };
  return `(${written(0)})\n`;
}

function nodeText({ color, move, black, white, cleared, turn, comment, properties }, head) {
  const list = (name, cells) => (cells.length
    ? name + cells.map((cell) => `[${cell}]`).join("") : "");
  return [";", head, list("AB", black), list("AW", white), list("AE", cleared),
    turn === null ? "" : `PL[${turn === "black" ? "B" : "W"}]`,
    move === null ? "" : `${color === "black" ? "B" : "W"}[${move}]`,
    comment ? `C[${escaped(comment)}]` : "",
    ...properties.map(([name, values]) => list(name, values))].join("");
}

const WORDS = { "swap-pieces": ":s", "swap-sides": ":S", pass: ":p" };
const GIVES_UP = { resign: ":r", forfeit: ":f" };

// Null for a game with stones set up, which a link has no words for.
function hexworld({ columns, rows, nodes, cursor }, looks) {
  const isSetUp = ({ black, white, cleared }) => black.length + white.length + cleared.length > 0;
  if (nodes.some(isSetUp)) return null;
  let turn = "black";
  const moves = nodes.filter(({ move }) => move !== null).map(({ color, move }) => {
    if (move in GIVES_UP) return GIVES_UP[move] + color[0];
    const before = color === turn ? "" : ":p";
    turn = move === "swap-sides" ? color : OTHER[color];
    return before + (WORDS[move] ?? move);
  });
  const at = cursor ?? moves.length, size = columns === rows ? columns : `${columns}x${rows}`;
  const { rotation, mirrored, numbers, red_and_blue: isRed } = looks;
  const flags = [rotation === 10 ? "" : `r${rotation}`, mirrored && "m", numbers && "n",
    isRed && "c1"];
  const head = size + flags.filter(Boolean).join("");
  const parts = [head, moves.slice(0, at).join(""), moves.slice(at).join("")];
  return `https://hexworld.org/board/#${parts.join().replace(/,+$/, "")}`;
}

export const WRITTEN_HERE = { sgf, hexworld };
