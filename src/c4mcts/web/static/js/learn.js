/**
 * Learn: the simulations of a search one by one, a tree to explore, and two searches beside each other.
 *
 * @import { Mount } from "./app.js"
 */

import { Comparison } from "./compare.js";
import { StepByStep } from "./learn-steps.js";
import { texts } from "./texts.js";
import { TreeView } from "./tree-explorer.js";
import { mountViews } from "./views.js";

const TEXTS = texts.learn;

/** @type {Mount} */
export function mount(app) {
  const mode = mountViews(app, "learn", TEXTS.label, [
    ["steps", TEXTS.steps, (...where) => new StepByStep(...where)],
    ["tree", TEXTS.tree, (...where) => new TreeView(...where)],
    ["compare", TEXTS.compare, (...where) => new Comparison(...where)],
  ]);
  app.panel.focus({ preventScroll: true }); // Space would press the button of the mode
  return mode;
}
