/**
 * Before a game: level, side, clock.
 *
 * @import { App } from "./app.js"
 * @import { Player } from "./game.js"
 * @import { Level } from "./match.js"
 */

import { h, setText } from "./dom.js";
import { colour, messageOf, sentence } from "./format.js";
import { Game } from "./game.js";
import { CLOCKS } from "./match.js";

/**
 * The form.
 *
 * @param {App} app
 * @param {(level: Level, side: Player, clock: number, game: Game) => void} onStart
 */
export function showSetup(app, onStart) {
  const { store } = app;
  const { settings, flipped } = store.state;
  /** @type {Level[]} */
  let levels = [];
  const name = h("output", { class: "level-name" });
  const range = h("input", { type: "range", id: "level", min: "1", max: "10", step: "1", value: `${settings.level}`,
    oninput: showLevel });
  const nameOf = (/** @type {Player} */ player) => sentence(colour(player, flipped));
  const side = choice("side", "You play", settings.side, [[0, `${nameOf(0)}, first`], [1, `${nameOf(1)}, second`]]);
  const clock = choice("clock", "Clock", settings.clock, CLOCKS);
  const here = h("input", { type: "checkbox", id: "from-here" });
  const canContinue = store.state.ply > 0 && store.shown.outcome === null;
  const button = h("button", { class: "primary", id: "start", disabled: true }, "Start");
  app.connection.facts().then((facts) => {
    levels = facts.levels.map(({ level, name }) => ({ number: level, name }));
    button.disabled = false;
    showLevel();
  }, (error) => app.showError(messageOf(error)));

  function showLevel() {
    const level = levels[range.valueAsNumber - 1];
    if (!level) return;
    setText(name, `${level.number}  ${level.name}`);
    range.setAttribute("aria-valuetext", `${level.number}, ${level.name}`);
  }

  function save() {
    store.set({ level: range.valueAsNumber, side: side.value(), clock: clock.value() });
  }

  return h("form", { class: "setup", onchange: save, onsubmit: (event) => {
    event.preventDefault();
    const game = here.checked ? store.shown : new Game(store.state.game.rules);
    onStart(levels[range.valueAsNumber - 1], side.value(), clock.value(), game);
  } },
    h("h1", {}, "A game"),
    h("div", { class: "level" }, h("label", { for: "level" }, "Level"), name, range),
    side.element,
    clock.element,
    canContinue ? h("label", { class: "check" }, here, "From the position on the board") : null,
    h("div", { class: "row" }, button),
  );
}

/**
 * A group of radio buttons.
 *
 * @param {string} name
 * @param {string} words
 * @param {number} chosen
 * @param {[value: number, text: string][]} options
 */
function choice(name, words, chosen, options) {
  const inputs = options.map(([value]) =>
    h("input", { type: "radio", name, value: `${value}`, checked: value === chosen }));
  if (!inputs.some((input) => input.checked)) inputs[0].checked = true;
  const labels = options.map(([, text], index) => h("label", { class: "segment" }, inputs[index], h("span", {}, text)));
  return {
    element: h("fieldset", { class: "choice" }, h("legend", {}, words), h("div", { class: "segments" }, ...labels)),
    value: () => options[inputs.findIndex((input) => input.checked)][0],
  };
}
