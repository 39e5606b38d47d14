/** Motion on the page, which the user's system may ask to reduce. */

/** Whether motion is unwanted. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Resolves after some time, at once if motion is unwanted.
 *
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, isStill() ? 0 : milliseconds));
}
