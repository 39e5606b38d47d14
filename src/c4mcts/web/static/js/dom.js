/** Makes elements, and changes them. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * The element with an id that index.html has. Error.
 *
 * @param {string} id
 */
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
 * An SVG element with these attributes.
 *
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

/** @param {Child[]} children */
function present(children) {
  return children.filter((child) => child != null);
}

/**
 * Let the browser save a file.
 *
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
