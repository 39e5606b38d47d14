/** What the presets of searches are, in a sentence each. */

import { texts } from "./texts.js";

/** @type {Record<string, string>} */
const WORDS = texts.presets;

/**
 * What a preset is; "" for one of a newer server.
 *
 * @param {string} name
 */
export function aboutPreset(name) {
  return WORDS[name] ?? "";
}
