/**
 * Over the columns of the board: one number for each move, what is certain or else the search's estimate, and beneath
 * it a bar with the visits of the search.
 *
 * @import { Bar } from "./moves.js"
 */

import { s, setStyle, setText } from "./dom.js";
import { provenShort, score, value } from "./format.js";

const CHIP = 43; // width of the number's ground; a column has 48
const BAR = 28; // height of a bar
const WIDTH = 10; // of a bar

export class Bars {
  #columns;

  /**
   * @param {number[]} middles of the columns
   * @param {number} scale of the texts
   */
  constructor(middles, scale) {
    this.chip = 20 * scale; // height
    this.height = this.chip + BAR + 12;
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
      column.group.setAttribute("class", `${bar ? bar.proof ?? "open" : "off"} ${bar?.isBest ? "best" : ""}`);
      if (bar === null) return;
      setStyle(column.visits, "--part", bar.share);
      setText(column.number, numberOf(bar));
    });
  }

  /**
   * @param {number} middle
   * @param {number} scale
   */
  #column(middle, scale) {
    const visits = this.#bar("filled visits");
    const number = s("text", { class: "result", y: this.chip - 5.5 * scale, "font-size": 13 * scale });
    const [width, height] = [CHIP, this.chip - 1.5];
    const chip = s("rect", { class: "chip-ground", x: -width / 2, y: 0.75, width, height, rx: 5 });
    const group = s("g", { transform: `translate(${middle} 0)` }, chip, number, this.#bar("track"), visits);
    return { visits, number, group };
  }

  /** @param {string} name */
  #bar(name) {
    return s("rect", { class: name, x: -WIDTH / 2, y: this.chip + 5, width: WIDTH, height: BAR, rx: 2 });
  }
}

/**
 * The solver's score, or what the search has proven, or its estimate.
 *
 * @param {Bar} bar
 */
function numberOf(bar) {
  if (bar.score !== null) return score(bar.score);
  if (bar.proof) return provenShort(bar);
  return bar.value === null ? "" : value(bar.value).replace(/^0/, "");
}
