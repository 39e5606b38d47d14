/** The texts of the page, all of which lie in texts-en.js; another language is one more such module. */

import { english } from "./texts-en.js";

/** @typedef {readonly [one: string, more: string]} Forms of a text with a number, "count" */
/**
 * The names of the values that a text has places for.
 *
 * @template {string} Text
 * @typedef {Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never} Places
 */

export const texts = english;

const plural = new Intl.PluralRules(texts.language);

/**
 * A text with values in its places.
 *
 * @template {string} Text
 * @param {Text} text
 * @param {Record<Places<Text>, string | number>} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, /** @type {Places<Text>} */ name) => `${values[name]}`);
}

/**
 * A text for a number: "1 move", "1,200 moves".
 *
 * @param {Forms} forms
 * @param {number} count
 * @param {Record<string, string | number>} values of other places
 */
export function counted([one, more], count, values = {}) {
  const text = plural.select(count) === "one" ? one : more;
  return fill(text, /** @type {any} */ ({ ...values, count: count.toLocaleString(texts.language) }));
}
