/** Makes elements, and changes them. */

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} id that index.html has; otherwise Error */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no element #${id}`);
  return found;
}

/** @typedef {Node | string | null | undefined} Child */
/**
 * Properties and listeners of an element, and attributes.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @typedef {Partial<HTMLElementTagNameMap[Tag]>
 *   & { class?: string, for?: string, [attribute: `${string}-${string}`]: string }} Properties
 */

/**
 * An HTML element. Properties named on... are listeners, `class` and names with "-" are attributes, the others are set
 * as properties. Children are nodes, texts, or null.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties<Tag>} properties
 * @param {...Child} children
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  /** @type {[string, any][]} */ // `any`: Properties says which value each may have
  const entries = Object.entries(properties);
  for (const [name, value] of entries) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class" || name === "for" || name === "role" || name.includes("-")) {
      element.setAttribute(name, value);
    } else Object.assign(element, { [name]: value });
  }
  element.append(...present(children));
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {...Child} children
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  element.append(...present(children));
  return element;
}

/**
 * @param {string} text
 * @param {(event: MouseEvent) => void} onclick
 * @param {Properties<"button">} more
 */
export function button(text, onclick, more = {}) {
  return h("button", { type: "button", onclick, ...more }, text);
}

/**
 * A button with a sign, and a label for pointers and screen readers.
 *
 * @param {string} sign
 * @param {string} label
 * @param {() => void} onclick
 * @param {Properties<"button">} more
 */
export function iconButton(sign, label, onclick, more = {}) {
  return button(sign, onclick, { class: "icon", title: label, "aria-label": label, ...more });
}

/**
 * A table with a caption for screen readers.
 *
 * @param {string} caption
 * @param {HTMLTableRowElement} head
 * @param {HTMLTableSectionElement} body
 * @param {Properties<"table">} more
 */
export function table(caption, head, body, more) {
  return h("table", more, h("caption", { class: "hidden" }, caption), h("thead", {}, head), body);
}

/** @param {readonly (readonly [name: string, text: Child])[]} pairs for a <dl> */
export function terms(pairs) {
  return pairs.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]);
}

/**
 * @param {readonly string[]} texts
 * @param {string | readonly string[]} classes of all columns, or of each
 */
export function headRow(texts, classes = "") {
  const name = (/** @type {number} */ index) => (typeof classes === "string" ? classes : classes[index]);
  return h("tr", {}, ...texts.map((text, index) => h("th", { scope: "col", class: name(index) }, text)));
}

/** @param {Properties<"p">} more properties; the line is hidden until `showText` gives it a text */
export function problemLine(more = {}) {
  return h("p", { class: "error", role: "alert", hidden: true, ...more });
}

/** @param {Child[]} children */
function present(children) {
  return children.filter((child) => child != null);
}

/**
 * @param {string} name
 * @param {Blob} content
 */
export function download(name, content) {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/**
 * Sets a text only if it changes, so as not to disturb screen readers and the eye.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Shows a text, or hides the element if there is none.
 *
 * @param {HTMLElement} element
 * @param {string | null} text
 */
export function showText(element, text) {
  element.hidden = !text;
  setText(element, text ?? "");
}

/**
 * Sets a property of CSS, as --part.
 *
 * @param {HTMLElement | SVGElement} element
 * @param {string} name
 * @param {string | number} value
 */
export function setStyle(element, name, value) {
  element.style.setProperty(name, `${value}`);
}

/**
 * Sets an attribute if a condition holds, and removes it otherwise.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 * @param {boolean} isSet
 */
export function setAttributeIf(element, name, value, isSet) {
  if (isSet) element.setAttribute(name, value);
  else element.removeAttribute(name);
}
