/**
 * A mode with several views, and the buttons that choose one.
 *
 * @import { App, Mode } from "./app.js"
 * @import { Subscriber } from "./store.js"
 */

import { button, h } from "./dom.js";

/** @typedef {(app: App, place: HTMLElement) => Mode} MountView draws it in the place */
/** @typedef {[name: string, text: string, mount: MountView]} View */

const STEPS = ["ArrowLeft", "ArrowRight", "Home", "End"]; // keys that go through the game of the store

/**
 * @param {App} app
 * @param {string} mode with whose name the ids of the buttons begin
 * @param {string} label of the choice
 * @param {View[]} views of which the first is shown
 * @param {(...change: Parameters<Subscriber>) => boolean} [leadsBack] whether a change leads to the first
 * @returns {Mode}
 */
export function mountViews(app, mode, label, views, leadsBack = () => false) {
  const place = h("div", { class: "view" });
  const buttons = views.map(([name, text], index) => button(text, () => show(index), { id: `${mode}-${name}` }));
  app.panel.append(h("div", { class: "row views", role: "group", "aria-label": label }, ...buttons), place);
  let shown = 0;
  /** @type {Mode | null} */
  let view = null;
  show(0);

  /** @param {number} index */
  function show(index) {
    view?.unmount();
    place.replaceChildren();
    app.clearBoard();
    shown = index;
    view = views[index][2](app, place);
    app.drawBoard();
    buttons.forEach((each, at) => each.setAttribute("aria-pressed", `${at === index}`));
  }

  return {
    get game() {
      return view?.game;
    },
    unmount: () => view?.unmount(),
    onColumn: (column) => (view?.onColumn ? view.onColumn(column) : app.play(column)),
    onKey: (key) => view?.onKey?.(key) || (view?.game !== undefined && STEPS.includes(key)),
    onState(state, before) {
      if (shown > 0 && leadsBack(state, before)) show(0);
      else view?.onState(state, before);
    },
    onConnect: () => view?.onConnect(),
  };
}
