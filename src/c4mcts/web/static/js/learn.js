/**
 * Learn: the simulations of a search one by one, and a tree to explore.
 *
 * @import { App, Mode } from "./app.js"
 */

import { Comparison } from "./compare.js";
import { button, h } from "./dom.js";
import { StepByStep } from "./learn-steps.js";
import { texts } from "./texts.js";
import { TreeView } from "./tree-explorer.js";

const TEXTS = texts.learn;

/** @typedef {typeof StepByStep | typeof TreeView | typeof Comparison} View */
/** @type {[name: string, text: string, View: View][]} */
const VIEWS = [["steps", TEXTS.steps, StepByStep], ["tree", TEXTS.tree, TreeView],
  ["compare", TEXTS.compare, Comparison]];

/**
 * @param {App} app
 * @returns {Mode}
 */
export function mount(app) {
  const place = h("div", { class: "learn-view" });
  const buttons = VIEWS.map(([name, text, View]) =>
    button(text, () => show(View), { id: `learn-${name}` }));
  /** @type {InstanceType<View> | null} */
  let view = null;
  const choice = h("div", { class: "row learn-views", role: "group", "aria-label": TEXTS.label }, ...buttons);
  app.panel.append(choice, place);

  /** @param {View} View */
  function show(View) {
    view?.unmount();
    place.replaceChildren();
    app.board.setGhosts([]);
    app.board.setMarks([]);
    app.board.setBars(null);
    view = new View(app, place);
    buttons.forEach((each, index) => each.setAttribute("aria-pressed", `${VIEWS[index][2] === View}`));
  }
  show(StepByStep);
  app.panel.focus({ preventScroll: true }); // Space would press the button of the mode

  return {
    unmount: () => view?.unmount(),
    onKey: (key) => view?.onKey(key) ?? false,
    onState: (state, before) => view?.onState(state, before),
    onConnect: () => view?.onConnect(),
  };
}
