/** The controls of the search: start and stop, preset, time, threads. */

import { h, setText } from "./dom.js";
import { NO_LIMIT } from "./search.js";

const SECONDS = [[1, "1 s"], [5, "5 s"], [30, "30 s"], [120, "2 min"], [NO_LIMIT, "no limit"]];

export class Controls {
  /** search: a LiveSearch. */
  constructor(app, search) {
    this.app = app;
    this.search = search;
    this.button = h("button", { type: "button", id: "search", class: "primary", title: "Start or stop (Space)", onclick: () => this.toggle() });
    const choice = (name, words, options) => {
      const select = h("select", { id: `setting-${name}`, onchange: () => this.#set(name, options[select.selectedIndex][0]) },
        ...options.map(([, text]) => h("option", {}, text)));
      const known = options.findIndex(([each]) => each === app.store.state.settings[name]);
      select.selectedIndex = Math.max(0, known);
      return h("label", {}, words, select);
    };
    this.fields = h("div", { class: "fields" }, choice("seconds", "Time", SECONDS));
    this.element = h("div", { class: "controls" }, this.button, this.fields);
    app.server().then(({ presets, limits }) => {
      const most = Math.min(limits.threads, navigator.hardwareConcurrency || 1, 16);
      const threads = Array.from({ length: most }, (_, index) => [index + 1, `${index + 1}`]);
      this.fields.append(choice("preset", "Preset", presets.map((name) => [name, name])), choice("threads", "Threads", threads));
    }, () => {}); // no connection: search says so
    this.show();
  }

  /** Start the search, or stop it and keep it off. */
  toggle() {
    if (this.button.disabled) return;
    if (this.search.isRunning) {
      this.search.stop();
      this.#set("isOn", false);
    } else if (this.app.store.state.settings.isOn) this.search.start();
    else this.#set("isOn", true);
  }

  /** Show what the button does now. */
  show() {
    const { isRunning, reply, game } = this.search;
    const isProven = reply?.rootInfo.proof != null;
    setText(this.button, isRunning ? "Stop" : isProven ? "Proven" : reply ? "Go on" : "Start");
    this.button.disabled = !isRunning && (isProven || game.outcome !== null);
    this.button.classList.toggle("primary", !isRunning && !this.button.disabled);
  }

  #set(name, value) {
    const { settings } = this.app.store.state;
    this.app.store.update({ settings: { ...settings, [name]: value } });
  }
}
