/** The table of moves: visits, value, result, line. Its rows show their line on the board. */

import { h, setText } from "./dom.js";
import { columns, percent, proven, value } from "./format.js";

const ROWS = 8;
const PLIES = 10; // of a line

export class MovesTable {
  /** onLine: called with the line of the row that the pointer is on, or null. onPlay: with the column of a row. */
  constructor({ onLine, onPlay }) {
    this.onLine = onLine;
    this.onPlay = onPlay;
    this.body = h("tbody", {});
    const heads = ["Move", "Visits", "Value", "Result", "Line"];
    this.element = h("table", { class: "table", onpointerleave: () => onLine(null) },
      h("caption", { class: "hidden" }, "Moves, the best first"),
      h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)))), this.body);
  }

  /** moves: see moves.js. */
  show(moves) {
    const visits = moves.reduce((sum, move) => sum + move.visits, 0) || 1;
    const shown = moves.slice(0, ROWS);
    while (this.body.rows.length > shown.length) this.body.lastChild.remove();
    while (this.body.rows.length < shown.length) this.body.append(this.#row());
    shown.forEach((move, index) => {
      const row = this.body.rows[index];
      row.move = move;
      const [column, share, number, result, line] = row.cells;
      setText(column.firstChild, `${move.column + 1}`);
      column.firstChild.title = `Play column ${move.column + 1}`;
      setText(share, percent(move.visits / visits));
      setText(number, value(move.value));
      setText(result, proven(move.proof, move.distance));
      setText(line, columns(move.pv.slice(0, PLIES)));
    });
  }

  #row() {
    const row = h("tr", { onpointerenter: () => this.onLine(row.move.pv) },
      h("th", { scope: "row" }, h("button", { type: "button", class: "move", onclick: () => this.onPlay(row.move.column),
        onfocus: () => this.onLine(row.move.pv), onblur: () => this.onLine(null) })),
      ...["number", "number", "", "line"].map((name) => h("td", { class: name })));
    return row;
  }
}

/** The discs of a line as ghosts on the board. */
export function ghostsOf(game, line, count) {
  const ghosts = [];
  let position = game;
  for (const column of line.slice(0, count)) {
    if (position.refusal(column)) break;
    const player = position.turn;
    position = position.play(column);
    ghosts.push({ column, row: position.last[1], player, text: ghosts.length + 1 });
  }
  return ghosts;
}
