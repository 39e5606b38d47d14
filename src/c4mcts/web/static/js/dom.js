/** Makes elements. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Properties named on... are listeners, `class` and names with "-" are attributes, the others are set
 * as properties. Children are nodes, texts, or null.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class" || name === "for" || name === "role" || name.includes("-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** An SVG element with these attributes. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Sets a text only where it changes, so that screen readers and the eye are left alone. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
