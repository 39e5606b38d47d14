/** The texts of the page in the language of the user. Each language is a module like texts-en.js; one is loaded. */

import { loadSettings } from "./settings.js";

/** @typedef {readonly [one: string, more: string]} Forms of a text with a number, "count" */
/**
 * The names of the values that a text has places for.
 *
 * @template {string} Text
 * @typedef {Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never} Places
 */
/**
 * The form of texts in another language; that they have the same places is tested in tests/web/js/texts.test.js.
 *
 * @template Texts
 * @typedef {Texts extends string ? string : { readonly [Name in keyof Texts]: Translated<Texts[Name]> }} Translated
 */

/** How each language is loaded. */
const LOADERS = {
  en: () => import("./texts-en.js"),
  de: () => import("./texts-de.js"),
  fr: () => import("./texts-fr.js"),
  es: () => import("./texts-es.js"),
};

export const LANGUAGES = /** @type {(keyof typeof LOADERS)[]} */ (Object.keys(LOADERS));

/**
 * The first of the languages that the page has, or else English.
 *
 * @param {readonly string[]} tags such as "de" and "de-AT"
 */
export function languageOf(tags) {
  const names = tags.map((tag) => tag.toLowerCase().split("-")[0]);
  return LANGUAGES.find((language) => language === names.find((name) => Object.hasOwn(LOADERS, name))) ?? "en";
}

const language = languageOf([loadSettings().language, ...globalThis.navigator?.languages ?? []]);

/** Those of other languages have the same places, so their types are those of English. */
export const texts = /** @type {Awaited<ReturnType<typeof LOADERS.en>>["texts"]} */ ((await LOADERS[language]()).texts);

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
