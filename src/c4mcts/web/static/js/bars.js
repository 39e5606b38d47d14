/**
 * Bars over the columns of the board: what is certain of each move, or else the search's estimate.
 *
 * @import { Bar } from "./moves.js"
 */

import { s, setStyle, setText } from "./dom.js";
import { provenShort, value } from "./format.js";
import { exactValue } from "./moves.js";

const BAR = 46; // height of a bar
const VALUE = { x: -13, width: 16 };
const VISITS = { x: 7, width: 6 };

export class Bars {
  #columns;

  /**
   * @param {number[]} middles of the columns
   * @param {number} scale of the texts
   */
  constructor(middles, scale) {
    this.line = 15 * scale;
    this.height = 2 * this.line + BAR + 12;
    this.#columns = middles.map((middle) => this.#column(middle, scale));
    this.group = s("g", { class: "bars", "aria-hidden": "true" }, ...this.#columns.map((column) => column.group));
    this.show(null);
  }

  /**
   * Show the bars, one for each column or null.
   *
   * @param {(Bar | null)[] | null} bars null instead of the list: none at all
   */
  show(bars) {
    this.group.classList.toggle("off", bars === null);
    this.#columns.forEach((column, index) => {
      const bar = bars?.[index] ?? null;
      column.group.classList.toggle("off", bar === null);
      if (bar === null) return;
      column.group.classList.toggle("best", bar.isBest);
      column.group.classList.toggle("exact", bar.proof !== null);
      setStyle(column.value, "--part", exactValue(bar.proof) ?? bar.value ?? 0);
      setStyle(column.visits, "--part", bar.share);
      setText(column.belief, bar.proof || bar.value === null ? "" : value(bar.value).replace(/^0/, ""));
      setText(column.certain, provenShort(bar));
      column.certain.classList.toggle("strong", bar.isBest);
    });
  }

  /**
   * @param {number} middle
   * @param {number} scale
   */
  #column(middle, scale) {
    const filledValue = this.#part("filled value", VALUE);
    const filledVisits = this.#part("filled visits", VISITS);
    const certain = s("text", { class: "certain", y: this.line - 3, "font-size": 12 * scale });
    const belief = s("text", { class: "belief", y: 2 * this.line - 3, "font-size": 12 * scale });
    const group = s("g", { transform: `translate(${middle} 0)` }, certain, belief,
      this.#part("track", VALUE), filledValue, this.#part("track", VISITS), filledVisits);
    return { value: filledValue, visits: filledVisits, certain, belief, group };
  }

  /**
   * @param {string} name
   * @param {{ x: number, width: number }} place
   */
  #part(name, { x, width }) {
    return s("rect", { class: name, x, y: 2 * this.line + 4, width, height: BAR, rx: 2 });
  }
}
