/**
 * Goes through the stops of a story, by hand or automatically.
 *
 * A place in a story is {index, stop, tick}: the simulation, its stop, and the progress of drawing it, all from 0.
 *
 * @import { Story } from "./learn-story.js"
 */

import { texts } from "./texts.js";

const TEXTS = texts.learnPlayer;

export const SPEEDS = [
  { name: TEXTS.slow, hold: 3200, tick: 260 },
  { name: TEXTS.normal, hold: 1500, tick: 110 },
  { name: TEXTS.fast, hold: 450, tick: 30 },
  { name: TEXTS.veryFast, hold: 120, tick: 16 },
];
const WHOLE = SPEEDS.length - 1; // the speed that shows only the end of each simulation

export class StoryPlayer {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @type {Story | null} */
  #story = null;

  #onShow;
  #isStill;
  index = 0;
  stop = 0;
  tick = 0;
  isPlaying = false;
  speed = 1; // place in SPEEDS

  /**
   * @param {object} options
   * @param {() => void} options.onShow called after each change of place, isPlaying or story
   * @param {() => boolean} options.isStill returns whether motion is unwanted
   */
  constructor({ onShow, isStill }) {
    this.#onShow = onShow;
    this.#isStill = isStill;
  }

  /**
   * Begin another story, at its first stop.
   *
   * @param {Story} story
   */
  load(story) {
    this.pause();
    this.#story = story;
    this.#draw(0, 0, 0);
  }

  /** The story that was loaded last. Error if there is none; so in every method that uses the place. */
  get story() {
    if (!this.#story) throw new Error("no story is loaded");
    return this.#story;
  }

  get step() {
    return this.story.steps[this.index];
  }

  get stops() {
    return this.story.stops[this.index];
  }

  /** The stop that is shown. */
  get here() {
    return this.stops[this.stop];
  }

  /** Whether it is too fast for announcements. */
  get isFast() {
    return SPEEDS[this.speed].hold < 1000;
  }

  /** Whether the stop is not drawn to its end yet. */
  get isMoving() {
    return this.tick < this.here.ticks - 1;
  }

  /** The next stop; if this one is still moving, its end. */
  forward() {
    this.pause();
    const next = this.#following();
    if (this.isMoving) this.#draw(this.index, this.stop, Infinity);
    else if (next) this.#enter(...next);
  }

  /** The stop before, as it ends. */
  back() {
    this.pause();
    if (this.stop) this.#draw(this.index, this.stop - 1, Infinity);
    else if (this.index) this.#draw(this.index - 1, this.#lastStop(this.index - 1), Infinity);
  }

  /**
   * A phase of this simulation, if there is one.
   *
   * @param {number} phase
   */
  toPhase(phase) {
    const stop = this.stops.findIndex((each) => each.phase === phase);
    if (stop < 0) return;
    this.pause();
    this.#enter(this.index, stop);
  }

  /**
   * The beginning of a simulation; the first or the last one for those outside.
   *
   * @param {number} index
   */
  toSimulation(index) {
    this.pause();
    this.#draw(Math.max(0, Math.min(this.story.length - 1, index)), 0, 0);
  }

  /** Play, from the beginning if it was at the end; or pause. */
  toggle() {
    const isPlaying = !this.isPlaying;
    const isAtEnd = !this.isMoving && this.#following() === null;
    this.pause();
    this.isPlaying = isPlaying;
    if (isPlaying && isAtEnd) this.#draw(0, 0, 0);
    else this.#onShow();
    if (isPlaying) this.#wait();
  }

  /** Stop where it is. */
  halt() {
    const wasPlaying = this.isPlaying;
    this.pause();
    if (wasPlaying) this.#onShow();
  }

  /** Stop, without a new picture. */
  pause() {
    clearTimeout(this.#timer);
    this.isPlaying = false;
  }

  /**
   * Show a place.
   *
   * @param {number} index
   * @param {number} stop
   * @param {number} tick at most the last one of the stop counts
   */
  #draw(index, stop, tick) {
    const last = this.story.stops[index][stop].ticks - 1;
    Object.assign(this, { index, stop, tick: Math.min(tick, last) });
    this.#onShow();
  }

  /**
   * Show a stop, its pictures one after the other if motion is wanted.
   *
   * @param {number} index
   * @param {number} stop
   */
  #enter(index, stop) {
    this.#draw(index, stop, this.#isStill() || this.speed === WHOLE ? Infinity : 0);
    if (this.isMoving) this.#wait();
  }

  #wait() {
    clearTimeout(this.#timer);
    const { hold, tick } = SPEEDS[this.speed];
    this.#timer = setTimeout(() => this.#next(), this.isMoving ? tick : hold);
  }

  /** The next picture of this stop or, while playing, the next stop. */
  #next() {
    const next = this.speed === WHOLE ? this.#followingEnd() : this.#following();
    if (this.isMoving) this.#draw(this.index, this.stop, this.tick + 1);
    else if (next) this.#draw(...next, this.#isStill() || this.speed === WHOLE ? Infinity : 0);
    else {
      this.isPlaying = false;
      this.#onShow();
    }
    if (this.isMoving || this.isPlaying) this.#wait();
  }

  /**
   * The next stop; null at the end of the story.
   *
   * @returns {[index: number, stop: number] | null}
   */
  #following() {
    if (this.stop < this.stops.length - 1) return [this.index, this.stop + 1];
    return this.index < this.story.length - 1 ? [this.index + 1, 0] : null;
  }

  /**
   * The last stop of the next stop's simulation.
   *
   * @returns {[index: number, stop: number] | null}
   */
  #followingEnd() {
    const next = this.#following();
    return next && [next[0], this.#lastStop(next[0])];
  }

  /** @param {number} index */
  #lastStop(index) {
    return this.story.stops[index].length - 1;
  }
}
