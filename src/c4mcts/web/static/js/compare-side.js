/**
 * One side of a comparison.
 *
 * @import { App } from "./app.js"
 * @import { Checkpoint } from "./compare-words.js"
 * @import { Analysis, RolloutPolicy, Solution } from "./protocol.js"
 */

import { CompareTable } from "./compare-table.js";
import { courseOf, moveOf } from "./compare-words.js";
import { h, setText } from "./dom.js";
import { explorationField, presetField, rolloutField } from "./search-fields.js";
import { texts } from "./texts.js";

const TEXTS = texts.compareSide;

export const COUNTS = [20, 200, 2_000, 20_000]; // simulations

/** @typedef {"A" | "B"} SideName */
/** @typedef {{ preset: string, exploration: string, rollout: RolloutPolicy | "" }} Choice exploration: as typed */

/** One of the two searches: its settings, and what it plays. */
export class Side {
  /** @type {Checkpoint[]} */
  #checkpoints = [];

  #text = h("p", { class: "compare-words" });
  #table = new CompareTable();

  /**
   * @param {App} app
   * @param {SideName} name
   * @param {() => void} onChange called when the user has changed the settings
   */
  constructor({ connection, store }, name, onChange) {
    const id = `compare-${name.toLowerCase()}`;
    const changed = () => {
      this.#offerRollouts();
      this.#keep();
      onChange();
    };
    this.name = name;
    this.store = store;
    this.preset = presetField(connection, { id, value: store.state.settings[`preset${name}`], onChange: changed,
      onFacts: () => this.#offerRollouts() });
    this.exploration = explorationField(`${id}-c`, changed, TEXTS.factorC);
    this.rollout = rolloutField(`${id}-rollouts`, changed);
    this.exploration.text = store.state.settings[`exploration${name}`];
    this.rollout.value = store.state.settings[`rollout${name}`];
    this.element = h("section", { class: "side", "aria-labelledby": `${id}-name` },
      h("h2", { id: `${id}-name` }, name),
      h("div", { class: "fields" }, this.preset.element, this.exploration.element, this.rollout.element),
      this.exploration.problem, this.preset.about, this.#text, this.#table.element);
  }

  /** @param {Choice} choice */
  choose({ preset, exploration, rollout }) {
    this.preset.value = preset;
    this.exploration.text = exploration;
    this.rollout.value = rollout;
    this.#offerRollouts();
    this.#keep();
  }

  /** Offer the choice of rollouts if the preset has some. */
  #offerRollouts() {
    this.rollout.isOn = this.preset.hasRollouts;
  }

  /** Store the settings, for the next time. */
  #keep() {
    this.store.set({ [`preset${this.name}`]: this.preset.value, [`exploration${this.name}`]: this.exploration.text,
      [`rollout${this.name}`]: this.rollout.value });
  }

  /** The keys of the query that choose the search. */
  get query() {
    const [exploration, rollout] = [this.exploration.value, this.preset.hasRollouts && this.rollout.value];
    const overrideSettings = { ...(exploration !== null && { exploration }), ...(rollout && { rollout }) };
    return { preset: this.preset.value, overrideSettings };
  }

  /** The move that it plays after most simulations. */
  get move() {
    const reply = this.#checkpoints.at(-1)?.reply;
    return reply ? moveOf(reply) : null;
  }

  get words() {
    return courseOf(this.#checkpoints);
  }

  /**
   * @param {number} index of the checkpoint
   * @param {Analysis} reply
   * @param {Solution | null} solution
   */
  take(index, reply, solution) {
    this.#checkpoints[index].reply = reply;
    this.show(solution);
  }

  /** @param {number} width of the board */
  clear(width) {
    this.#checkpoints = COUNTS.map((simulations) => ({ simulations, reply: null }));
    this.#table.clear(COUNTS, width);
    this.show(null);
  }

  /** @param {Solution | null} solution */
  show(solution) {
    setText(this.#text, this.words);
    this.#table.show(this.#checkpoints, solution);
  }
}
