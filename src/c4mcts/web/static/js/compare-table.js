/**
 * What a search plays after more and more simulations, as a table.
 *
 * @import { Checkpoint, Mark } from "./compare-words.js"
 * @import { Solution } from "./protocol.js"
 */

import { markOf, moveOf, sharesOf } from "./compare-words.js";
import { h, setStyle, setText } from "./dom.js";
import { percent, value, whole } from "./format.js";
import { texts } from "./texts.js";

const TEXTS = texts.compareTable;

/** @type {Record<Mark, [sign: string, words: string, name: string]>} */
const MARKS = {
  best: ["✓", TEXTS.best, "win"],
  holds: ["=", TEXTS.holds, "draw"],
  fails: ["✗", TEXTS.fails, "loss"],
};

export class CompareTable {
  #body = h("tbody", {});
  #width = 0;

  constructor() {
    const heads = [TEXTS.simulations, TEXTS.plays, TEXTS.value, TEXTS.visits];
    this.element = h("table", { class: "table compare-table" },
      h("caption", { class: "hidden" }, TEXTS.caption),
      h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col", class: "left" }, text)))), this.#body);
  }

  /**
   * @param {readonly number[]} counts of simulations, one for each row
   * @param {number} width of the board
   */
  clear(counts, width) {
    this.#width = width;
    this.#body.replaceChildren(...counts.map((count) => {
      const bars = h("span", { class: "shares", "aria-hidden": "true" },
        ...Array.from({ length: width }, () => h("i", {})));
      const sign = h("span", { "aria-hidden": "true" });
      return h("tr", {}, h("th", { scope: "row" }, whole(count)),
        h("td", {}, h("b", {}, "…"), " ", sign, h("span", { class: "hidden" })),
        h("td", {}), h("td", {}, bars, h("span", { class: "hidden" })));
    }));
  }

  /**
   * @param {readonly Checkpoint[]} checkpoints one for each row
   * @param {Solution | null} solution
   */
  show(checkpoints, solution) {
    checkpoints.forEach(({ reply }, index) => {
      if (!reply) return;
      const [, plays, mean, visits] = this.#body.rows[index].cells;
      const move = moveOf(reply);
      const mark = markOf(move, solution);
      const [sign, words, name] = mark ? MARKS[mark] : ["", "", ""];
      setText(plays.children[0], `${move + 1}`);
      setText(plays.children[1], sign);
      setText(plays.children[2], words);
      plays.className = name;
      plays.title = words;
      setText(mean, value(reply.rootInfo.winrate));
      const shares = sharesOf(reply, this.#width);
      const most = Math.max(...shares);
      const [bars, spoken] = visits.children;
      shares.forEach((share, column) =>
        setStyle(/** @type {HTMLElement} */ (bars.children[column]), "--part", most ? share / most : 0));
      setText(spoken, shares.map((share, column) => `${column + 1}: ${percent(share)}`).join(", "));
    });
  }
}
