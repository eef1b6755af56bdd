// Hidden stones: the view of a seat, or a curtain between two people at one screen.

import { html } from "../vendor/lit-html.js";
import { withCells } from "../board.js";
import { begin, darkState, end, hide, see, standing, suppose } from "../hidden.js";
import { name } from "../layers.js";
import { button, choice, endButtons, number, working } from "./fields.js";
import { copyOut } from "./files.js";

export function darkPanels(app) {
  const dark = darkState(app);
  if (dark.game === null) return app.server.isGuest ? noSeat() : startForm(app, dark);
  return html`<section><h2>Dark Hex</h2><p>${dark.rules}</p>${working(app, "dark")}
    ${dark.seat === null ? curtain(app, dark) : seatView(app, dark)}
    ${endButtons(app, dark, isOver(dark), () => end(app, dark))}</section>`;
}

const isOver = ({ view, left }) => left !== null || view !== null && view.winner !== null;

function noSeat() {
  return html`<section><h2>Dark Hex</h2><p>You were invited to one game, and have no seat in it
    here. This page may be closed.</p></section>`;
}

function startForm(app, dark) {
  const [black, white] = [name("black"), name("white")];
  const others = [
    ["white", `the engine, ${white}`], ["black", `the engine, ${black}`],
    [null, "a person at this screen"], ["apart-white", `a person elsewhere, ${white}`],
    ["apart-black", `a person elsewhere, ${black}`],
  ];
  return html`<section><h2>Dark Hex</h2>
    <ul class="rules"><li>You see only your own stones, and those that you have hit.</li>
      <li>A hit places nothing: you try again (classic), or not (abrupt).</li>
      <li>Whoever joins their own edges first wins.</li></ul>
    ${working(app, "dark")}
    <form class="fields" @submit=${() => begin(app, dark)}>
    ${choice(app, dark, "base", "A hidden stone that is hit costs",
      [["classic", "nothing (classic)"], ["abrupt", "the turn (abrupt)"]])}
    ${choice(app, dark, "noise", "The other player hears",
      [["silent", "nothing"], ["noisy", "a noise"], ["flash", "where"]])}
    ${choice(app, dark, "engine", "The other player is", others)}
    ${!["white", "black"].includes(dark.engine) ? "" : choice(app, dark, "player", "Engine",
      [["belief", "belief, the strongest"], ["blind", "blind"], ["random", "random"]])}
    ${number(app, dark, "size", "Board", 2, 11)}
    <p class="buttons"><button>New game</button></p></form></section>`;
}

function curtain(app, dark) {
  return html`<p>The board is hidden. Who is at the screen?</p><p class="buttons">
    ${Object.keys(dark.keys).map((seat) =>
      button(`I am ${name(seat)}`, () => see(app, dark, seat)))}</p>`;
}

function seatView(app, dark) {
  const { view } = dark;
  const isOn = !isOver(dark);
  const isMine = view.position.turn === dark.seat, isShared = Object.keys(dark.keys).length === 2;
  return html`${dark.invitation === null || !isOn ? "" : invitation(app, dark)}
    <p><b>${name(dark.seat)}'s view.</b> ${standing(dark)}</p>
    ${dark.heard.length ? html`<p class="change">${withCells(app, dark.heard.join(" "))}</p>` : ""}
    <p>${withCells(app, view.remembered)}</p>
    ${view.words.length ? html`<p>All attempts: ${view.words.join(", ")}.</p>` : ""}
    <p class="buttons">
      ${isOn && isMine ? button("What may be hidden", () => suppose(app, dark)) : ""}
      ${isOn && isShared
        ? button("Hide the board, pass the screen", () => hide(app, dark)) : ""}</p>
    ${(dark.supposed?.said ?? []).map((line) => html`<p>${withCells(app, line)}</p>`)}`;
}

// The address that the other person opens, in another window or on another device.
function invitation(app, dark) {
  const link = `${location.origin}/?seat=${dark.invitation}`;
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const copy = async () => app.tell(await copyOut(link) ? "The address is copied."
    : "The clipboard is closed: copy the address from its field.");
  return html`<p class="change">Nobody has the other seat yet. Whoever opens this address first
      has it, and sees its stones alone: <a href=${link} target="_blank"
      rel="noopener">another window</a></p>
    <p><label>Address <input readonly class="wide" .value=${link}
      @focus=${(event) => event.target.select()}></label>
      ${button("Copy the address", copy)}</p>
    ${isLoopback ? html`<p class="hint">It works on this machine only: for another one start
      <code>hsearch board --host ADDRESS --allow-remote</code>.</p>` : ""}`;
}
