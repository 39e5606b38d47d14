/**
 * Fields in which a search is chosen: its preset, its exploration factor, its rollouts.
 *
 * @import { Connection } from "./connection.js"
 * @import { RolloutPolicy } from "./protocol.js"
 */

import { h, setAttributeIf, setText } from "./dom.js";
import { aboutPreset } from "./presets.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.searchFields;
const MOST = 10; // exploration factor
/** @type {[value: RolloutPolicy | "", text: string][]} */
const ROLLOUTS = [["", TEXTS.ofPreset], ["random", TEXTS.random],
  ["decisive", TEXTS.decisive], ["safe", TEXTS.safe]];

/**
 * The choice of a preset, and a sentence about the chosen one.
 *
 * @param {Pick<Connection, "facts">} connection
 * @param {object} options
 * @param {string} options.id
 * @param {string} [options.words]
 * @param {string} options.value at first
 * @param {boolean} [options.needsRollouts] offer only presets that search by rollouts
 * @param {(name: string) => void} [options.onChange] called when the user has chosen
 * @param {() => void} [options.onFacts] called when the presets are known
 */
export function presetField(connection, { id, words = TEXTS.preset, value, needsRollouts, onChange, onFacts }) {
  /** @type {string[] | null} */
  let withRollouts = null; // null: not known yet
  const about = h("p", { class: "soft small preset-about", id: `${id}-about` });
  const select = h("select", { id, "aria-describedby": about.id, onchange: () => {
    show();
    onChange?.(select.value);
  } }, h("option", {}, value));
  const show = () => setText(about, aboutPreset(select.value));
  connection.facts().then(({ presets, rolloutPresets }) => {
    withRollouts = rolloutPresets;
    const offered = needsRollouts ? rolloutPresets : presets;
    const chosen = offered.includes(select.value) ? select.value : offered[0];
    select.replaceChildren(...offered.map((name) => h("option", { selected: name === chosen }, name)));
    show();
    onFacts?.();
  }, () => {}); // no connection: the page says so
  show();
  return {
    element: h("label", {}, words, select),
    about,
    get value() {
      return select.value;
    },
    set value(name) {
      select.value = name;
      show();
    },
    get hasRollouts() {
      return withRollouts?.includes(select.value) ?? true;
    },
  };
}

/**
 * The exploration factor, or nothing for that of the preset. What is not a number in range is refused in words.
 *
 * @param {string} id
 * @param {(exploration: number | null) => void} onChange
 */
export function explorationField(id, onChange, words = /** @type {string} */ (TEXTS.exploration)) {
  const problem = h("p", { class: "error", id: `${id}-problem`, role: "alert", hidden: true });
  const input = h("input", { id, inputMode: "decimal", autocomplete: "off", placeholder: TEXTS.placeholder,
    onchange: () => {
      const refusal = refusalOf(input.value);
      show(refusal);
      if (refusal === null) onChange(numberOf(input.value));
    } });
  /** @param {string | null} refusal */
  function show(refusal) {
    problem.hidden = refusal === null;
    setText(problem, refusal ?? "");
    setAttributeIf(input, "aria-invalid", "true", refusal !== null);
    setAttributeIf(input, "aria-describedby", problem.id, refusal !== null);
  }
  return {
    element: h("label", {}, words, input),
    problem,
    get value() {
      return refusalOf(input.value) === null ? numberOf(input.value) : null;
    },
    /** What is typed, or nothing if it is refused. */
    get text() {
      return refusalOf(input.value) === null ? input.value.trim() : "";
    },
    set text(typed) {
      input.value = refusalOf(typed) === null ? typed : "";
      show(null);
    },
  };
}

/**
 * Why a text is no exploration factor; null if it is one, or empty.
 *
 * @param {string} text
 */
export function refusalOf(text) {
  const number = numberOf(text);
  if (number === null || (number >= 0 && number <= MOST)) return null;
  return fill(TEXTS.refusal, { most: MOST, text: text.trim() });
}

/**
 * The number that a user has typed, with a point or a comma; null: nothing.
 *
 * @param {string} text
 */
function numberOf(text) {
  return text.trim() === "" ? null : Number(text.replace(",", "."));
}

/**
 * The choice of rollouts.
 *
 * @param {string} id
 * @param {() => void} onChange
 */
export function rolloutField(id, onChange) {
  const select = h("select", { id, onchange: onChange },
    ...ROLLOUTS.map(([value, text]) => h("option", { value }, text)));
  return {
    element: h("label", {}, TEXTS.rollouts, select),
    /** @returns {RolloutPolicy | ""} */
    get value() {
      return ROLLOUTS[select.selectedIndex][0];
    },
    /** @param {string} policy if there is none of this name, the preset’s */
    set value(policy) {
      select.selectedIndex = Math.max(0, ROLLOUTS.findIndex(([value]) => value === policy));
    },
    /** @param {boolean} isOn whether there is a choice */
    set isOn(isOn) {
      select.disabled = !isOn;
    },
  };
}
