/** Settings of the searches, of games against a level, and of the page, which the browser stores. */

/**
 * @typedef {object} Settings
 * @property {string} preset
 * @property {number} seconds for a search; see NO_LIMIT in search.js
 * @property {number} threads
 * @property {boolean} isOn whether positions are searched
 * @property {string} theme "auto", "light" or "dark"
 * @property {string} language of the page, see LANGUAGES in texts.js; "auto": that of the browser
 * @property {boolean} sound whether discs are heard
 * @property {boolean} keys whether keys of one character do something
 * @property {boolean} explain whether threats are drawn on the board
 * @property {boolean} openings whether the opening book is open
 * @property {string} opponent "level", "person" or "engines"
 * @property {number} level of the opponent, from 1
 * @property {number} side the user's player
 * @property {string} firstPreset of two engines, and so on
 * @property {string} secondPreset
 * @property {number} firstVisits simulations for each move
 * @property {number} secondVisits
 * @property {string} presetA of two searches that are compared, and so on
 * @property {string} presetB
 * @property {string} explorationA as it is typed; "": the preset's
 * @property {string} explorationB
 * @property {string} rolloutA "": the preset's
 * @property {string} rolloutB
 * @property {number} clock seconds, see CLOCKS in match.js; 0: none
 */

const NAME = "c4mcts";

/** @type {Readonly<Settings>} */
export const DEFAULTS = Object.freeze({
  preset: "strong", seconds: 5, threads: 1, isOn: true, theme: "auto", language: "auto", sound: false,
  keys: true, explain: false, openings: false,
  opponent: "level", level: 2, side: 0, clock: 0, firstPreset: "strong", secondPreset: "uct", firstVisits: 1000,
  secondVisits: 1000, presetA: "uct", presetB: "uct", explorationA: "0.3", explorationB: "3", rolloutA: "",
  rolloutB: "",
});

/** @returns {Readonly<Settings>} */
export function loadSettings() {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(NAME) ?? "{}") ?? {};
  } catch {
    // no storage, or not ours
  }
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
  const names = ["isOn", "preset", "seconds", "threads"];
  return names.some((name) => settings[name] !== before[name]);
}

/** @param {Settings} settings */
export function saveSettings(settings) {
  try {
    localStorage.setItem(NAME, JSON.stringify(settings));
  } catch {
    // no storage: they last as long as the page
  }
}
