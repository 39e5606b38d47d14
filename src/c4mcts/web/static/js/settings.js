/** Settings of the searches, of games against a level, and of the page, which the browser keeps. */

const NAME = "c4mcts";
export const DEFAULTS = { preset: "strong", seconds: 5, threads: 1, isOn: true, theme: "auto",
  level: 4, side: 0, clock: 0 };

/** The settings that were kept, or the usual ones. */
export function loadSettings() {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(NAME)) ?? {};
  } catch {
    // no storage, or not ours
  }
  const isLikeDefault = ([name, value]) => typeof value === typeof DEFAULTS[name];
  return Object.freeze({ ...DEFAULTS, ...Object.fromEntries(Object.entries(kept).filter(isLikeDefault)) });
}

/** Whether a change of the settings is one for the search that is running. */
export function concernSearches(settings, before) {
  return ["isOn", "preset", "seconds", "threads"].some((name) => settings[name] !== before[name]);
}

/** Keep the settings. */
export function saveSettings(settings) {
  try {
    localStorage.setItem(NAME, JSON.stringify(settings));
  } catch {
    // no storage: they last as long as the page
  }
}
