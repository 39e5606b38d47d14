/**
 * The table of moves: what is certain, then the search's value, visits and line. Its rows show their line on the board.
 *
 * @import { KnownMove } from "./moves.js"
 */

import { h, setText } from "./dom.js";
import { columns, percent, proven, value } from "./format.js";

const ROWS = 8;

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
    const heads = [["Move", ""], ["Result", "left"], ["Search", "number"], ["Visits", "number"], ["Line", ""]];
    this.element = h("table", { class: "table", onpointerleave: () => onLine(null) },
      h("caption", { class: "hidden" }, "Moves, the best first"),
      h("thead", {}, h("tr", {}, ...heads.map(([text, name]) => h("th", { scope: "col", class: name }, text)))),
      this.#body);
  }

  /** @param {KnownMove[]} moves the best first */
  show(moves) {
    const visits = moves.reduce((sum, move) => sum + move.visits, 0) || 1;
    this.#moves = moves.slice(0, ROWS);
    const { rows } = this.#body;
    while (rows.length > this.#moves.length) this.#body.deleteRow(-1);
    while (rows.length < this.#moves.length) this.#body.append(this.#row(rows.length));
    this.#moves.forEach((move, index) => {
      const [column, result, number, share, line] = rows[index].cells;
      const button = /** @type {HTMLButtonElement} */ (column.firstChild);
      setText(button, `${move.column + 1}`);
      button.title = `Play column ${move.column + 1}`;
      setText(share, percent(move.visits / visits));
      setText(number, value(move.value));
      setText(result, proven(move));
      setText(line, move.isCut && move.pv.length ? `${columns(move.pv)} …` : columns(move.pv));
      line.title = move.proof && !move.isBestPlay ? "What the search expects, not best play" : "";
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
