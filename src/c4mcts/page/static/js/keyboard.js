/**
 * The keys of the page, and the presentation: full screen, large type, keys only. What is shown then is up to
 * style.css, by mode and by phase.
 *
 * @import { App } from "./app.js"
 * @import { Undo } from "./undo.js"
 */

import { element } from "./dom.js";
import { texts } from "./texts.js";

const TEXTS = texts.keyboard;

/** @type {[key: string, words: string][]} */
export const KEYS = [
  ["1 – 9", TEXTS.play],
  ["← →", TEXTS.backAndForward],
  [TEXTS.homeAndEnd, TEXTS.toStartOrEnd],
  [TEXTS.space, TEXTS.startOrStop],
  ["← → ↑ ↓", TEXTS.inLearn],
  ["H", TEXTS.hint],
  ["N", TEXTS.next],
  ["F", TEXTS.swap],
  ["P", TEXTS.present],
  [TEXTS.tab, TEXTS.toTheBoard],
  [TEXTS.controlZ, TEXTS.undo],
  [TEXTS.controlV, TEXTS.paste],
  ["?", TEXTS.help],
];
const root = document.documentElement;

/**
 * @param {App} app
 * @param {Undo} undo
 */
export function listenToKeys(app, undo) {
  const { store } = app;
  /** @type {Record<string, () => void>} */
  const actions = {
    ArrowLeft: () => store.go(store.state.ply - 1),
    ArrowRight: () => store.go(store.state.ply + 1),
    Home: () => store.go(0),
    End: () => store.go(Infinity),
    f: () => store.update({ flipped: !store.state.flipped }),
    p: () => present(!root.hasAttribute("data-presenting")),
    Escape: () => present(false),
    "?": () => element("help").click(),
  };
  let isTabbing = false; // whether the focus was moved by keys, and not by a pointer
  addEventListener("pointerdown", () => (isTabbing = false));
  addEventListener("keydown", (event) => {
    if (!app.mode?.game && takesBack(event, undo)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "Tab") isTabbing = true;
    const isOnButton = isWithin(event.target, "button, summary, a");
    if (key === " " && isOnButton) return; // presses it
    if (key.length === 1 && (!store.state.settings.keys || (isTabbing && isOnButton))) return;
    if (/^[1-9]$/.test(key)) app.choose(Number(key) - 1);
    else if (!app.mode?.onKey?.(key)) {
      if (!actions[key]) return;
      actions[key]();
    }
    event.preventDefault();
  });
}

/**
 * Undo or redo if a key says so; returns whether it does.
 *
 * @param {KeyboardEvent} event
 * @param {Undo} undo
 */
function takesBack({ key, ctrlKey, metaKey, shiftKey, altKey, target }, undo) {
  if (!(ctrlKey || metaKey) || altKey || isTyping(target)) return false;
  const name = `${shiftKey ? "Shift " : ""}${key.toLowerCase()}`;
  if (name === "z") undo.undo();
  else if (name === "Shift z" || name === "y") undo.redo();
  else return false;
  return true;
}

/** @param {EventTarget | null} target that keys belong to, if it is a field or a dialog is open */
export function isTyping(target) {
  return isWithin(target, "input, select, textarea, [contenteditable]") || document.querySelector("dialog") !== null;
}

/**
 * @param {EventTarget | null} target
 * @param {string} selector
 */
function isWithin(target, selector) {
  return target instanceof Element && target.closest(selector) !== null;
}

/** Let the buttons skip to the board and begin the presentation, and the end of the full screen end it. */
export function listenToPresentation() {
  element("skip").addEventListener("click", () =>
    /** @type {SVGElement | null} */ (document.querySelector(".column[tabindex='0']"))?.focus());
  element("present").addEventListener("click", () => present(true));
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement) root.removeAttribute("data-presenting");
  });
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
