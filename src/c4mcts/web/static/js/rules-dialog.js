/**
 * The dialog for choosing a board of another size.
 *
 * @import { App } from "./app.js"
 * @import { Rules } from "./game.js"
 */

import { mayReplace } from "./confirmation.js";
import { h } from "./dom.js";
import { messageOf } from "./format.js";
import { Game, STANDARD } from "./game.js";
import { checkedRules } from "./notation.js";

/** @type {Rules[]} */
const USUAL = [STANDARD, { ...STANDARD, width: 8, height: 7 }, { ...STANDARD, width: 9, height: 7, connect: 4 },
  { ...STANDARD, width: 10, height: 10, connect: 5 }, { ...STANDARD, width: 20, height: 14, connect: 5 }];

/**
 * Ask for the rules of a new game; the old game stays if the dialog is cancelled.
 *
 * @param {App} app
 */
export function showRulesDialog(app) {
  const { rules } = app.store.state.game;
  const number = (/** @type {"width" | "height" | "connect"} */ name, /** @type {number} */ min, max = 20) =>
    h("input", { type: "number", name, value: `${rules[name]}`, min: `${min}`, max: `${max}`, required: true,
      inputMode: "numeric" });
  const [width, height, connect] = [number("width", 1), number("height", 1, 14), number("connect", 2)];
  const diagonals = h("input", { type: "checkbox", name: "diagonals", checked: rules.diagonals });
  const dialog = h("dialog", { "aria-labelledby": "rules-title" });
  dialog.addEventListener("close", () => dialog.remove());
  const error = h("p", { class: "error", role: "alert", hidden: true });
  const start = async (/** @type {Rules} */ wanted) => {
    try {
      const game = new Game(checkedRules(wanted));
      if (!(await mayReplace(app))) return;
      app.store.load(game);
      dialog.close();
    } catch (refusal) {
      error.hidden = false;
      error.textContent = messageOf(refusal);
    }
  };
  const form = h("form", { method: "dialog", noValidate: true, onsubmit: (event) => {
    event.preventDefault();
    start({ width: width.valueAsNumber, height: height.valueAsNumber, connect: connect.valueAsNumber,
      diagonals: diagonals.checked });
  } },
  h("div", { class: "chips" }, ...USUAL.map((usual) =>
    h("button", { type: "button", onclick: () => start(usual) },
      `${usual.width} × ${usual.height}, ${usual.connect}`))),
  h("div", { class: "fields" }, h("label", {}, "Columns", width), h("label", {}, "Rows", height),
    h("label", {}, "In a row", connect)),
  h("label", { class: "check" }, diagonals, "Diagonals count"),
  error,
  h("div", { class: "row end" },
    h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
    h("button", { class: "primary" }, "New game")));
  dialog.append(h("h2", { id: "rules-title" }, "Another board"), form);
  document.body.append(dialog);
  dialog.showModal();
}
