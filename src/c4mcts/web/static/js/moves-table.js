/**
 * The table of moves: what is certain, then the search's value, visits and line. Its rows show their line on the board.
 *
 * @import { KnownMove } from "./moves.js"
 */

import { h, setStyle, setText } from "./dom.js";
import { columns, percent, proven, value } from "./format.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.movesTable;
const ROWS = 9;

export class MovesTable {
  /** @type {KnownMove[]} */
  #moves = []; // the one of each row

  #body = h("tbody", {});
  #onLine;
  #onPlay;

  /**
   * @param {object} listeners
   * @param {(line: readonly number[] | null) => void} listeners.onLine called with the line of the row that the pointer
   *   is on, or null
   * @param {(column: number) => void} listeners.onPlay called with the column of the row that was chosen
   */
  constructor({ onLine, onPlay }) {
    this.#onLine = onLine;
    this.#onPlay = onPlay;
    const heads = [[TEXTS.move, ""], [TEXTS.result, "left"], [TEXTS.search, "number"], [TEXTS.visits, "number"],
      [TEXTS.line, ""]];
    this.table = h("table", { class: "table", onpointerleave: () => onLine(null) },
      h("caption", { class: "hidden" }, TEXTS.caption),
      h("thead", {}, h("tr", {}, ...heads.map(([text, name]) => h("th", { scope: "col", class: name }, text)))),
      this.#body);
    this.element = h("div", { class: "moves-table" }, this.table);
  }

  /**
   * @param {KnownMove[]} moves the best first
   * @param {number} width of the board: there is space for as many moves, so that nothing below moves
   */
  show(moves, width) {
    setStyle(this.element, "--rows", Math.min(width, ROWS));
    this.table.hidden = moves.length === 0;
    const visits = moves.reduce((sum, move) => sum + move.visits, 0) || 1;
    this.#moves = moves.slice(0, ROWS);
    const { rows } = this.#body;
    while (rows.length > this.#moves.length) this.#body.deleteRow(-1);
    while (rows.length < this.#moves.length) this.#body.append(this.#row(rows.length));
    this.#moves.forEach((move, index) => {
      const [column, result, number, share, line] = rows[index].cells;
      const button = /** @type {HTMLButtonElement} */ (column.firstChild);
      setText(button, `${move.column + 1}`);
      button.title = fill(TEXTS.play, { column: move.column + 1 });
      rows[index].classList.toggle("best", move.isBest);
      setText(share, move.visits ? percent(move.visits / visits) : "–");
      setText(number, value(move.value));
      setText(result, proven(move));
      result.className = move.proof ?? "";
      setText(line, move.isCut && move.pv.length ? `${columns(move.pv)} …` : columns(move.pv));
      line.title = move.proof && !move.isBestPlay ? TEXTS.expected : "";
    });
  }

  /**
   * An empty row, whose buttons and pointers refer to the move currently in it.
   *
   * @param {number} index
   */
  #row(index) {
    const show = () => this.#onLine(this.#moves[index].pv);
    const button = h("button", { type: "button", class: "move", onclick: () => this.#onPlay(this.#moves[index].column),
      onfocus: show, onblur: () => this.#onLine(null) });
    return h("tr", { onpointerenter: show }, h("th", { scope: "row" }, button),
      ...["", "number", "number", "line"].map((name) => h("td", { class: name })));
  }
}
