/** The texts of the page in the language of the user. The places of values are in braces. */

import { catalogueOf } from "./catalogue.js";
import { loadSettings } from "./settings.js";

/** @typedef {readonly [one: string, more: string]} Forms of a text with a number, "count" */
/**
 * The names of the values that a text has places for.
 *
 * @template {string} Text
 * @typedef {Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never} Places
 */

export const LANGUAGES = ["en", "de", "fr", "es"];

/** @param {readonly string[]} tags such as "de" and "de-AT"; the first that the page has, or else English */
export function languageOf(tags) {
  return tags.map((tag) => tag.toLowerCase().split("-")[0]).find((name) => LANGUAGES.includes(name)) ?? "en";
}

export const texts = await catalogueOf(languageOf([loadSettings().language, ...globalThis.navigator?.languages ?? []]));

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

/** Put the texts into the elements that index.html has. */
export function showPageTexts() {
  document.documentElement.lang = texts.language;
  each("text", (element, text) => (element.textContent = text));
  each("label", (element, text) => element.setAttribute("aria-label", text));
  each("title", (element, text) => (element.title = text));
}

/**
 * @param {"text" | "label" | "title"} what
 * @param {(element: HTMLElement, text: string) => void} put
 */
function each(what, put) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-${what}]`))) {
    put(element, texts.index[/** @type {keyof typeof texts.index} */ (element.dataset[what])]);
  }
}
