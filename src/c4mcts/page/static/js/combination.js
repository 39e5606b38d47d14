/**
 * A puzzle that is played to its end: the user finds each move of the winner, and the loser holds out longest.
 *
 * @import { Connection } from "./connection.js"
 * @import { Game } from "./game.js"
 * @import { Puzzle, Solution } from "protocol"
 */

const LONGEST = 11; // plies: six moves of the user
const SOLVER_SECONDS = 2;

/** @typedef {"right" | "slower" | "wrong" | "unknown"} Judgement unknown: the solver did not answer */
/**
 * The solver's answer for a position; null without one.
 *
 * @callback Solve
 * @param {Game} position
 * @returns {Promise<Solution | null>}
 */

/**
 * @param {Pick<Connection, "request">} connection
 * @returns {Solve}
 */
export function solverOf(connection) {
  return (position) => connection.request({ action: "solve", ...position.query, includePv: true,
    maxTime: SOLVER_SECONDS }).catch(() => null);
}

/** @param {Pick<Puzzle, "themes" | "depth">} puzzle */
export function isCombination({ themes, depth }) {
  return themes.includes("win") && depth <= LONGEST;
}

export class Combination {
  #isOnLine = true; // whether the moves so far follow the puzzle

  /**
   * @param {Puzzle} puzzle
   * @param {Game} start its position
   * @param {Solve} solve
   */
  constructor(puzzle, start, solve) {
    this.puzzle = puzzle;
    this.start = start;
    this.position = start;
    this.solve = solve;
  }

  get played() {
    return this.position.moves.length - this.start.moves.length;
  }

  /** The next move of the puzzle's line, if that was followed so far. */
  get #expected() {
    return this.#isOnLine ? this.puzzle.line[this.played] ?? null : null;
  }

  /**
   * What a move of the user is worth: right, as it wins as fast as possible; slower; wrong; or unknown.
   *
   * @param {number} column
   * @returns {Promise<Judgement>}
   */
  async judge(column) {
    if (column === this.#expected) return "right";
    if (this.played === 0) return "wrong"; // exactly one move is right
    const found = await this.solve(this.position);
    if (!found?.columns) return "unknown";
    if (found.best.includes(column)) return "right";
    return (found.columns[column] ?? 0) > 0 ? "slower" : "wrong";
  }

  /** @param {number} column */
  play(column) {
    this.#isOnLine = column === this.#expected;
    this.position = this.position.play(column);
  }

  /**
   * Play the longest defence; returns its column, or null if the solver has none.
   *
   * @param {Promise<void>} pause before it
   */
  async answer(pause = Promise.resolve()) {
    const found = this.#expected ?? this.solve(this.position).then((solution) => solution?.best[0] ?? null);
    const [column] = await Promise.all([found, pause]);
    if (column !== null) this.play(column);
    return column;
  }
}
