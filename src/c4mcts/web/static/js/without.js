/**
 * What if some columns must not be played? Their buttons, in Analyse.
 *
 * @import { LiveSearch } from "./search.js"
 * @import { Solution } from "./protocol.js"
 */

import { button, h, setText } from "./dom.js";
import { columns, pliesOf } from "./format.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.without;

export class Without {
  #summary = h("summary", {});
  #buttons = h("div", { class: "row" });

  /** @param {LiveSearch} search */
  constructor(search) {
    this.search = search;
    this.element = h("details", { id: "without" }, this.#summary, this.#buttons);
  }

  /** Show the columns of the search's position, and which are left out. */
  show() {
    const { without, game: { legalColumns } } = this.search;
    const left = legalColumns.filter((column) => !without.has(column));
    const out = legalColumns.filter((column) => without.has(column));
    setText(this.#summary, out.length ? fill(TEXTS.without, { columns: columns(out, ", ") }) : TEXTS.title);
    this.element.hidden = legalColumns.length < 2;
    if (this.#buttons.children.length !== legalColumns.length) {
      this.#buttons.replaceChildren(...legalColumns.map(() => button("", () => {})));
    }
    legalColumns.forEach((column, index) => {
      const each = /** @type {HTMLButtonElement} */ (this.#buttons.children[index]);
      setText(each, `${column + 1}`);
      each.setAttribute("aria-pressed", `${without.has(column)}`);
      each.disabled = left.length === 1 && left[0] === column; // one must be played
      each.onclick = () => this.search.leaveOut(column);
    });
  }
}

/**
 * The solution of a position in which some columns must not be played: the best among the others.
 *
 * @param {Solution} solution
 * @param {ReadonlySet<number>} without
 * @param {number} emptyCells
 * @returns {Solution}
 */
export function solutionWithout(solution, without, emptyCells) {
  if (!without.size || !solution.columns) return solution;
  const columns = solution.columns.map((score, column) => (without.has(column) ? null : score));
  const score = Math.max(...columns.filter((each) => each !== null));
  const best = columns.flatMap((each, column) => (each === score ? [column] : []));
  const line = best.includes(solution.pv[0]) ? {} : { pv: [], zugzwang: null };
  return { ...solution, columns, score, best, distance: pliesOf(score, emptyCells), ...line };
}
