/** A choice of one of a few options. */

import { h } from "./dom.js";

/**
 * A group of radio buttons: its element, its inputs in the order of the options, and the chosen value.
 *
 * @template {number | string} Value
 * @param {string} name
 * @param {string} words
 * @param {Value} chosen
 * @param {[value: Value, text: string][]} options
 */
export function choice(name, words, chosen, options) {
  const inputs = options.map(([value]) =>
    h("input", { type: "radio", name, value: `${value}`, checked: value === chosen }));
  if (!inputs.some((input) => input.checked)) inputs[0].checked = true;
  const labels = options.map(([, text], index) => h("label", { class: "segment" }, inputs[index], h("span", {}, text)));
  return {
    element: h("fieldset", { class: "choice", id: name }, h("legend", {}, words),
      h("div", { class: "segments" }, ...labels)),
    inputs,
    value: () => options[inputs.findIndex((input) => input.checked)][0],
  };
}
