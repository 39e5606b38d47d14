/** The rules of the game. Columns and rows count from 0, row 0 is the bottom; player 0 moves first. */

import { fill, texts } from "./texts.js";

const TEXTS = texts.game;

/** @typedef {number} Player 0: the first, 1: the second. */
/** @typedef {[column: number, row: number]} Cell */
/** @typedef {{ width: number, height: number, connect: number, diagonals: boolean }} Rules */
/**
 * The start position of a game, unless it is the empty board.
 *
 * @typedef {object} Start
 * @property {string} fen
 * @property {Player[][]} columns the discs of each column from below
 * @property {Player} turn
 */
/** @typedef {{ winner: Player | null, cells: Cell[] }} Outcome winner: null for a draw; cells: of all winning lines. */

/** @type {Readonly<Rules>} */
export const STANDARD = Object.freeze({ width: 7, height: 6, connect: 4, diagonals: true });
/** @type {[right: number, up: number][]} */
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/**
 * Whether rules are the usual ones, for which alone there are ratings and an opening book.
 *
 * @param {Rules} rules
 */
export function isStandard({ width, height, connect, diagonals }) {
  return diagonals && width === STANDARD.width && height === STANDARD.height && connect === STANDARD.connect;
}

/** A game: rules, a start position, and the moves since then. Immutable. */
export class Game {
  /** @type {Outcome | null | undefined} */
  #outcome;

  /**
   * @param {Rules} rules
   * @param {readonly number[]} moves columns, all of which can be played
   * @param {Start | null} start null: the empty board
   */
  constructor(rules = STANDARD, moves = [], start = null) {
    this.rules = rules;
    this.moves = Object.freeze([...moves]);
    this.start = start;
    /** @type {Player[][]} */
    this.columns = Array.from({ length: rules.width }, (_, column) => [...(start?.columns[column] ?? [])]);
    const first = start ? start.turn : 0;
    moves.forEach((column, ply) => this.columns[column].push((first + ply) % 2));
    this.turn = (first + moves.length) % 2;
    this.discs = this.columns.reduce((sum, column) => sum + column.length, 0);
  }

  /**
   * The cell of the last move; null before the first.
   *
   * @returns {Cell | null}
   */
  get last() {
    const column = this.moves.at(-1);
    return column === undefined ? null : [column, this.columns[column].length - 1];
  }

  /** How the game ended; null during the game. */
  get outcome() {
    if (this.#outcome === undefined) this.#outcome = this.#findOutcome();
    return this.#outcome;
  }

  /** @returns {Outcome | null} */
  #findOutcome() {
    const { width, height } = this.rules;
    /** @type {Map<string, Cell>} */
    const cells = new Map();
    let winner = null;
    for (let column = 0; column < width; column++) {
      for (let row = 0; row < this.columns[column].length; row++) {
        for (const cell of this.#lineFrom(column, row)) {
          cells.set(cell.join(), cell);
          winner = this.columns[column][row];
        }
      }
    }
    if (cells.size) return { winner, cells: [...cells.values()] };
    return this.discs === width * height ? { winner: null, cells: [] } : null;
  }

  /**
   * @param {number} column
   * @param {number} row
   */
  #lineFrom(column, row) {
    const { connect, diagonals } = this.rules;
    const player = this.columns[column][row];
    return DIRECTIONS.slice(0, diagonals ? 4 : 2).flatMap(([right, up]) => {
      const place = (/** @type {number} */ step) => /** @type {Cell} */ ([column + step * right, row + step * up]);
      const line = Array.from({ length: connect }, (_, step) => place(step));
      return line.every(([x, y]) => this.columns[x]?.[y] === player) ? line : [];
    });
  }

  /**
   * Why a column can't be played, in words for the user; null if it can.
   *
   * @param {number} column
   * @param {number} [first] the number of the leftmost column in those words
   */
  refusal(column, first = 1) {
    const { width, height } = this.rules;
    if (!Number.isInteger(column) || column < 0 || column >= width) {
      return fill(TEXTS.noColumn, { column: column + first, first, width: width - 1 + first });
    }
    if (this.outcome) return TEXTS.over;
    if (this.columns[column].length >= height) return fill(TEXTS.full, { column: column + first });
    return null;
  }

  /** The columns that can be played. */
  get legalColumns() {
    return this.columns.map((_, column) => column).filter((column) => this.refusal(column) === null);
  }

  /** @param {number} column RangeError if it can't be played */
  play(column) {
    const refusal = this.refusal(column);
    if (refusal) throw new RangeError(refusal);
    return new Game(this.rules, [...this.moves, column], this.start);
  }

  /** @param {number} count how many of its moves were played */
  after(count) {
    return count === this.moves.length ? this : new Game(this.rules, this.moves.slice(0, count), this.start);
  }

  /** The protocol keys of this position. */
  get query() {
    const rules = this.start ? {} : { rules: this.rules };
    return { moves: [...this.moves], ...rules, ...(this.start && { fen: this.start.fen }) };
  }

  /** A text that is the same for equal games. */
  get key() {
    const { width, height, connect, diagonals } = this.rules;
    return [width, height, connect, diagonals, this.start?.fen ?? "", this.moves.join()].join("|");
  }
}

/**
 * @param {Game} one
 * @param {Game} other
 */
export function isSameStart(one, other) {
  return one.after(0).key === other.after(0).key;
}
