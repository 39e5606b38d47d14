/**
 * The controls for stepping through a search: transport, speed, phases, and the choice of the search.
 *
 * @import { Connection } from "./connection.js"
 * @import { StoryPlayer } from "./learn-player.js"
 */

import { h, setAttributeIf, setText } from "./dom.js";
import { SPEEDS } from "./learn-player.js";
import { PHASES } from "./learn-story.js";
import { explorationField, presetField } from "./search-fields.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.learnControls;

/**
 * The search that is shown.
 *
 * @typedef {object} Wanted
 * @property {string} preset
 * @property {number | null} exploration null: as in the preset
 * @property {number | null} seed null: drawn at random
 */

/** The title, the buttons that move a StoryPlayer, and its place. */
export class StoryControls {
  title = h("h1", {}, "…");
  #playButton;

  /** @param {StoryPlayer} player */
  constructor(player) {
    this.#playButton = iconButton("learn-play", "▶", TEXTS.play, () => player.toggle(), "icon primary");
    this.speed = h("select", { id: "learn-speed", "aria-label": TEXTS.speed,
      onchange: () => (player.speed = this.speed.selectedIndex) },
    ...SPEEDS.map(({ name }, index) => h("option", { selected: index === player.speed }, name)));
    this.transport = h("div", { class: "row learn-transport" },
      iconButton("learn-before", "«", TEXTS.before, () => player.toSimulation(player.index - 1)),
      iconButton("learn-back", "‹", TEXTS.back, () => player.back()), this.#playButton,
      iconButton("learn-forward", "›", TEXTS.forward, () => player.forward()),
      iconButton("learn-after", "»", TEXTS.after, () => player.toSimulation(player.index + 1)),
      this.speed);
    this.range = h("input", { type: "range", id: "learn-range", min: "1", max: "1", "aria-label": TEXTS.simulation,
      oninput: () => player.toSimulation(this.range.valueAsNumber - 1) });
    this.phaseButtons = PHASES.map((each, phase) =>
      h("button", { type: "button", class: "phase", onclick: () => player.toPhase(phase) },
        h("b", {}, `${phase + 1}`), ` ${texts.phases[each]}`));
    this.phaseItems = this.phaseButtons.map((button) => h("li", {}, button));
    this.phases = h("ol", { class: "phases", "aria-label": TEXTS.phases }, ...this.phaseItems);
  }

  /**
   * Show the place of the player.
   *
   * @param {StoryPlayer} player
   */
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
 * @param {string} id
 * @param {string} text
 * @param {string} label
 * @param {() => void} onclick
 */
function iconButton(id, text, label, onclick, name = "icon") {
  return h("button", { type: "button", id, class: name, title: label, "aria-label": label, onclick }, text);
}

/**
 * The form in which a search is chosen: preset, exploration factor, luck.
 *
 * @param {Pick<Connection, "facts">} connection
 * @param {Wanted} wanted at first
 * @param {(fields: Partial<Wanted>) => void} onChange called with the new choices
 */
export function settingsForm(connection, wanted, onChange) {
  const exploration = explorationField("learn-exploration", (found) => onChange({ exploration: found }));
  const preset = presetField(connection, { id: "learn-preset", value: wanted.preset, needsRollouts: true,
    onChange: (name) => {
      exploration.text = ""; // each preset has its own
      onChange({ preset: name, exploration: null });
    } });
  const luck = h("button", { type: "button", id: "learn-again", title: TEXTS.againTitle,
    onclick: () => onChange({ seed: null }) }, TEXTS.again);
  return h("div", { class: "row learn-settings" }, preset.element, exploration.element, luck, preset.about,
    exploration.problem);
}
