/**
 * The panel of a puzzle: the task, the answer, the buttons, and how the user does.
 *
 * @import { Progress } from "./puzzle-progress.js"
 * @import { Puzzle, Theme } from "./protocol.js"
 */

import { h, setText } from "./dom.js";
import { rating, whole } from "./format.js";
import { THEMES, lineOf, meanings, solutionOf } from "./puzzle-words.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.puzzlePanel;

export class PuzzlePanel {
  title = h("h1", {});
  #about = h("p", { class: "soft" });
  #answer = h("div", { class: "now-text puzzle-answer", role: "status" });
  #numbers = h("dl", { class: "facts puzzle-facts" });

  /**
   * @param {HTMLElement} explanation
   * @param {Theme | ""} theme at first
   * @param {object} listeners
   * @param {() => void} listeners.onShow called when the solution is wanted, or its line
   * @param {() => void} listeners.onNext
   * @param {() => void} listeners.onAnalyse
   * @param {(theme: Theme | "") => void} listeners.onTheme
   */
  constructor(explanation, theme, { onShow, onNext, onAnalyse, onTheme }) {
    this.show = button("show", TEXTS.show, "", onShow);
    this.next = button("next", TEXTS.next, TEXTS.nextTitle, onNext);
    const open = button("analyse", TEXTS.analyse, TEXTS.analyseTitle, onAnalyse);
    const themes = h("select", { id: "theme-of-puzzles",
      onchange: () => onTheme(/** @type {Theme | ""} */ (themes.value)) },
    ...THEMES.map(([value, name]) => h("option", { value }, name)));
    themes.value = theme;
    this.element = h("div", { class: "puzzle" }, this.title, this.#about, this.#answer,
      h("div", { class: "row" }, this.show, this.next, open), this.#numbers,
      h("label", { class: "theme-field" }, TEXTS.theme, themes), explanation);
  }

  /**
   * @param {string} task
   * @param {Puzzle} puzzle
   * @param {number} number of the puzzle
   * @param {{ isBegun: boolean, isOver: boolean, isLine: boolean }} place whether moves have been found, whether all
   *   have been found or shown, and whether their line is on the board
   */
  draw(task, { level, rating: elo }, number, { isBegun, isOver, isLine }) {
    setText(this.title, task);
    const words = isOver ? fill(TEXTS.level, { level }) : isBegun ? "" : TEXTS.oneMove;
    setText(this.#about, fill(TEXTS.about, { number, elo: rating(elo), words }).trimEnd());
    this.show.hidden = isLine;
    setText(this.show, isOver ? TEXTS.showLine : TEXTS.show);
    this.next.classList.toggle("primary", isOver);
  }

  /**
   * @param {Progress} progress
   * @param {number} count of all puzzles
   */
  drawProgress({ rating: elo, streak, longest, results }, count) {
    const solved = Object.values(results).filter(Boolean).length;
    const facts = [[TEXTS.rating, rating(elo)], [TEXTS.streak, fill(TEXTS.streaks, { streak, longest })],
      [TEXTS.solved, fill(TEXTS.solvedOf, { solved: whole(solved), count: whole(count) })]];
    this.#numbers.replaceChildren(...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }

  /**
   * Say something about a move; "" removes what was said.
   *
   * @param {string} text
   * @param {"right" | "wrong" | ""} [name] of the class
   */
  say(text, name = "") {
    this.#answer.replaceChildren(...(text ? [h("p", { class: name }, text)] : []));
  }

  /**
   * Say what the solution is.
   *
   * @param {string} words before it
   * @param {Puzzle} puzzle
   * @param {boolean} isSolved
   */
  saySolution(words, puzzle, isSolved) {
    this.#answer.replaceChildren(h("p", { class: isSolved ? "right" : "" }, `${words}${solutionOf(puzzle)}.`),
      ...meanings(puzzle).map((text) => h("p", { class: "small" }, text)),
      h("p", { class: "soft small" }, lineOf(puzzle)));
  }
}

/**
 * @param {string} id
 * @param {string} text
 * @param {string} title
 * @param {() => void} onclick
 */
function button(id, text, title, onclick) {
  return h("button", { type: "button", id, title, onclick }, text);
}
