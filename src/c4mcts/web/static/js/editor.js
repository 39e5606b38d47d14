/**
 * The dialog in which a position is set up. The game on the board stays as it is until the position is complete.
 *
 * @import { App } from "./app.js"
 * @import { Colour } from "./board-picture.js"
 * @import { Tool } from "./draft.js"
 * @import { Cell } from "./game.js"
 */

import { choice } from "./choice.js";
import { mayReplace } from "./confirmation.js";
import { h, setText } from "./dom.js";
import { Draft } from "./draft.js";
import { EditorBoard } from "./editor-board.js";
import { messageOf, sentence } from "./format.js";
import { Game } from "./game.js";
import { positionReader } from "./positions.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.editor;

/** @type {[value: Tool, text: string][]} */
const TOOLS = [["yellow", TEXTS.yellow], ["red", TEXTS.red], ["none", TEXTS.remove]];
/** @type {[value: Colour, text: string][]} */
const COLOURS = [["yellow", TEXTS.yellow], ["red", TEXTS.red]];

/** @param {App} app */
export function showEditor(app) {
  const original = Draft.of(app.store.shown, app.store.state.flipped);
  let draft = original;
  /** @type {Draft[]} */
  const past = [];

  const tool = choice("disc", TEXTS.disc, "yellow", TOOLS);
  const turn = choice("to-move", TEXTS.toMove, draft.toMove, COLOURS);
  turn.element.addEventListener("change", () => change(draft.withTurn(turn.value()), ""));
  const board = new EditorBoard(draft.rules, { onCell: place, targetOf });
  const count = h("p", { class: "soft small" });
  const said = h("p", { class: "hidden", role: "status" });
  const error = h("p", { class: "error", role: "alert", hidden: true });
  const buttons = [
    button(TEXTS.undo, TEXTS.undoTitle, takeBack),
    button(TEXTS.clear, TEXTS.clearTitle, () => change(draft.cleared, TEXTS.cleared)),
    button(TEXTS.reset, TEXTS.resetTitle, () => change(original, TEXTS.wasReset)),
  ];
  const dialog = h("dialog", { class: "editor", "aria-labelledby": "editor-title", onclose: () => dialog.remove(),
    onkeydown: (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key !== "z") return;
      event.preventDefault();
      takeBack();
    } },
  h("h2", { id: "editor-title" }, TEXTS.title),
  board.element,
  h("div", { class: "row editor-tools" }, tool.element, turn.element),
  h("div", { class: "row" }, ...buttons, count),
  h("p", { class: "soft small editor-help" }, TEXTS.help, h("span", {}, TEXTS.helpKeys)),
  h("div", { class: "editor-messages" }, error),
  said,
  h("form", { method: "dialog", class: "row end", onsubmit: (event) => {
    if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value === "cancel") return;
    event.preventDefault();
    finish();
  } },
  h("button", { value: "cancel" }, TEXTS.cancel),
  h("button", { class: "primary" }, TEXTS.use)));
  document.body.append(dialog);
  dialog.showModal();
  show();

  function show() {
    board.draw(draft);
    const { toMove, isEven } = draft;
    turn.inputs.forEach((input, index) => {
      input.checked = COLOURS[index][0] === toMove;
      input.disabled = !isEven && !input.checked;
    });
    setText(count, sentence(draft.count));
    refuse(null);
  }

  /** @param {Cell} cell */
  function targetOf(cell, used = tool.value()) {
    const target = draft.target(cell, used);
    return target && { cell: target, tool: used };
  }

  /**
   * @param {Cell} cell
   * @param {Tool | null} used null: the chosen one
   */
  function place(cell, used) {
    const wanted = used ?? tool.value();
    const found = targetOf(cell, wanted);
    if (!found) return say(fill(wanted === "none" ? TEXTS.emptyColumn : TEXTS.fullColumn, { column: cell[0] + 1 }));
    const [column, row] = found.cell;
    const where = fill(TEXTS.place, { column: column + 1, row: row + 1 });
    const words = wanted === "none" ? fill(TEXTS.removed, { where })
      : fill(TEXTS.placed, { colour: sentence(texts.colours[wanted]), where });
    change(draft.changed(found.cell, wanted), words);
  }

  /**
   * @param {Draft} next
   * @param {string} words for screen readers
   */
  function change(next, words) {
    if (next.equals(draft)) return;
    past.push(draft);
    draft = next;
    show();
    say(words);
  }

  function takeBack() {
    draft = past.pop() ?? draft;
    show();
    say(TEXTS.undone);
  }

  /** @param {string} words */
  function say(words) {
    const colour = sentence(texts.colours[draft.toMove]);
    said.textContent = fill(TEXTS.state, { words, count: sentence(draft.count), colour }).trim();
  }

  /** @param {string | null} words */
  function refuse(words) {
    error.hidden = words === null;
    setText(error, words ?? "");
  }

  /** Put the position on the board of the page, or say why it can't be one. */
  async function finish() {
    const found = draft;
    if (found.equals(original)) return dialog.close();
    if (found.refusal) return refuse(found.refusal);
    try {
      const { start } = await positionReader(app.connection)(found.fen);
      if (draft !== found || !dialog.open || !(await mayReplace(app))) return;
      const game = new Game(found.rules, [], found.yellow + found.red ? start : null);
      app.store.load(game, 0, found.isFlipped);
      dialog.close();
    } catch (reason) {
      refuse(found.inWords(messageOf(reason)));
    }
  }
}

/**
 * @param {string} text
 * @param {string} title
 * @param {() => void} onclick
 */
function button(text, title, onclick) {
  return h("button", { type: "button", title, onclick }, text);
}
