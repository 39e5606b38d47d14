/**
 * The panel of a puzzle: the task, the answer, the buttons, and how the user does.
 *
 * @import { Cell, Game } from "./game.js"
 * @import { Puzzle, Solution, Theme, Threat } from "./protocol.js"
 * @import { Progress } from "./progress.js"
 */

import { button, h, setText, terms } from "./dom.js";
import { menu } from "./fields.js";
import { columns, playerName, whole } from "./format.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.puzzlePanel;
const ZERO = 500; // shown for a rating of 0 on the scale of the levels: people know scales on which beginners have 400
const { all, ...named } = TEXTS.themes;
const THEMES = /** @type {[theme: Theme | "", name: string][]} */ ([["", all], ...Object.entries(named)]);
/** @type {Partial<Record<Theme, string>>} */
const MEANINGS = TEXTS.meanings;

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
    this.show = button(TEXTS.show, onShow, { id: "show" });
    this.next = button(TEXTS.next, onNext, { id: "next", title: TEXTS.nextTitle });
    const open = button(TEXTS.analyse, onAnalyse, { id: "analyse", title: TEXTS.analyseTitle });
    const themes = menu(THEMES, theme, onTheme, { id: "theme-of-puzzles" });
    this.element = h("div", { class: "puzzle" }, this.title, this.#about, this.#answer,
      h("div", { class: "row" }, this.show, this.next, open), this.#numbers,
      h("label", { class: "theme-field" }, TEXTS.theme, themes.element), explanation);
  }

  /**
   * @param {string} task
   * @param {Puzzle} puzzle
   * @param {number} number of the puzzle
   * @param {{ isBegun: boolean, isOver: boolean, isLine: boolean, cost: number }} place whether moves have been found,
   *   whether all have been found or shown, whether their line is on the board; cost: of showing them, in points
   */
  draw(task, { level, rating: elo }, number, { isBegun, isOver, isLine, cost }) {
    setText(this.title, task);
    const words = isOver ? fill(TEXTS.level, { level }) : isBegun ? "" : TEXTS.oneMove;
    setText(this.#about, fill(TEXTS.about, { number, elo: whole(elo + ZERO), words }).trimEnd());
    this.show.hidden = isLine;
    setText(this.show, isOver ? TEXTS.showLine : cost ? fill(TEXTS.showFor, { cost }) : TEXTS.show);
    this.next.classList.toggle("primary", isOver);
  }

  /**
   * @param {Progress} progress
   * @param {number} count of all puzzles
   */
  drawProgress({ rating: elo, streak, longest, results }, count) {
    const solved = Object.values(results).filter(Boolean).length;
    this.#numbers.replaceChildren(...terms([[TEXTS.rating, whole(elo + ZERO)],
      [TEXTS.streak, fill(TEXTS.streaks, { streak, longest })],
      [TEXTS.solved, fill(TEXTS.solvedOf, { solved: whole(solved), count: whole(count) })]]));
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
 * @param {Puzzle} puzzle
 * @param {Game} game
 * @param {boolean} flipped
 */
export function taskOf({ themes, depth }, game, flipped) {
  const name = playerName(game.turn, flipped);
  const moves = counted(texts.counts.moves, depth);
  return themes.includes("win") ? fill(TEXTS.winTask, { name, moves }) : fill(TEXTS.drawTask, { name });
}

/** @param {Puzzle} puzzle */
export function solutionOf({ themes, depth, line }) {
  const moves = counted(texts.counts.moves, depth);
  return themes.includes("win") ? fill(TEXTS.winSolution, { column: line[0] + 1, moves })
    : fill(TEXTS.drawSolution, { column: line[0] + 1 });
}

/** @param {Puzzle} puzzle */
export function meanings({ themes }) {
  return themes.flatMap((theme) => MEANINGS[theme] ?? []);
}

/** @param {Puzzle} puzzle */
export function lineOf({ themes, line }) {
  return fill(TEXTS.bestPlay, { columns: columns(line), more: themes.includes("win") ? "" : " …" });
}

/**
 * @param {number} column
 * @param {Solution | null} reply the solver's for the position after it; null if it is not known
 */
export function refutationOf(column, reply) {
  if (reply === null || reply.score === null) return fill(TEXTS.notTheMove, { column: column + 1 });
  if (reply.score === 0) return fill(TEXTS.onlyDraws, { column: column + 1, columns: columns(reply.pv.slice(0, 1)) });
  const moves = counted(texts.counts.moves, (reply.distance ?? 0) + 1); // with the move itself
  return fill(TEXTS.loses, { column: column + 1, moves, columns: columns(reply.pv.slice(0, 1)) });
}

/**
 * The cell in which a puzzle is won by zugzwang: the last one of its line.
 *
 * @param {Puzzle} puzzle
 * @param {Game} game
 * @returns {Threat | null}
 */
export function zugzwangOf({ themes, line }, game) {
  if (!themes.includes("zugzwang")) return null;
  const cell = /** @type {Cell} */ (line.reduce((position, column) => position.play(column), game).last);
  return { player: game.turn, cell, isOdd: themes.includes("odd threat") };
}
