// The form that begins a game against the engine, or of two people.

import { html } from "../vendor/lit-html.js";
import { name } from "../layers.js";
import { isClosed, isOver } from "../playing.js";
import { stonesAt } from "../stones.js";
import { OTHER } from "../tree.js";
import { checkbox, numberField, select } from "./fields.js";

// `startGame` begins a game on a new board, or from the position that is shown.
export function beforeGame(app, play, startGame) {
  const start = (event) => {
    event.preventDefault();
    startGame(event.submitter?.value !== "here");
  };
  return html`<section><h2>Play</h2><form class="fields" @submit=${start}>
    ${sideChoice(app, play)} ${levelChoice(app, play)}
    ${number(app, play, "size", "Board", 3, 19)}
    ${checkbox("The second player may swap", play.swap, (isOn) => set(app, play, "swap", isOn))}
    ${number(app, play, "minutes", "Clock, minutes each (0: none)", 0, 180)}
    <p class="buttons"><button value="new">New game</button>
      ${hasStones(app) && !isClosed(app) && !app.game.isHidden
        ? html`<button value="here">Play from this position</button>` : ""}</p>
    <p class="hint">
      <span class="of-board">The first click on the board begins the game, too${isOver(app)
        ? ", on an empty board" : ""}.</span>
      ${worth(app, play)}</p></form></section>`;
}

function set(app, play, key, value) {
  play[key] = value;
  app.redraw();
}

// The choice of the person's color: the engine has the other one, or neither for two people.
function sideChoice(app, play) {
  const here = play.isRandom ? "random" : play.engine === null ? "both" : OTHER[play.engine];
  const choose = (value) => {
    play.isRandom = value === "random";
    set(app, play, "engine", value === "both" ? null : value === "white" ? "black" : "white");
  };
  const sides = [["black", name("black")], ["white", name("white")], ["random", "random"],
    ["both", "both: two people"]];
  return select("You play", here, sides, choose);
}

function levelChoice(app, play) {
  const levels = app.levels.map((level) => [level.spec, level.title + gain(level, play)]);
  const choose = (level) => set(app, play, "level", level);
  return select("Opponent", play.level, levels, choose, play.engine === null);
}

// The Elo gain of a level over the one below, on this board size, else on all sizes together.
function gain({ gain: together, gains }, { size }) {
  const points = gains[size] ?? together;
  return points === null ? "" : ` (${points < 0 ? "" : "+"}${points})`;
}

const worth = (app, play) => (app.levels.every((level) => gain(level, play) === "") ? ""
  : `The number after a level is its Elo gain over the level below: with +100 it won 64 games of
    100, with +200 76.`);

function number(app, play, key, title, least, most) {
  const take = (value) => set(app, play, key, value);
  return numberField(title, play[key], { least, most, set: take });
}

function hasStones(app) {
  const { black, white } = stonesAt(app.node);
  return black.size + white.size > 0;
}
