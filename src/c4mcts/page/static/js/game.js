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

/** @param {Rules} rules of a board; whether the network of the package is for it, as in search/network.py */
export function hasNetwork({ connect, diagonals }) {
  return diagonals && connect === STANDARD.connect;
}

/** A game: rules, a start position, and the moves since then. Immutable; it keeps its earlier positions. */
export class Game {
  /** @type {Outcome | null | undefined} */
  #outcome;

  /** @type {string | undefined} */
  #key;

  /** @type {Game | null} */
  #before; // the last move; null at the start

  /**
   * @param {Rules} rules
   * @param {readonly number[]} moves columns, all of which can be played
   * @param {Start | null} start null: the empty board
   * @param {Game | null} before the last move, if that game is there already
   */
  constructor(rules = STANDARD, moves = [], start = null, before = null) {
    this.rules = rules;
    this.moves = Object.freeze([...moves]);
    this.start = start;
    const column = moves.at(-1);
    this.#before = column === undefined ? null : before ?? new Game(rules, moves.slice(0, -1), start);
    const { columns, turn } = this.#before ?? start ?? { columns: [], turn: 0 };
    /** @type {Player[][]} */
    this.columns = Array.from({ length: rules.width }, (_, index) => columns[index] ?? []);
    if (column !== undefined) this.columns[column] = [...columns[column], turn];
    /** @type {Player} */
    this.turn = column === undefined ? turn : 1 - turn;
    this.discs = this.columns.reduce((sum, discs) => sum + discs.length, 0);
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
    const { last, columns, rules } = this;
    const discs = last ? [last] : columns.flatMap((players, column) => players.map((_, row) => [column, row]));
    const cells = new Map(discs.flatMap(([column, row]) => this.#linesThrough(column, row))
      .map((cell) => [cell.join(), cell])); // each once
    const [first] = cells.values();
    if (first) return { winner: columns[first[0]][first[1]], cells: [...cells.values()] };
    return this.discs === rules.width * rules.height ? { winner: null, cells: [] } : null;
  }

  /**
   * The cells of the winning lines through a disc.
   *
   * @param {number} column
   * @param {number} row
   */
  #linesThrough(column, row) {
    const { connect, diagonals } = this.rules;
    const player = this.columns[column][row];
    return DIRECTIONS.slice(0, diagonals ? 4 : 2).flatMap(([right, up]) => {
      const place = (/** @type {number} */ step) => /** @type {Cell} */ ([column + step * right, row + step * up]);
      const isOwn = (/** @type {Cell} */ [x, y]) => this.columns[x]?.[y] === player;
      let [first, last] = [0, 0];
      while (isOwn(place(first - 1))) first--;
      while (isOwn(place(last + 1))) last++;
      const length = last - first + 1;
      return length < connect ? [] : Array.from({ length }, (_, step) => place(first + step));
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
    return this.#next(column);
  }

  /** @param {number} column */
  #next(column) {
    return new Game(this.rules, [...this.moves, column], this.start, this);
  }

  /**
   * @param {number} count how many of its moves were played
   * @returns {Game}
   */
  after(count) {
    return this.#before && count < this.moves.length ? this.#before.after(count) : this;
  }

  /**
   * The game with other moves from the same start; the positions up to the first move that differs are the same.
   *
   * @param {readonly number[]} moves columns, all of which can be played
   */
  with(moves) {
    const differs = this.moves.findIndex((column, ply) => column !== moves[ply]);
    const shared = differs < 0 ? this : this.after(differs);
    return moves.slice(shared.moves.length).reduce((game, column) => game.#next(column), shared);
  }

  /** The protocol keys of this position. */
  get query() {
    const rules = this.start ? {} : { rules: this.rules };
    return { moves: [...this.moves], ...rules, ...(this.start && { fen: this.start.fen }) };
  }

  /** A text that is the same for equal games. */
  get key() {
    const { width, height, connect, diagonals } = this.rules;
    this.#key ??= [width, height, connect, diagonals, this.start?.fen ?? "", this.moves.join()].join("|");
    return this.#key;
  }
}

/**
 * @param {Game} one
 * @param {Game} other
 */
export function isSameStart(one, other) {
  return one.after(0).key === other.after(0).key;
}
