/**
 * Goes through the stops of a story, by hand or automatically; and the controls with which the user does.
 *
 * A place in a story is {index, stop, tick}: the simulation, its stop, and the progress of drawing it, all from 0.
 *
 * @import { App } from "./app.js"
 * @import { Story } from "./learn-story.js"
 */

import { button, h, iconButton, setAttributeIf, setText } from "./dom.js";
import { explorationField, presetField } from "./fields.js";
import { PHASES } from "./learn-story.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.learnPlayer;

export const SPEEDS = [
  { name: TEXTS.slow, hold: 3200, tick: 260 },
  { name: TEXTS.normal, hold: 1500, tick: 110 },
  { name: TEXTS.fast, hold: 450, tick: 30 },
  { name: TEXTS.veryFast, hold: 120, tick: 16 },
];
const WHOLE = SPEEDS.length - 1; // the speed that shows only the end of each simulation

/**
 * The search that is shown.
 *
 * @typedef {object} Wanted
 * @property {string} preset
 * @property {number | null} exploration null: as in the preset
 * @property {number | null} seed null: drawn at random
 */

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

  /** @param {Story} story that begins, at its first stop */
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

  /** @param {number} phase of this simulation, if it has such a phase */
  toPhase(phase) {
    const stop = this.stops.findIndex((each) => each.phase === phase);
    if (stop < 0) return;
    this.pause();
    this.#enter(this.index, stop);
  }

  /** @param {number} index of the one that begins; the first or the last one for those outside */
  toSimulation(index) {
    this.pause();
    this.#draw(Math.max(0, Math.min(this.story.length - 1, index)), 0, 0);
  }

  /**
   * Show a place as it ends, if there is one such and it is another.
   *
   * @param {number} index
   * @param {number} stop
   */
  goTo(index, stop) {
    const isOther = index !== this.index || stop !== this.stop;
    if (isOther && this.story.stops[index]?.[stop]) this.#draw(index, stop, Infinity);
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

  /** Stop, without a new picture. */
  pause() {
    clearTimeout(this.#timer);
    this.isPlaying = false;
  }

  /**
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
    const next = this.#following();
    if (next && this.speed === WHOLE) next[1] = this.#lastStop(next[0]);
    if (this.isMoving) this.#draw(this.index, this.stop, this.tick + 1);
    else if (next) this.#draw(...next, this.#isStill() || this.speed === WHOLE ? Infinity : 0);
    else {
      this.isPlaying = false;
      this.#onShow();
    }
    if (this.isMoving || this.isPlaying) this.#wait();
  }

  /** @returns {[index: number, stop: number] | null} null at the end of the story */
  #following() {
    if (this.stop < this.stops.length - 1) return [this.index, this.stop + 1];
    return this.index < this.story.length - 1 ? [this.index + 1, 0] : null;
  }

  /** @param {number} index */
  #lastStop(index) {
    return this.story.stops[index].length - 1;
  }
}

/** The title, the buttons that move a StoryPlayer, and its place. */
export class StoryControls {
  title = h("h1", {}, "…");
  #playButton;

  /** @param {StoryPlayer} player */
  constructor(player) {
    this.#playButton = iconButton("▶", TEXTS.play, () => player.toggle(),
      { id: "learn-play", class: "icon primary" });
    this.speed = h("select", { id: "learn-speed", "aria-label": TEXTS.speed,
      onchange: () => (player.speed = this.speed.selectedIndex) },
    ...SPEEDS.map(({ name }, index) => h("option", { selected: index === player.speed }, name)));
    this.transport = h("div", { class: "row learn-transport" },
      iconButton("«", TEXTS.before, () => player.toSimulation(player.index - 1), { id: "learn-before" }),
      iconButton("‹", TEXTS.back, () => player.back(), { id: "learn-back" }), this.#playButton,
      iconButton("›", TEXTS.forward, () => player.forward(), { id: "learn-forward" }),
      iconButton("»", TEXTS.after, () => player.toSimulation(player.index + 1), { id: "learn-after" }),
      this.speed);
    this.range = h("input", { type: "range", id: "learn-range", min: "1", max: "1", "aria-label": TEXTS.simulation,
      oninput: () => player.toSimulation(this.range.valueAsNumber - 1) });
    this.phaseButtons = PHASES.map((each, phase) =>
      h("button", { type: "button", class: "phase", onclick: () => player.toPhase(phase) },
        h("b", {}, `${phase + 1}`), ` ${texts.phases[each]}`));
    this.phaseItems = this.phaseButtons.map((button) => h("li", {}, button));
    this.phases = h("ol", { class: "phases", "aria-label": TEXTS.phases }, ...this.phaseItems);
  }

  /** @param {StoryPlayer} player */
  show({ story, step, stops, here, index, isPlaying }) {
    const place = fill(TEXTS.simulationOf, { number: step.number, count: story.length });
    setText(this.title, place);
    this.range.max = `${story.length}`;
    this.range.value = `${index + 1}`;
    this.range.setAttribute("aria-valuetext", place);
    const label = isPlaying ? TEXTS.pause : TEXTS.play;
    setText(this.#playButton, isPlaying ? "❚❚" : "▶");
    this.#playButton.title = label;
    this.#playButton.setAttribute("aria-label", label);
    this.phaseButtons.forEach((button, phase) => {
      this.phaseItems[phase].classList.toggle("over", phase < here.phase);
      button.disabled = !stops.some((stop) => stop.phase === phase);
      setAttributeIf(button, "aria-current", "step", phase === here.phase);
    });
  }
}

/**
 * @param {App} app
 * @param {Wanted} wanted at first
 * @param {(fields: Partial<Wanted>) => void} onChange called with the new choices
 */
export function settingsForm(app, wanted, onChange) {
  const exploration = explorationField("learn-exploration", (found) => onChange({ exploration: found }));
  const preset = presetField(app, { id: "learn-preset", value: wanted.preset, offered: "rolloutPresets",
    onChange: (name) => {
      exploration.text = ""; // each preset has its own
      onChange({ preset: name, exploration: null });
    } });
  const luck = button(TEXTS.again, () => onChange({ seed: null }), { id: "learn-again", title: TEXTS.againTitle });
  const element = h("div", { class: "row learn-settings" }, preset.element, exploration.element, luck, preset.about,
    exploration.problem);
  return { element, preset };
}
