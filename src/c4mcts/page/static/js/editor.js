/**
 * The dialog in which a position is set up. The game on the board stays as it is until the position is complete.
 *
 * @import { App } from "./app.js"
 * @import { Colour } from "./board-picture.js"
 * @import { Tool } from "./draft.js"
 * @import { Cell, Rules } from "./game.js"
 */

import { BoardPicture } from "./board-picture.js";
import { mayReplace, openDialog } from "./dialogs.js";
import { button, h, problemLine, s, setStyle, setText, showText } from "./dom.js";
import { Draft } from "./draft.js";
import { choice } from "./fields.js";
import { messageOf, sentence } from "./format.js";
import { Game } from "./game.js";
import { positionReader } from "./positions.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.editor;
/** @type {[value: Tool, text: string][]} */
const TOOLS = [["yellow", TEXTS.yellow], ["red", TEXTS.red], ["none", TEXTS.remove]];
/** @type {[value: Colour, text: string][]} */
const COLOURS = [["yellow", TEXTS.yellow], ["red", TEXTS.red]];
/** @type {Record<string, Tool | null>} */
const KEYS = { enter: null, " ": null, y: "yellow", r: "red", delete: "none", backspace: "none" }; // null: the chosen
/** @type {Record<string, [right: number, up: number]>} */
const STEPS = { arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, 1], arrowdown: [0, -1] };

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
  const error = problemLine();
  const buttons = [
    button(TEXTS.undo, takeBack, { title: TEXTS.undoTitle }),
    button(TEXTS.clear, () => change(draft.cleared, TEXTS.cleared), { title: TEXTS.clearTitle }),
    button(TEXTS.reset, () => change(original, TEXTS.wasReset), { title: TEXTS.resetTitle }),
  ];
  const dialog = openDialog(TEXTS.title, { class: "editor", onkeydown: (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key !== "z") return;
    event.preventDefault();
    takeBack();
  } },
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
  show();

  function show() {
    board.draw(draft);
    const { toMove, isEven } = draft;
    turn.inputs.forEach((input, index) => {
      input.checked = COLOURS[index][0] === toMove;
      input.disabled = !isEven && !input.checked;
    });
    setText(count, sentence(draft.count));
    showText(error, null);
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

  /** Put the position on the board of the page, or say why it can't be one. */
  async function finish() {
    const found = draft;
    if (found.equals(original)) return dialog.close();
    if (found.refusal) return showText(error, found.refusal);
    try {
      const { start } = await positionReader(app.connection)(found.fen);
      if (draft !== found || !dialog.open || !(await mayReplace(app))) return;
      const game = new Game(found.rules, [], found.yellow + found.red ? start : null);
      app.store.load(game, 0, found.isFlipped);
      dialog.close();
    } catch (reason) {
      showText(error, found.inWords(messageOf(reason)));
    }
  }
}

class EditorBoard {
  /** @type {SVGRectElement[][]} */
  #cells; // of each column from below

  #picture;
  #onCell;
  #targetOf;

  /** @type {Cell | null} */
  #aimed = null; // the cell under the pointer, or with the focus

  /**
   * @param {Rules} rules
   * @param {object} listeners
   * @param {(cell: Cell, tool: Tool | null) => void} listeners.onCell called with the cell that was chosen, and with
   *   the tool of the key; null: the chosen one
   * @param {(cell: Cell) => { cell: Cell, tool: Tool } | null} listeners.targetOf what would change
   */
  constructor({ width, height }, { onCell, targetOf }) {
    this.#onCell = onCell;
    this.#targetOf = targetOf;
    this.#picture = new BoardPicture(width, height);
    this.#cells = Array.from({ length: width }, (_, column) =>
      Array.from({ length: height }, (_, row) => this.#cell([column, row])));
    const view = this.#picture.view(false);
    const rows = this.#cells[0].map((_, index) => this.#cells.map((cells) => cells[height - 1 - index])).flat();
    this.element = s("svg", { class: "board", role: "group", "aria-label": TEXTS.label,
      viewBox: `0 ${view.top} ${view.width} ${view.height}` }, ...this.#picture.parts, ...rows);
    setStyle(this.element, "--aspect", view.width / view.height);
    this.element.addEventListener("pointerleave", () => this.#aim(null));
  }

  /** @param {Draft} draft */
  draw(draft) {
    this.#picture.drawGame(draft.game, { flipped: false });
    this.#cells.forEach((cells, column) => cells.forEach((cell, row) => {
      const disc = texts.colours[draft.columns[column][row] ?? "none"];
      cell.setAttribute("aria-label", fill(TEXTS.cell, { column: column + 1, row: row + 1, disc }));
    }));
    this.#aim(this.#aimed);
  }

  /** @param {Cell | null} cell for which the board shows what would change */
  #aim(cell) {
    this.#aimed = cell;
    const found = cell && this.#targetOf(cell);
    const isDisc = found && found.tool !== "none";
    const player = Number(found?.tool !== "yellow");
    this.#picture.drawGhosts(isDisc ? [{ column: found.cell[0], row: found.cell[1], player }] : [], { flipped: false });
    this.#picture.marks.replaceChildren(...(found && !isDisc ? [this.#picture.mark(found.cell)] : []));
  }

  /** @param {Cell} cell */
  #cell(cell) {
    const button = this.#picture.cell(cell);
    button.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays
    button.addEventListener("click", () => this.#onCell(cell, null));
    button.addEventListener("pointerenter", () => this.#aim(cell));
    button.addEventListener("focus", () => this.#aim(button.matches(":focus-visible") ? cell : null));
    button.addEventListener("blur", () => this.#aim(null));
    button.addEventListener("keydown", (event) => this.#onKey(event, cell));
    return button;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Cell} cell
   */
  #onKey(event, cell) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key in STEPS) this.#focus(cell, STEPS[key]);
    else if (key in KEYS) this.#onCell(cell, KEYS[key]);
    else return;
    event.preventDefault();
  }

  /**
   * Move the focus; at an edge it stays.
   *
   * @param {Cell} from
   * @param {[right: number, up: number]} step
   */
  #focus([column, row], [right, up]) {
    const next = this.#cells[column + right]?.[row + up];
    if (!next) return;
    this.#cells[column][row].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}
