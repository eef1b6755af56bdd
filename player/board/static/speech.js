// What a screen reader says: one polite sentence at a time, so that scrubbing does not flood it.

let timer = null;

export function say(text) {
  clearTimeout(timer);
  timer = setTimeout(() => { document.getElementById("spoken").textContent = text; }, 150);
}
