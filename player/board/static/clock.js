// A clock for each player; off if `minutes` is 0.

import { html } from "./vendor/lit-html.js";
import { name } from "./layers.js";
import { OTHER } from "./tree.js";

// Start both clocks; when a time is up, call `onTimeUp` with the winner and the reason.
export function startClock(app, play, onTimeUp) {
  const seconds = 60 * play.minutes;
  play.clock = seconds > 0 ? { black: seconds, white: seconds, running: app.turn } : null;
  runClock(app, play, onTimeUp);
}

// Run the clock. It stops while the page is closed.
export function runClock(app, play, onTimeUp) {
  stopClock(app);
  if (!play.clock) return;
  play.clock.since = Date.now();
  app.ticking = setInterval(() => tick(app, play, onTimeUp), 250);
}

export function stopClock(app) {
  clearInterval(app.ticking);
}

// Stop the mover's clock and start the other one.
export function switchClock(app, play) {
  if (play.clock === null || play.clock === undefined) return;
  settle(play.clock);
  play.clock.running = app.turn;
}

// Continue a game that was over, with its clock unless that has run out.
export function continueClock(app, play, onTimeUp) {
  const { clock } = play;
  if (!clock) return;
  clock.running = app.turn;
  if (Math.min(clock.black, clock.white) <= 0) play.clock = null;
  runClock(app, play, onTimeUp);
}

function settle(clock) {
  const now = Date.now();
  clock[clock.running] -= (now - clock.since) / 1000;
  clock.since = now;
}

function tick(app, play, onTimeUp) {
  settle(play.clock);
  const { running } = play.clock, isUp = play.clock[running] <= 0;
  // A move that was made in time counts, even if the server's answer comes later.
  if (isUp && !play.isMoving) onTimeUp(OTHER[running], `${name(running)}'s time is up.`);
  app.redraw();
}

export function clockView(app, play) {
  if (!play.clock) return "";
  const time = (color) => {
    const seconds = Math.max(0, Math.ceil(play.clock[color]));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  return html`<p class="clock">${name("black")} ${time("black")},
    ${name("white")} ${time("white")}</p>`;
}
