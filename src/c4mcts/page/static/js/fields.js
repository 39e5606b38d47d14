/**
 * Fields in which a search is chosen, and the controls of the search in Analyse and Learn.
 *
 * @import { App } from "./app.js"
 * @import { Properties } from "./dom.js"
 * @import { LiveSearch } from "./search.js"
 * @import { ServerFacts } from "protocol"
 * @import { Settings } from "./settings.js"
 */

import { button, h, problemLine, setAttributeIf, setText, showText } from "./dom.js";
import { decimal } from "./format.js";
import { NO_LIMIT, presetOn } from "./search.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.searchFields;
/** @type {Record<string, string>} */
const WORDS = texts.presets;
/** @type {Record<string, string>} */
const NAMES = texts.presetNames;
const MOST = 10; // of an exploration factor
/** @type {[seconds: number, text: string][]} */
const SECONDS = [[1, TEXTS.oneSecond], [5, TEXTS.fiveSeconds], [30, TEXTS.halfMinute], [120, TEXTS.twoMinutes],
  [NO_LIMIT, TEXTS.noLimit]];

/**
 * A group of radio buttons: its element, its inputs in the order of the options, and the chosen value.
 *
 * @template {number | string} Value
 * @param {string} name
 * @param {string} words
 * @param {Value} chosen
 * @param {[value: Value, text: string][]} options
 */
export function choice(name, words, chosen, options) {
  const inputs = options.map(([value]) =>
    h("input", { type: "radio", name, value: `${value}`, checked: value === chosen }));
  if (!inputs.some((input) => input.checked)) inputs[0].checked = true;
  const labels = options.map(([, text], index) => h("label", { class: "segment" }, inputs[index], h("span", {}, text)));
  return {
    element: h("fieldset", { class: "choice", id: name }, h("legend", {}, words),
      h("div", { class: "segments" }, ...labels)),
    inputs,
    value: () => options[inputs.findIndex((input) => input.checked)][0],
  };
}

/**
 * A menu: its element, the chosen value, and what chooses another one, or the first if there is none such.
 *
 * @template {number | string} Value
 * @param {[value: Value, text: string][]} options
 * @param {number | string} chosen
 * @param {(value: Value) => void} [onChange]
 * @param {Properties<"select">} more
 */
export function menu(options, chosen, onChange = () => {}, more = {}) {
  const element = h("select", { onchange: () => onChange(value()), ...more },
    ...options.map(([value, text]) => h("option", { value: `${value}` }, text)));
  const value = () => options[element.selectedIndex][0];
  const choose = (/** @type {number | string} */ wanted) =>
    (element.selectedIndex = Math.max(0, options.findIndex(([each]) => each === wanted)));
  choose(chosen);
  return { element, value, choose };
}

/**
 * The choice of a preset for the board, and a sentence about it. Another board may have others: see `follow`.
 *
 * @param {Pick<App, "connection" | "store">} app
 * @param {object} options
 * @param {string} options.id
 * @param {string} [options.words]
 * @param {string} options.value at first
 * @param {"presets" | "rolloutPresets"} [options.offered] the presets to choose from
 * @param {(name: string) => void} [options.onChange] called when the user has chosen
 * @param {() => void} [options.onFacts] called when the presets are known
 */
export function presetField({ connection, store }, { id, words = TEXTS.preset, value, offered = "presets", onChange,
  onFacts }) {
  let wanted = value;
  /** @type {ServerFacts | null} */
  let facts = null; // null: not known yet
  const about = h("p", { class: "soft small preset-about", id: `${id}-about` });
  const select = h("select", { id, "aria-describedby": about.id, onchange: () => {
    wanted = select.value;
    show();
    onChange?.(wanted);
  } });
  function show() {
    const { rules } = store.state.game;
    const chosen = presetOn(rules, wanted);
    const names = (facts?.[offered] ?? [chosen]).filter((name) => presetOn(rules, name) === name);
    const isSame = names.join() === [...select.options].map((option) => option.value).join(); // and may be open
    if (!isSame) select.replaceChildren(...names.map((name) => h("option", { value: name }, NAMES[name])));
    select.value = chosen;
    const refusal = chosen === wanted ? "" : `${fill(TEXTS.otherBoard, { preset: NAMES[wanted] ?? wanted })} `;
    setText(about, refusal + WORDS[chosen]);
  }
  connection.facts().then((found) => {
    facts = found;
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
      wanted = name;
      show();
    },
    get hasRollouts() {
      return facts?.rolloutPresets.includes(select.value) ?? true;
    },
    follow: show,
  };
}

/**
 * The exploration factor, or nothing for the preset's. What is not a number in range is refused in words.
 *
 * @param {string} id
 * @param {(exploration: number | null) => void} onChange
 */
export function explorationField(id, onChange, words = /** @type {string} */ (TEXTS.exploration)) {
  const problem = problemLine({ id: `${id}-problem` });
  const input = h("input", { id, inputMode: "decimal", autocomplete: "off", placeholder: TEXTS.placeholder,
    onchange: () => {
      const refusal = refusalOf(input.value);
      show(refusal);
      if (refusal === null) onChange(numberOf(input.value));
    } });
  /** @param {string | null} refusal */
  function show(refusal) {
    showText(problem, refusal);
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
      input.value = refusalOf(typed) === null ? typed.replace(/[.,]/, decimal(0, 1)[1]) : ""; // as in the language
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

/** @param {string} text typed by a user, with a point or a comma; null: nothing */
function numberOf(text) {
  return text.trim() === "" ? null : Number(text.replace(",", "."));
}

export class Controls {
  /**
   * @param {App} app
   * @param {LiveSearch} search
   */
  constructor(app, search) {
    this.app = app;
    this.search = search;
    const words = [TEXTS.start, TEXTS.stop, TEXTS.continue, TEXTS.proven].join("\n"); // the longest gives the width
    this.button = button("", () => this.toggle(),
      { id: "search", class: "primary", title: TEXTS.title, "data-words": words });
    this.preset = presetField(app, { id: "setting-preset", value: app.store.state.settings[search.preset],
      onChange: (name) => app.store.set({ [search.preset]: name }) });
    this.fields = h("div", { class: "fields" }, this.#choice("seconds", TEXTS.time, SECONDS), this.preset.element,
      this.#choice("threads", TEXTS.threads, [[1, "1"]]));
    this.element = h("div", { class: "controls" }, this.button, this.fields, this.preset.about);
    app.connection.facts().then(({ limits }) => {
      const most = Math.min(limits.threads, navigator.hardwareConcurrency || 1, 16);
      const threads = Array.from({ length: most }, (_, index) => index + 1);
      const choice = this.#choice("threads", TEXTS.threads, threads.map((count) => [count, `${count}`]));
      if (limits.threads === 1) choice.querySelector("select")?.setAttribute("title", TEXTS.oneThread);
      this.fields.lastElementChild?.replaceWith(choice);
    }, () => {}); // no connection: the search says so
    this.show();
  }

  /** Start the search, or stop it and keep it off. */
  toggle() {
    if (this.button.disabled) return;
    if (this.search.isRunning) {
      this.search.stop();
      this.app.store.set({ isOn: false });
    } else if (this.app.store.state.settings.isOn) this.search.start();
    else this.app.store.set({ isOn: true });
  }

  /** Show the current action of the button, and the presets for the board. */
  show() {
    this.preset.follow();
    const { isRunning, reply, game } = this.search;
    const isProven = Boolean(reply?.rootInfo.proof);
    setText(this.button, isRunning ? TEXTS.stop : isProven ? TEXTS.proven : reply ? TEXTS.continue : TEXTS.start);
    this.button.disabled = !isRunning && (isProven || game.outcome !== null);
    this.button.classList.toggle("primary", !isRunning && !this.button.disabled);
  }

  /**
   * @template {"seconds" | "threads"} Name
   * @param {Name} name
   * @param {string} words
   * @param {[value: Settings[Name], text: string][]} options
   */
  #choice(name, words, options) {
    const { store } = this.app;
    const { element } = menu(options, store.state.settings[name], (value) => store.set({ [name]: value }),
      { id: `setting-${name}` });
    return h("label", {}, words, element);
  }
}
