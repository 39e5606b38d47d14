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
import { texts } from "./texts.js";

const TEXTS = texts.rulesDialog;

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
  h("div", { class: "fields" }, h("label", {}, TEXTS.columns, width), h("label", {}, TEXTS.rows, height),
    h("label", {}, TEXTS.inARow, connect)),
  h("label", { class: "check" }, diagonals, TEXTS.diagonals),
  error,
  h("div", { class: "row end" },
    h("button", { type: "button", onclick: () => dialog.close() }, TEXTS.cancel),
    h("button", { class: "primary" }, TEXTS.newGame)));
  dialog.append(h("h2", { id: "rules-title" }, TEXTS.title), form);
  document.body.append(dialog);
  dialog.showModal();
}
