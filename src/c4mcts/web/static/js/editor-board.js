/**
 * The board of the editor: each cell is a button, by mouse, by touch, and by keyboard (Tab, then arrow keys and Enter).
 *
 * @import { Cell, Rules } from "./game.js"
 * @import { Draft, Tool } from "./draft.js"
 */

import { BoardPicture } from "./board-picture.js";
import { s, setStyle } from "./dom.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.editorBoard;

/** @type {Record<string, Tool | null>} */
const KEYS = { enter: null, " ": null, y: "yellow", r: "red", delete: "none", backspace: "none" }; // null: the chosen
/** @type {Record<string, [right: number, up: number]>} */
const STEPS = { arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, 1], arrowdown: [0, -1] };

export class EditorBoard {
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

  /**
   * Show what would change if a cell were chosen.
   *
   * @param {Cell | null} cell
   */
  #aim(cell) {
    this.#aimed = cell;
    const found = cell && this.#targetOf(cell);
    const isDisc = found && found.tool !== "none";
    this.#picture.ghosts.replaceChildren(
      ...(isDisc ? [this.#picture.ghost(found.cell, /** @type {any} */ (found.tool), { text: "", isFalling: false })]
        : []));
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
