/** Before a game: level, side, clock. */

import { h, setText } from "./dom.js";
import { colour, sentence } from "./format.js";
import { Game } from "./game.js";
import { CLOCKS } from "./match.js";

/** The form; onStart: called with (level, side, clock, game). */
export function showSetup(app, onStart) {
  const { store } = app;
  const { settings, flipped } = store.state;
  let levels = [];
  const name = h("output", { class: "level-name" });
  const range = h("input", { type: "range", id: "level", min: 1, max: 10, step: 1, value: settings.level, oninput: showLevel });
  const side = choice("side", "You play", settings.side, [0, 1].map((player) =>
    [player, `${sentence(colour(player, flipped))}, ${player ? "second" : "first"}`]));
  const clock = choice("clock", "Clock", settings.clock, CLOCKS);
  const here = h("input", { type: "checkbox", id: "from-here" });
  const canContinue = store.state.ply > 0 && store.shown.outcome === null;
  const button = h("button", { class: "primary", id: "start", disabled: true }, "Start");
  app.server().then((facts) => {
    levels = facts.levels.map(({ level, ...rest }) => ({ number: level, ...rest }));
    button.disabled = false;
    showLevel();
  }, (error) => app.showError(error.message));

  function showLevel() {
    const level = levels[range.valueAsNumber - 1];
    if (!level) return;
    const rating = level.rating == null ? "" : `, about ${Math.round(level.rating)} Elo`;
    setText(name, `${level.number}  ${level.name}${rating}`);
    range.setAttribute("aria-valuetext", `${level.number}, ${level.name}`);
  }

  function save() {
    const wanted = { level: range.valueAsNumber, side: side.value(), clock: clock.value() };
    store.update({ settings: { ...store.state.settings, ...wanted } });
  }

  return h("form", { class: "setup", onchange: save, onsubmit: (event) => {
    event.preventDefault();
    const wanted = store.state.settings;
    const game = here.checked ? store.shown : new Game(store.state.game.rules);
    onStart(levels[wanted.level - 1], wanted.side, wanted.clock, game);
  } },
    h("h1", {}, "A game"),
    h("div", { class: "level" }, h("label", { for: "level" }, "Level"), name, range),
    side.element,
    clock.element,
    canContinue ? h("label", { class: "check" }, here, "From the position on the board") : null,
    h("div", { class: "row" }, button),
  );
}

/** A group of radio buttons; options: a list of [value, text]. */
function choice(name, words, chosen, options) {
  const inputs = options.map(([value]) => h("input", { type: "radio", name, value, checked: value === chosen }));
  if (!inputs.some((input) => input.checked)) inputs[0].checked = true;
  const labels = options.map(([, text], index) => h("label", { class: "segment" }, inputs[index], h("span", {}, text)));
  return {
    element: h("fieldset", { class: "choice" }, h("legend", {}, words), h("div", { class: "segments" }, ...labels)),
    value: () => options[inputs.findIndex((input) => input.checked)][0],
  };
}
