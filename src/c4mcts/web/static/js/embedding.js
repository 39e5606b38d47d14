/** The page within another one: slides, a blog, a course. It shows a position or a lesson, and stores nothing. */

import { element } from "./dom.js";

/** @import { Store } from "./store.js" */

export const isEmbedded = new URLSearchParams(location.search).has("embed");
document.documentElement.toggleAttribute("data-embedded", isEmbedded);

/**
 * Link to the whole page with what is shown here.
 *
 * @param {Store} store
 */
export function showWayOut(store) {
  const link = /** @type {HTMLAnchorElement} */ (element("whole"));
  link.hidden = false;
  const follow = () => (link.href = `${location.pathname}${location.hash}`);
  store.subscribe(() => queueMicrotask(follow)); // after the address, which follows the store, too
  follow();
}
