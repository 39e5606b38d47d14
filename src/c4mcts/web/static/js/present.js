/** Presentation: full screen, large type, keys only. What is shown then is up to style.css, by mode and by phase. */

import { element } from "./dom.js";

const root = document.documentElement;

/** Let the button begin the presentation, and the end of the full screen end it. */
export function listenToPresentation() {
  element("present").addEventListener("click", () => present(true));
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement) root.removeAttribute("data-presenting");
  });
}

export function isPresenting() {
  return root.hasAttribute("data-presenting");
}

/** @param {boolean} isWanted */
export async function present(isWanted) {
  root.toggleAttribute("data-presenting", isWanted);
  try {
    if (isWanted) await root.requestFullscreen();
    else if (document.fullscreenElement) await document.exitFullscreen();
  } catch {
    // not allowed here: large type without the full screen
  }
}
