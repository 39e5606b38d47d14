/**
 * Puzzles: positions with exactly one right move, which the solver has checked, chosen by the user's rating. Short wins
 * are played to their end. The other views train openings and the user's own mistakes.
 *
 * @import { App, Mount, MountView } from "./app.js"
 * @import { Cell, Game } from "./game.js"
 * @import { Progress } from "./progress.js"
 * @import { Puzzle, Theme, Threat } from "protocol"
 * @import { Question, Source } from "./trainer.js"
 */

import { mountViews } from "./app.js";
import { mountBook, mountDrill } from "./books.js";
import { Combination, isCombination, solverOf } from "./combination.js";
import { h } from "./dom.js";
import { pause } from "./effects.js";
import { mountExam } from "./exam.js";
import { menu } from "./fields.js";
import { columns, playerName, whole } from "./format.js";
import { Game as Position } from "./game.js";
import { mountInsights, mountMistakes } from "./mistakes.js";
import { note } from "./positions.js";
import { BEGINNING, afterTry, loadProgress, nextPuzzle, saveProgress } from "./progress.js";
import { counted, fill, texts } from "./texts.js";
import { Trainer, notJudged } from "./trainer.js";

const TEXTS = texts.puzzles;
const { all, ...named } = TEXTS.themes;
const THEMES = /** @type {[theme: Theme | "", name: string][]} */ ([["", all], ...Object.entries(named)]);
/** @type {Partial<Record<Theme, string>>} */
const MEANINGS = TEXTS.meanings;
const ZERO = 500; // shown for a rating of 0 on the scale of the levels: people know scales on which beginners have 400

/** @type {readonly Puzzle[] | null} */
let puzzles = null; // the server's, once they are here

/** @type {Mount} */
export function mount(app) {
  return mountViews(app, "puzzles", TEXTS.label, [["tasks", TEXTS.title, mountPuzzles],
    ["plan", texts.books.title, mountBook], ["drill", texts.books.drill, mountDrill],
    ["exam", texts.exam.title, mountExam], ["mistakes", texts.mistakes.title, mountMistakes],
    ["insights", texts.insights.title, mountInsights]],
  (state, before) => state.puzzle !== before.puzzle);
}

/** @type {MountView} */
function mountPuzzles(app, place) {
  const source = new Puzzles(app);
  const trainer = new Trainer(app, place, source);
  source.restart = () => trainer.begin();
  return trainer;
}

/** @implements {Source} */
class Puzzles {
  title = TEXTS.title;
  next = TEXTS.next;

  /** @type {Progress} */
  #held; // where the browser stores nothing

  #number = 0; // of the puzzle that is asked; 0: none yet
  restart = () => {}; // ask for another one

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.solve = solverOf(app.connection);
    const { progress, problem } = loadProgress();
    this.#held = progress;
    if (problem) note(problem);
    const themes = menu(THEMES, progress.theme, (theme) => this.#keep({ ...this.#progress, theme }),
      { id: "theme-of-puzzles" });
    this.controls = [h("label", { class: "theme-field" }, TEXTS.theme, themes.element)];
  }

  /** @type {Source["ask"]} */
  async ask(isNext, isStale) {
    const { store, connection } = this.app;
    puzzles ??= (await connection.request({ action: "puzzles" })).puzzles;
    if (isStale()) return null;
    const wanted = store.state.puzzle;
    const isThere = wanted > 0 && wanted <= puzzles.length;
    if (wanted && !isThere) note(fill(TEXTS.noPuzzle, { puzzle: wanted, count: puzzles.length }));
    this.#number = isNext || !isThere ? nextPuzzle(this.#progress, puzzles, this.#number) : wanted;
    store.update({ puzzle: this.#number });
    const puzzle = puzzles[this.#number - 1];
    return this.#question(new Combination(puzzle, new Position(undefined, puzzle.moves), this.solve));
  }

  /**
   * @param {Combination} combination
   * @param {string[]} [words]
   * @returns {Question}
   */
  #question(combination, words) {
    const { puzzle, start, position, played } = combination;
    const { level, rating, line } = puzzle;
    const number = this.#number;
    return {
      position, words, zugzwang: zugzwangOf(puzzle, start),
      title: (isOver) => taskOf({ ...puzzle, depth: puzzle.depth - (isOver ? 0 : played) }, start,
        this.app.store.state.flipped),
      about: (isOver) => fill(TEXTS.about, { number, elo: whole(rating + ZERO),
        words: isOver ? fill(TEXTS.level, { level }) : played ? "" : TEXTS.oneMove }).trimEnd(),
      judge: (column) => this.#judge(combination, column),
      solution: async () => solutionWords(TEXTS.solution, puzzle),
      looks: [{ name: TEXTS.showLine, position: start, line }],
    };
  }

  /**
   * @param {Combination} combination
   * @param {number} column
   * @returns {ReturnType<Question["judge"]>}
   */
  async #judge(combination, column) {
    const { puzzle } = combination;
    const kind = await combination.judge(column);
    if (kind === "slower") return { kind: "again", words: [fill(TEXTS.slower, { column: column + 1 })] };
    if (kind === "unknown") return notJudged(column);
    if (kind === "wrong") return { kind };
    const words = solutionWords(TEXTS.right, puzzle);
    if (!isCombination(puzzle)) return { kind, words };
    combination.play(column);
    const { position } = combination;
    if (position.outcome) return { kind, words, position };
    return { kind, words: [TEXTS.rightSoFar], position, next: async () => {
      const reply = await combination.answer(pause());
      if (reply === null) return null; // no connection
      return this.#question(combination, [fill(TEXTS.defence, { column: reply + 1 })]);
    } };
  }

  /** @param {boolean} isRight */
  tried(isRight) {
    if (puzzles) this.#keep(afterTry(this.#progress, this.#number, puzzles[this.#number - 1], isRight));
  }

  /** @param {Progress} progress */
  #keep(progress) {
    saveProgress(this.#held = progress);
  }

  /** As it is stored, perhaps by another tab. */
  get #progress() {
    const { progress } = loadProgress();
    return progress === BEGINNING ? this.#held : progress;
  }

  show() {
    const puzzle = puzzles?.[this.#number - 1];
    const cost = puzzle ? this.#progress.rating - afterTry(this.#progress, this.#number, puzzle, false).rating : 0;
    return cost ? fill(TEXTS.showFor, { cost }) : texts.trainer.show;
  }

  /** @returns {[name: string, text: string][]} */
  numbers() {
    const { rating, streak, longest, results } = this.#progress;
    const solved = Object.values(results).filter(Boolean).length;
    return [[TEXTS.rating, whole(rating + ZERO)], [TEXTS.streak, fill(TEXTS.streaks, { streak, longest })],
      [TEXTS.solved, fill(TEXTS.solvedOf, { solved: whole(solved), count: whole(puzzles?.length ?? 0) })]];
  }

  /** @type {NonNullable<Source["onState"]>} */
  onState({ puzzle }) {
    if (puzzles && puzzle !== this.#number) this.restart();
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

/**
 * The solution, what its themes mean, and the line of best play.
 *
 * @param {string} words before it
 * @param {Puzzle} puzzle
 */
export function solutionWords(words, { themes, depth, line }) {
  const isWin = themes.includes("win");
  const column = line[0] + 1;
  const solution = isWin ? fill(TEXTS.winSolution, { column, moves: counted(texts.counts.moves, depth) })
    : fill(TEXTS.drawSolution, { column });
  return [`${words}${solution}.`, ...themes.flatMap((theme) => MEANINGS[theme] ?? []),
    fill(TEXTS.bestPlay, { columns: columns(line), more: isWin ? "" : " …" })];
}

/**
 * The cell in which a puzzle is won by zugzwang: the last one of its line.
 *
 * @param {Puzzle} puzzle
 * @param {Game} game
 * @returns {Threat | null}
 */
function zugzwangOf({ themes, line }, game) {
  if (!themes.includes("zugzwang")) return null;
  const cell = /** @type {Cell} */ (line.reduce((position, column) => position.play(column), game).last);
  return { player: game.turn, cell, isOdd: themes.includes("odd threat") };
}
