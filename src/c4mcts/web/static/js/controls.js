/**
 * The controls of the search: start and stop, preset, time, threads.
 *
 * @import { App } from "./app.js"
 * @import { ServerFacts } from "./protocol.js"
 * @import { LiveSearch } from "./search.js"
 * @import { Settings } from "./settings.js"
 */

import { h, setText } from "./dom.js";
import { presetField } from "./search-fields.js";
import { NO_LIMIT } from "./search.js";
import { texts } from "./texts.js";

const TEXTS = texts.controls;

/** @type {[seconds: number, text: string][]} */
const SECONDS = [[1, TEXTS.oneSecond], [5, TEXTS.fiveSeconds], [30, TEXTS.halfMinute], [120, TEXTS.twoMinutes],
  [NO_LIMIT, TEXTS.noLimit]];

export class Controls {
  /**
   * @param {App} app
   * @param {LiveSearch} search
   */
  constructor(app, search) {
    this.app = app;
    this.search = search;
    this.button = h("button", { type: "button", id: "search", class: "primary", title: TEXTS.title,
      onclick: () => this.toggle() });
    const preset = presetField(app.connection, { id: "setting-preset", value: app.store.state.settings.preset,
      onChange: (name) => app.store.set({ preset: name }) });
    this.fields = h("div", { class: "fields" }, this.#choice("seconds", TEXTS.time, SECONDS), preset.element,
      this.#choice("threads", TEXTS.threads, [[1, "1"]]));
    this.element = h("div", { class: "controls" }, this.button, this.fields, preset.about);
    app.connection.facts().then((facts) => this.#offer(facts), () => {}); // no connection: the search says so
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

  /** Show the current action of the button. */
  show() {
    const { isRunning, reply, game } = this.search;
    const isProven = Boolean(reply?.rootInfo.proof);
    setText(this.button, isRunning ? TEXTS.stop : isProven ? TEXTS.proven : reply ? TEXTS.continue : TEXTS.start);
    this.button.disabled = !isRunning && (isProven || game.outcome !== null);
    this.button.classList.toggle("primary", !isRunning && !this.button.disabled);
  }

  /**
   * Replace the choice that depends on the server.
   *
   * @param {ServerFacts} facts
   */
  #offer({ limits }) {
    const most = Math.min(limits.threads, navigator.hardwareConcurrency || 1, 16);
    const threads = Array.from({ length: most }, (_, index) => index + 1);
    const choice = this.#choice("threads", TEXTS.threads, threads.map((count) => [count, `${count}`]));
    if (limits.threads === 1) choice.title = TEXTS.oneThread;
    this.fields.lastElementChild?.replaceWith(choice);
  }

  /**
   * @template {"seconds" | "threads"} Name
   * @param {Name} name
   * @param {string} words
   * @param {[value: Settings[Name], text: string][]} options
   */
  #choice(name, words, options) {
    const { store } = this.app;
    const select = h("select", { id: `setting-${name}`,
      onchange: () => store.set({ [name]: options[select.selectedIndex][0] }) },
    ...options.map(([, text]) => h("option", {}, text)));
    const known = options.findIndex(([each]) => each === store.state.settings[name]);
    select.selectedIndex = Math.max(0, known);
    return h("label", {}, words, select);
  }
}
