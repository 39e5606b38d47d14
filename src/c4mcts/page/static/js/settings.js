/** Settings of the searches, of games against a level, and of the page, which the browser stores. */

import { store, stored } from "./browser-storage.js";

const NAME = "c4mcts";

const SETTINGS = {
  preset: "strong",
  treePreset: "uct", // of the tree that is looked into: others prove positions, and end, too soon
  seconds: 5, // for a search; see NO_LIMIT in search.js
  threads: 1,
  isOn: true, // whether positions are searched
  theme: "auto", // or "light", "dark"
  language: "auto", // the browser's, or one of LANGUAGES in texts.js
  sound: false, // whether discs are heard
  keys: true, // whether keys of one character do something
  explain: false, // whether threats are drawn on the board
  book: 0, // whose openings are shown and trained, from 1; else a plan to win, see plan.js
  openings: false, // whether the opening book is open
  opponent: "level", // or "network", "person", "engines"
  level: 2, // of the opponent, from 1
  side: 0, // the user's player
  clock: 0, // seconds, see CLOCKS in match.js; 0: none
  firstPreset: "strong", // of two engines, and so on
  secondPreset: "uct",
  firstVisits: 1000, // simulations for each move
  secondVisits: 1000,
  presetA: "uct", // of two searches that are compared, and so on
  presetB: "uct",
  explorationA: "0.3", // as it is typed; "": the preset's
  explorationB: "3",
  rolloutA: "", // "": the preset's
  rolloutB: "",
};
/** @typedef {typeof SETTINGS} Settings */
/** @type {Readonly<Settings>} */
export const DEFAULTS = Object.freeze(SETTINGS);

/** @returns {Readonly<Settings>} */
export function loadSettings() {
  const kept = stored(NAME).found ?? {};
  /** @type {Record<string, unknown>} */
  const types = DEFAULTS;
  const known = Object.entries(kept).filter(([name, value]) => typeof value === typeof types[name]);
  return Object.freeze({ ...DEFAULTS, ...Object.fromEntries(known) });
}

/**
 * @param {Settings} settings
 * @param {Settings} before
 */
export function concernSearches(settings, before) {
  /** @type {(keyof Settings)[]} */
  const names = ["isOn", "preset", "treePreset", "seconds", "threads"];
  return names.some((name) => settings[name] !== before[name]);
}

/**
 * Keep what has changed; another tab may have changed others.
 *
 * @param {Settings} settings
 * @param {Settings} before
 */
export function saveSettings(settings, before) {
  /** @type {Record<string, unknown>} */
  const old = before;
  const changed = Object.entries(settings).filter(([name, value]) => value !== old[name]);
  store(NAME, { ...loadSettings(), ...Object.fromEntries(changed) });
}
