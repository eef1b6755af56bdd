// The marks of answers on the board, one layer at a time, and the names of the players.

import { OTHER } from "./tree.js";

export const LAYERS = [
  ["automatic", "Automatic"], ["proof", "Proof"], ["mustplay", "Must-play"],
  ["links", "Weak links"], ["connections", "Connections"], ["none", "None"], ["policy", "Net"],
  ["chances", "Chances"],
];
// The title of a layer; on an empty board the swap map replaces the weak links.
export const titleOf = (app, [key, title]) => (key === "links" && hasOpenings(app) ? "Swap map"
  : title);

const NUMBERED = 5;
const LEAST = 0.02; // smallest share of the net that gets a number
const WON = "✓", LOST = "✕";

export const noMarks = () => ({
  dots: new Set(), rings: new Set(), hatch: new Set(), tinted: new Set(), chosen: new Set(),
  better: new Set(), losing: new Set(), numbers: new Map(), heat: new Map(), carrier: new Map(),
  ghosts: new Map(), order: new Map(), best: new Map(), hues: new Map(), lines: [], groups: {},
  key: null, intrusion: null, reply: null, played: null, isMapped: false,
});

// The layer to show; the automatic one is the proof, else a must-play region of an open game.
export function layerToShow(wanted, found) {
  if (wanted !== "automatic" || found === null) return wanted;
  if (found.connection !== null || found.analysis.proof === "chain") return "proof";
  return found.mustplay.forced && found.analysis.outcome === null ? "mustplay" : "none";
}

// The marks of a layer. `pointed` is the cell under the pointer or the focus.
export function marksOf(layer, { found, why, node, pair, follow, turn }, pointed) {
  const { links = null, policy, tried } = node;
  const marks = noMarks();
  if (follow !== null) return followMarks(marks, follow, found?.connection);
  if (found === null) return marks;
  if (layer === "proof" && found.connection !== null) {
    proofMarks(marks, found.connection, why, pointed);
  }
  if (layer === "proof") found.chain.forEach((cell) => marks.chosen.add(cell));
  if (layer === "mustplay") mustplayMarks(marks, found.mustplay, pointed);
  if (layer === "links") weakMarks(marks, found.analysis.moves);
  if (layer === "policy") policyMarks(marks, policy);
  if (layer === "chances") chanceMarks(marks, tried, turn);
  if (layer === "connections") connectionMarks(marks, links, pair, pointed);
  return marks;
}

function weakMarks(marks, moves) {
  moves.filter((move) => move.weak_link > 0).forEach(({ cell, weak_link: flow }, place) => {
    if (place < NUMBERED) marks.numbers.set(cell, String(place + 1));
    marks.heat.set(cell, flow);
  });
}

// A share in whole per cent; 0 and 100 only for none and all.
export const perCent = (share) => (share > 0 && share < 1
  ? Math.min(99, Math.max(1, Math.round(100 * share))) : 100 * share);

// The net's shares, as heat, and in per cent from `LEAST` on.
function policyMarks(marks, policy) {
  Object.entries(policy ?? {}).forEach(([cell, share]) => {
    if (share >= LEAST) marks.numbers.set(cell, String(perCent(share)));
    marks.heat.set(cell, share);
  });
}

// The mover's chance after the moves that were searched most, in per cent, and signs for proved
// moves. The shade is the square root of the simulations, so that few are visible, too.
function chanceMarks(marks, tried = [], turn = null) {
  const ranked = [...tried].sort((one, other) => other.simulations - one.simulations);
  ranked.forEach(({ move, winner, chance, simulations }, place) => {
    marks.heat.set(move, Math.sqrt(simulations));
    if (winner !== null) marks.numbers.set(move, winner === turn ? WON : LOST);
    else if (place < NUMBERED) marks.numbers.set(move, String(perCent(chance)));
  });
}

// Whether there is a swap map: for an empty square board of a size with a shipped map.
export function hasOpenings({ game: { columns, rows }, stones: { black, white } }) {
  return columns === rows && columns > 1 && columns <= 14 && black.size + white.size === 0;
}

// Ring the first moves that the second player should take over.
export function openingMarks(marks, openings) {
  if (!openings) return;
  marks.isMapped = true;
  marks.rings = new Set(openings.swap);
}

// Mark winning moves by rings, moves known to lose by hatching.
export function solveMarks(app, marks) {
  const found = app.node.solved;
  if (!found) return;
  marks.rings = new Set(found.solved.winning_moves);
  marks.hatch = new Set(found.losing);
}

// Mark how often each cell decides: as heat, and for the first five in per cent.
export function oddsMarks(app, marks) {
  const found = app.node.odds;
  if (!found) return;
  found.bid.cells.forEach(({ cell, critical }, place) => {
    marks.heat.set(cell, critical);
    if (place < NUMBERED) marks.numbers.set(cell, String(perCent(critical)));
  });
}

// Mark a proof; draw the cell of interest and the reply to it as ghost stones.
function proofMarks(marks, { color, carrier, key }, why, pointed) {
  carrierMarks(marks, carrier, color);
  marks.key = key;
  const reply = why === null ? null : replyTo(why, pointed);
  if (reply !== null) {
    marks.intrusion = pointed;
    marks.reply = reply;
    marks.ghosts.set(pointed, OTHER[color]).set(reply, color);
  }
}

function replyTo(why, cell) {
  const found = why.explanation.replies.find(({ intrusion }) => intrusion === cell);
  return found === undefined ? null : found.reply;
}

function mustplayMarks(marks, mustplay, pointed) {
  if (!mustplay.forced) return;
  marks.rings = new Set(mustplay.mustplay);
  const threat = threatAgainst(mustplay, pointed);
  if (threat !== null) {
    marks.hatch = new Set(threat.carrier);
    marks.key = threat.key;
    marks.intrusion = pointed;
  }
}

// The threat that rules a cell out; null if none does.
function threatAgainst(mustplay, cell) {
  return mustplay.threats.find((threat) => threat.rules_out.includes(cell)) ?? null;
}

export const HUES = 6; // colors of links, which show the line that a dot belongs to

// The connection that is shown, else the links of the chosen ends or of the stone of interest,
// else all links.
function connectionMarks(marks, links, pair, pointed) {
  if (pair.shown !== null) {
    marks.dots = new Set(pair.shown.carrier);
    marks.key = pair.shown.key;
  } else if (links !== null) {
    const own = links.links.filter((link) => pointed !== null && touches(link, pointed, links));
    const ends = pair.ends.length ? pair.ends : own.length ? [pointed] : [];
    links.links.forEach((link, place) => {
      if (ends.length && !ends.some((end) => touches(link, end, links))) return;
      marks.lines.push({ ...link, hue: place % HUES });
      for (const cell of link.carrier) {
        marks.dots.add(cell);
        marks.hues.set(cell, place % HUES);
      }
    });
  }
  for (const end of pair.ends) {
    (links?.groups[end] ?? [end]).forEach((cell) => marks.chosen.add(cell));
  }
}

function touches(link, end, links) {
  return link.ends.includes(end) || link.ends.some((name) => links.groups[name]?.includes(end));
}

function carrierMarks(marks, carrier, color) {
  marks.dots = new Set(carrier);
  carrier.forEach((cell) => marks.carrier.set(cell, color));
}

function followMarks(marks, follow, connection) {
  const step = follow.steps.at(-1);
  carrierMarks(marks, step.carrier, connection?.color ?? "black");
  marks.intrusion = step.intrusion;
  marks.reply = step.reply;
  return marks;
}

// The label of a cell for screen readers: what the picture shows there.
export function cellWords(cell, view) {
  const { stones, last, marks, layer, own } = view, words = [cell];
  if (stones.black.has(cell)) words.push(`${name("black").toLowerCase()} stone`);
  else if (stones.white.has(cell)) words.push(`${name("white").toLowerCase()} stone`);
  else words.push("empty");
  if (cell === last) words.push("last move");
  if (cell === marks.key) words.push(layer === "mustplay" ? "key of the threat" : "key");
  words.push(...layerWords(cell, view));
  if (marks.numbers.has(cell)) words.push(numberWords(layer, marks.numbers.get(cell)));
  if (marks.best.has(cell)) words.push(`candidate ${marks.best.get(cell)}`);
  if (marks.losing.has(cell)) words.push("which loses");
  if (marks.chosen.has(cell)) words.push(layer === "proof" ? "in the winning chain" : "chosen");
  if (cell === marks.played) words.push("played, the mistake");
  if (marks.better.has(cell)) words.push("better");
  if (cell === marks.reply) words.push("the reply");
  for (const mark of own) if (mark.cell === cell) words.push(markWords(mark));
  return words.join(", ");
}

const markWords = ({ shape, text }) => (shape === "arrow" ? `arrow to ${text}`
  : `marked ${text || shape}`);

function* layerWords(cell, { marks, layer, found, why }) {
  if (layer === "proof" && marks.dots.has(cell) && found?.connection != null) {
    yield `in ${name(found.connection.color)}'s proof`;
    const reply = why === null ? null : replyTo(why, cell);
    if (reply !== null) yield `answered by ${reply}`;
  } else if (layer === "connections" && marks.dots.has(cell)) yield "in a connection";
  if (layer === "solve" && marks.rings.has(cell)) yield "wins";
  else if (layer === "solve" && marks.hatch.has(cell)) yield "loses";
  else if (layer === "openings") {
    if (marks.isMapped) yield marks.rings.has(cell) ? "swap it" : "do not swap it";
  } else if (marks.rings.has(cell)) yield "must-play";
  else if (layer === "mustplay" && found?.mustplay.forced) {
    const threat = threatAgainst(found.mustplay, cell);
    if (threat !== null) {
      const by = threat.key === null ? "a full connection" : `the threat at ${threat.key}`;
      yield `ruled out by ${by}`;
    }
  }
  if (layer === "mustplay" && marks.hatch.has(cell)) yield "in the threat";
}

function numberWords(layer, number) {
  if (layer === "links") return `weak link ${number}`;
  if (layer === "policy") return `${number} per cent by the net`;
  if (number === WON || number === LOST) return `proved to ${number === WON ? "win" : "lose"}`;
  if (layer === "chances") return `chance ${number} per cent`;
  return layer === "bids" ? `decides in ${number} per cent` : `guess ${number}`;
}

// A count with its noun: "1 cell", "2 cells".
export const quantity = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

const NAMES = { black: "Black", white: "White" };

// Choose the names of the players on the page; files and answers have Black and White.
export function setNames(isRedBlue) {
  Object.assign(NAMES, isRedBlue ? { black: "Red", white: "Blue" }
    : { black: "Black", white: "White" });
  document.documentElement.dataset.players = isRedBlue ? "red" : "black";
}

export function name(color) {
  return NAMES[color];
}

// An answer of the server with the page's names of the players in all sentences. A bare color is
// no sentence, and records stay as they are.
export const inNames = (answer) => mapTexts(answer, named);

// Sentences with any names, or an answer with such sentences, in the names chosen now.
export const rename = (said) => mapTexts(said, (text) => named(
  text.replace(/\b([Rr]ed|[Bb]lue)\b/g, (word) => WORDS[word])));

const WORDS = { red: "black", Red: "Black", blue: "white", Blue: "White" };

function named(text) {
  if (text === "black" || text === "white") return text;
  return text.replace(/\b([Bb]lack|[Ww]hite)\b/g, (word) => {
    const title = NAMES[word.toLowerCase()];
    return /^[a-z]/.test(word) ? title.toLowerCase() : title;
  });
}

// A value with each of its texts changed.
function mapTexts(value, change) {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change));
  if (value === null || typeof value !== "object" || Array.isArray(value.nodes)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]));
}
