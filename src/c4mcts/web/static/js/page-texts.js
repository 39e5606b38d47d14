/** Puts the texts into the elements that index.html has. */

import { texts } from "./texts.js";

/** @typedef {keyof typeof texts.index} Name of a text, in data-text, data-label or data-title */

export function showPageTexts() {
  document.documentElement.lang = texts.language;
  each("text", (element, text) => (element.textContent = text));
  each("label", (element, text) => element.setAttribute("aria-label", text));
  each("title", (element, text) => (element.title = text));
}

/**
 * Call a function for each element with an attribute.
 *
 * @param {"text" | "label" | "title"} what
 * @param {(element: HTMLElement, text: string) => void} put
 */
function each(what, put) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-${what}]`))) {
    put(element, texts.index[/** @type {Name} */ (element.dataset[what])]);
  }
}
