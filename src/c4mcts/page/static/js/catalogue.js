/**
 * Loads the texts of one language, static/texts/*.json. A notebook's widget has all of them instead of this module.
 *
 * @import { English } from "texts/en"
 */

/**
 * The texts of a language. All languages have the same places for values, so English gives the types.
 *
 * @param {string} language
 * @returns {Promise<English>}
 */
export async function catalogueOf(language) {
  const reply = await fetch(new URL(`../texts/${language}.json`, import.meta.url));
  return reply.json();
}
