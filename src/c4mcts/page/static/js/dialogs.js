/**
 * Dialogs, and the question before something ends that the user may want to keep.
 *
 * @import { App } from "./app.js"
 * @import { Child, Properties } from "./dom.js"
 */

import { h } from "./dom.js";
import { isRunning, onlyPerson } from "./match.js";
import { texts } from "./texts.js";

const TEXTS = texts.dialogs;

/**
 * Open a dialog, which is removed when it is closed.
 *
 * @param {string} title
 * @param {Properties<"dialog">} more
 * @param {...Child} content
 */
export function openDialog(title, more, ...content) {
  const dialog = h("dialog", { "aria-label": title, ...more }, h("h2", {}, title), ...content);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Resolves with what a dialog returns when it is closed: the value of a button, or "".
 *
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<string>}
 */
export function returned(dialog) {
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue)));
}

/** @param {...Child} buttons in the last row of a dialog, which they close */
export function closingRow(...buttons) {
  return h("form", { method: "dialog", class: "row end" }, ...buttons);
}

/**
 * Ask the user; false if the dialog is closed in another way than by the button of the action.
 *
 * @param {string} question
 * @param {string} action what the button says
 * @param {string} [more] a sentence below the question
 * @param {Child} [picture] below both
 */
export async function confirmed(question, action, more = "", picture = null) {
  const no = h("button", { value: "no" }, TEXTS.cancel);
  const yes = h("button", { value: "yes", class: "primary" }, action);
  const dialog = openDialog(question, { id: "confirmation" }, more ? h("p", {}, more) : null, picture,
    closingRow(no, yes));
  return await returned(dialog) === "yes";
}

/**
 * Whether another game may replace the one on the board: if a match is running, the user is asked.
 *
 * @param {App} app
 * @param {Child} [picture] of the other game
 */
export async function mayReplace(app, picture = null) {
  const { match } = app.store.state;
  if (!isRunning(match)) return true;
  const question = match && onlyPerson(match) !== null ? TEXTS.endAgainstLevel : TEXTS.end;
  return confirmed(question, TEXTS.endButton, TEXTS.undoBringsBack, picture);
}
