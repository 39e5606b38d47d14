/** Bars over the columns of the board: what the search believes of each move, and what is known exactly. */

import { s, setText } from "./dom.js";
import { provenShort, score, value } from "./format.js";
import { CELL, EDGE } from "./measures.js";

const BAR = 46; // height of a bar
const VALUE = { x: -13, width: 16 };
const VISITS = { x: 7, width: 6 };

export class Bars {
  #columns;

  /** scale: of the texts. */
  constructor(width, scale) {
    this.line = 15 * scale;
    this.height = 2 * this.line + BAR + 12;
    this.#columns = Array.from({ length: width }, (_, column) => this.#column(column, scale));
    this.group = s("g", { class: "bars", "aria-hidden": "true" }, ...this.#columns.map((column) => column.group));
    this.show(null);
  }

  /**
   * bars: for each column null, or {value, share, isBest, score, proof, distance, isExactBest}, see moves.js; share is
   * that of the best move's visits. null in place of the list: no bars.
   */
  show(bars) {
    this.group.classList.toggle("off", bars === null);
    this.#columns.forEach((column, index) => {
      const bar = bars?.[index] ?? null;
      column.group.classList.toggle("off", bar === null);
      if (bar === null) return;
      column.group.classList.toggle("best", bar.isBest);
      column.value.style.setProperty("--part", bar.value ?? 0);
      column.visits.style.setProperty("--part", bar.share);
      setText(column.belief, bar.value === null ? "" : value(bar.value).replace(/^0/, ""));
      setText(column.certain, bar.score === null ? provenShort(bar.proof, bar.distance) : score(bar.score));
      column.certain.classList.toggle("strong", bar.score === null ? bar.isBest : bar.isExactBest);
    });
  }

  #column(index, scale) {
    const top = 2 * this.line + 4;
    const bar = (name, { x, width }) => {
      const filled = s("rect", { class: `filled ${name}`, x, y: top, width, height: BAR, rx: 2 });
      return [filled, s("rect", { class: "track", x, y: top, width, height: BAR, rx: 2 }), filled];
    };
    const [filledValue, ...valueParts] = bar("value", VALUE);
    const [filledVisits, ...visitsParts] = bar("visits", VISITS);
    const certain = s("text", { class: "certain", y: this.line - 3, "font-size": 12 * scale });
    const belief = s("text", { class: "belief", y: 2 * this.line - 3, "font-size": 12 * scale });
    const place = `translate(${EDGE + (index + 0.5) * CELL} 0)`;
    const group = s("g", { transform: place }, certain, belief, ...valueParts, ...visitsParts);
    return { value: filledValue, visits: filledVisits, certain, belief, group };
  }
}
