/**
 * Questions before something ends that the user may want to keep.
 *
 * @import { App } from "./app.js"
 */

import { h } from "./dom.js";
import { isRunning } from "./match.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.dialogs;

/**
 * Ask the user; false if the dialog is closed in another way than by the button of the action.
 *
 * @param {string} question
 * @param {string} action what the button says
 * @param {string} [more] a sentence below the question
 * @returns {Promise<boolean>}
 */
export function confirmed(question, action, more = "") {
  return new Promise((resolve) => {
    const dialog = h("dialog", { id: "confirmation", "aria-labelledby": "question", onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    } },
    h("h2", { id: "question" }, question),
    more ? h("p", {}, more) : null,
    h("form", { method: "dialog", class: "row end" },
      h("button", { value: "no" }, TEXTS.cancel),
      h("button", { value: "yes", class: "primary" }, action)));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Whether another game may replace the one on the board: if a match is running, the user is asked.
 *
 * @param {App} app
 */
export async function mayReplace(app) {
  const { match } = app.store.state;
  if (!isRunning(match)) return true;
  const opponent = match?.seats.find((seat) => seat !== null && "number" in seat);
  const question = opponent && "number" in opponent ? fill(TEXTS.endAgainstLevel, { number: opponent.number })
    : TEXTS.end;
  return confirmed(question, TEXTS.endButton, TEXTS.undoBringsBack);
}
