// Sentences for a screen reader, delayed so that fast stepping does not flood it, and the sound of
// a stone.

let timer = null;

export function say(text) {
  clearTimeout(timer);
  timer = setTimeout(() => { document.getElementById("spoken").textContent = text; }, 150);
}

let audio = null;

// Play the sound of a stone: a short wooden click.
export function click() {
  audio ??= new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const now = audio.currentTime;
  tone.type = "triangle";
  tone.frequency.setValueAtTime(900, now);
  tone.frequency.exponentialRampToValueAtTime(200, now + 0.05);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
