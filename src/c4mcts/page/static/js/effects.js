/**
 * Motion on the page, which the user's system may ask to reduce, and the sound of a disc that falls.
 *
 * @import { Store } from "./store.js"
 */

const SECONDS = 0.09; // of the sound
const HERTZ = 190;
const PAUSE = 400; // milliseconds

/** @type {AudioContext | null} */
let context = null; // from the first sound on

export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Resolves when the opponent may reply: after a moment, or at once if motion is unwanted.
 *
 * @returns {Promise<void>}
 */
export function pause() {
  return new Promise((resolve) => setTimeout(resolve, isStill() ? 0 : PAUSE));
}

/** @param {Store} store */
export function playSounds(store) {
  store.subscribe(({ game, ply, settings }, before) => {
    const isMove = ply === before.ply + 1 && game.moves.slice(0, before.ply).join() ===
      before.game.moves.slice(0, before.ply).join();
    if (settings.sound && isMove) click();
  });
}

function click() {
  context ??= new AudioContext();
  const now = context.currentTime;
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.setValueAtTime(HERTZ, now);
  tone.frequency.exponentialRampToValueAtTime(HERTZ / 2, now + SECONDS);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + SECONDS);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + SECONDS);
}
