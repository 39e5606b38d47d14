/** The dialog in which a board of another size is chosen. */

import { h } from "./dom.js";
import { Game, STANDARD } from "./game.js";
import { checkedRules } from "./notation.js";

const USUAL = [STANDARD, { ...STANDARD, width: 8, height: 7 }, { ...STANDARD, width: 9, height: 7, connect: 4 },
  { ...STANDARD, width: 10, height: 10, connect: 5 }, { ...STANDARD, width: 20, height: 14, connect: 5 }];

/** Ask for the rules of a new game; the old game stays if the dialog is left. */
export function showRulesDialog(app) {
  const rules = app.store.state.game.rules;
  const field = (name, words, min, max) =>
    h("label", {}, words, h("input", { type: "number", name, value: rules[name], min, max, required: true, inputMode: "numeric" }));
  const error = h("p", { class: "error", role: "alert", hidden: true });
  const diagonals = h("input", { type: "checkbox", name: "diagonals", checked: rules.diagonals });
  const start = (wanted) => {
    try {
      app.store.load(new Game(checkedRules(wanted)));
      dialog.close();
    } catch (refusal) {
      error.hidden = false;
      error.textContent = refusal.message;
    }
  };
  const form = h("form", { method: "dialog", noValidate: true, onsubmit: (event) => {
    event.preventDefault();
    const read = (name) => (form.elements[name].value === "" ? NaN : Number(form.elements[name].value));
    start({ width: read("width"), height: read("height"), connect: read("connect"), diagonals: diagonals.checked });
  } },
    h("div", { class: "chips" }, ...USUAL.map((usual) =>
      h("button", { type: "button", onclick: () => start(usual) }, `${usual.width} × ${usual.height}, ${usual.connect}`))),
    h("div", { class: "fields" }, field("width", "Columns", 1, 20), field("height", "Rows", 1, 14), field("connect", "In a row", 2, 20)),
    h("label", { class: "check" }, diagonals, "Diagonals count"),
    error,
    h("div", { class: "row end" },
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button", { class: "primary" }, "New game")),
  );
  const dialog = h("dialog", { "aria-labelledby": "rules-title", onclose: () => dialog.remove() },
    h("h2", { id: "rules-title" }, "Another board"), form);
  document.body.append(dialog);
  dialog.showModal();
}
