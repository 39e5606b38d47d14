/** What search is shown step by step: preset, exploration factor, luck. */

import { h } from "./dom.js";

/** view: a StepByStep, whose query the form changes. */
export function settingsForm(view) {
  const preset = h("select", { id: "learn-preset", onchange: () => set({ preset: preset.value, exploration: null }) }, h("option", {}, "uct"));
  view.app.server().then(({ presets }) => {
    preset.replaceChildren(...presets.map((name) => h("option", { selected: name === view.query.preset }, name)));
  }, () => {}); // no connection: the page says so
  const exploration = h("input", { type: "number", id: "learn-exploration", min: 0, max: 10, step: 0.1, placeholder: "as in the preset",
    onchange: () => set({ exploration: exploration.value === "" ? null : exploration.valueAsNumber }) });
  const luck = h("button", { type: "button", id: "learn-again", title: "The same search with other random numbers", onclick: () => set({ seed: null }) }, "Other random numbers");

  function set(fields) {
    Object.assign(view.query, fields);
    if (view.query.exploration === null) exploration.value = "";
    view.request();
  }

  return h("div", { class: "row learn-settings" },
    h("label", {}, "Preset", preset), h("label", {}, "Exploration factor c", exploration), luck);
}
