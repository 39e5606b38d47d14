/**
 * Before a game: opponent, side, clock. The first click on the board begins it.
 *
 * @import { App } from "./app.js"
 * @import { Game } from "./game.js"
 * @import { Seat } from "./match.js"
 * @import { ServerFacts } from "protocol"
 */

import { button, h, setText } from "./dom.js";
import { choice, menu, presetField } from "./fields.js";
import { playerName, whole } from "./format.js";
import { hasNetwork, isStandard } from "./game.js";
import { CLOCKS } from "./match.js";
import { presetOn } from "./search.js";
import { levelName, levelText, strengthText } from "./seats.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.playSetup;

/** @type {[value: string, text: string][]} */
const OPPONENTS = [["level", TEXTS.aLevel], ["network", texts.seats.network], ["person", TEXTS.twoPeople],
  ["engines", TEXTS.twoEngines]];
const NETWORK = OPPONENTS.findIndex(([value]) => value === "network");
/** @type {[value: number, text: string][]} */
const VISITS = [100, 1000, 10_000, 100_000].map((count) => [count, whole(count)]);

/**
 * @param {App} app
 * @param {number} side of the user against a level
 * @returns {Seat[]}
 */
export function seatsOf({ store }, side) {
  const { rules } = store.state.game;
  const { opponent, level, firstPreset, secondPreset, firstVisits, secondVisits } = store.state.settings;
  if (opponent === "person") return [null, null];
  if (opponent === "engines") {
    return [{ preset: presetOn(rules, firstPreset), visits: firstVisits },
      { preset: presetOn(rules, secondPreset), visits: secondVisits }];
  }
  const program = opponent === "network" && hasNetwork(rules) ? { preset: "network", visits: 0 } : { number: level };
  return side === 0 ? [null, program] : [program, null];
}

/**
 * @param {App} app
 * @param {(isHere: boolean) => void} onStart called with whether the game continues from the position on the board
 */
export function showSetup(app, onStart) {
  const { store } = app;
  const { settings, flipped, game: { rules } } = store.state;
  const canHaveNetwork = hasNetwork(rules);
  const nameOf = (/** @type {number} */ player) => playerName(player, flipped);
  const wanted = settings.opponent === "network" && !canHaveNetwork ? "level" : settings.opponent;
  const opponent = choice("opponent", TEXTS.opponent, wanted, OPPONENTS);
  opponent.inputs[NETWORK].disabled = !canHaveNetwork;
  const level = levelField(app);
  const strength = isStandard(rules) ? TEXTS.networkStrength : "";
  const network = h("p", { class: "soft small" },
    canHaveNetwork ? `${TEXTS.networkWords} ${strength}` : TEXTS.noNetwork);
  const side = choice("side", TEXTS.youPlay, settings.side,
    [[0, fill(TEXTS.first, { name: nameOf(0) })], [1, fill(TEXTS.second, { name: nameOf(1) })]]);
  const engines = engineFields(app, [nameOf(0), nameOf(1)]);
  const clock = choice("clock", TEXTS.clock, settings.clock, CLOCKS);
  const words = h("p", { class: "soft setup-words" });
  const canContinue = canContinueFrom(store.shown);
  const start = h("button", { class: "primary", id: "start" }, TEXTS.start);
  const here = button(TEXTS.continueHere, () => onStart(true), { id: "from-here", hidden: !canContinue });

  function show() {
    level.element.hidden = opponent.value() !== "level";
    network.hidden = opponent.value() !== "network" && canHaveNetwork;
    side.element.hidden = !["level", "network"].includes(opponent.value());
    engines.element.hidden = opponent.value() !== "engines";
    setText(words, beginning(opponent.value(), side.value(), canContinue));
  }
  show();

  return h("form", { class: "setup",
    onchange: () => {
      store.set({ opponent: opponent.value(), level: level.value(), side: side.value(), clock: clock.value(),
        ...engines.values() });
      show();
    },
    onsubmit: (event) => {
      event.preventDefault();
      onStart(false);
    } },
  h("h1", {}, TEXTS.title), words, opponent.element, network, level.element, side.element, engines.element,
  clock.element,
  h("div", { class: "row" }, start, here));
}

/** @param {Game} game */
export function canContinueFrom(game) {
  return game.discs > 0 && game.outcome === null;
}

/**
 * @param {string} opponent
 * @param {number} side
 * @param {boolean} canContinue whether there is a position to continue from
 */
function beginning(opponent, side, canContinue) {
  if (opponent === "engines") return TEXTS.clickBegins;
  if (canContinue) return TEXTS.clickContinues;
  if (opponent === "person" || side === 0) return TEXTS.moveBegins;
  return TEXTS.levelFirst;
}

/** @param {App} app */
function levelField({ store, connection }) {
  const name = h("output", { class: "level-name", for: "level" });
  const words = h("p", { class: "soft small level-words", id: "level-words" });
  const range = h("input", { type: "range", id: "level", min: "1", max: "10", step: "1",
    value: `${store.state.settings.level}`, "aria-describedby": "level-words", oninput: show });
  const strength = h("p", { class: "soft small" });
  /** @type {ServerFacts["levels"]} */
  let levels = [];
  connection.facts().then((facts) => {
    ({ levels } = facts);
    show();
  }, () => {}); // no connection: the form says so

  function show() {
    const found = levels[range.valueAsNumber - 1];
    if (!found) return;
    const title = levelName(found.level);
    setText(name, `${found.level}  ${title}`);
    setText(words, levelText(found.level, store.state.game.rules));
    setText(strength, strengthText(found.level, found.rating, store.state.game.rules));
    range.setAttribute("aria-valuetext", `${found.level}, ${title}`);
  }
  return {
    element: h("div", { class: "level" }, h("label", { for: "level" }, TEXTS.level), name, range, words,
      h("details", {}, h("summary", {}, TEXTS.details), strength)),
    value: () => range.valueAsNumber,
  };
}

/**
 * @param {App} app
 * @param {string[]} names of the colours
 */
function engineFields(app, names) {
  const { firstPreset, secondPreset, firstVisits, secondVisits } = app.store.state.settings;
  const presets = [firstPreset, secondPreset].map((value, player) =>
    presetField(app, { id: `engine-${player + 1}`, words: fill(TEXTS.preset, { name: names[player] }), value }));
  const visits = [firstVisits, secondVisits].map((count) => menu(VISITS, count));
  const rows = presets.map((preset, player) => h("div", {}, h("div", { class: "fields" }, preset.element,
    h("label", {}, TEXTS.simulationsPerMove, visits[player].element)), preset.about));
  return {
    element: h("div", { class: "engines" }, ...rows),
    values: () => ({ firstPreset: presets[0].value, secondPreset: presets[1].value, firstVisits: visits[0].value(),
      secondVisits: visits[1].value() }),
  };
}
