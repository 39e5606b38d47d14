/**
 * A position that is being set up: discs in columns, and the colour to move, as far as their numbers leave a choice.
 *
 * @import { Colour } from "./board-picture.js"
 * @import { Cell, Rules } from "./game.js"
 */

import { colour, colourName, sentence } from "./format.js";
import { Game } from "./game.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.draft;

/** @typedef {Colour | "none"} Tool what a cell gets; none: its disc is removed, and those above it fall */

/** A position that may break the rules, except for gravity. Immutable. */
export class Draft {
  /**
   * @param {Rules} rules
   * @param {readonly (readonly Colour[])[]} columns the discs of each column from below
   * @param {Colour} wanted to move if there are as many yellow discs as red ones
   */
  constructor(rules, columns, wanted) {
    this.rules = rules;
    this.columns = columns;
    this.wanted = wanted;
    const discs = columns.flat();
    this.red = discs.filter((disc) => disc === "red").length;
    this.yellow = discs.length - this.red;
  }

  /**
   * @param {Game} game
   * @param {boolean} isFlipped whether the first player has the red discs
   */
  static of(game, isFlipped) {
    const columns = game.columns.map((players) => players.map((player) => colour(player, isFlipped)));
    return new Draft(game.rules, columns, colour(game.turn, isFlipped));
  }

  get cleared() {
    return new Draft(this.rules, this.columns.map(() => []), "yellow");
  }

  /** The colour to move: the one with fewer discs, as players take turns. */
  get toMove() {
    return this.isEven ? this.wanted : this.yellow < this.red ? "yellow" : "red";
  }

  /** Whether either colour may be to move. */
  get isEven() {
    return this.yellow === this.red;
  }

  get isFlipped() {
    return (this.isEven ? this.toMove : other(this.toMove)) === "red";
  }

  /** Why players who take turns can't have played these discs; null if they can. */
  get refusal() {
    if (Math.abs(this.yellow - this.red) <= 1) return null;
    return fill(TEXTS.refusal, { count: this.count });
  }

  /** The numbers of discs in words. */
  get count() {
    const { yellowDiscs, red } = texts.counts;
    return fill(TEXTS.count, { count: counted(yellowDiscs, this.yellow), red: counted(red, this.red) });
  }

  /** @param {Colour} wanted to move */
  withTurn(wanted) {
    return new Draft(this.rules, this.columns, wanted);
  }

  /**
   * The cell that changes when a tool is used on a cell: a disc that changes its colour or is removed, or else the
   * lowest free cell of the column, or the highest disc. null: the column is full, or empty.
   *
   * @param {Cell} cell
   * @param {Tool} tool
   * @returns {Cell | null}
   */
  target([column, row], tool) {
    const { length } = this.columns[column];
    const disc = this.columns[column][row];
    if (disc !== undefined && disc !== tool) return [column, row];
    if (tool === "none") return length ? [column, length - 1] : null;
    return length < this.rules.height ? [column, length] : null;
  }

  /**
   * @param {Cell} target
   * @param {Tool} tool
   */
  changed([column, row], tool) {
    const discs = tool === "none" ? [] : [tool];
    const columns = this.columns.map((old, index) => (index === column ? old.toSpliced(row, 1, ...discs) : old));
    return new Draft(this.rules, columns, this.wanted);
  }

  /** The FEN, by the rules of write_fen in board/notation.py; the first player is x. */
  get fen() {
    const { width, height, connect, diagonals } = this.rules;
    const first = this.isFlipped ? "red" : "yellow";
    const symbol = (/** @type {Colour | undefined} */ disc) => (disc ? (disc === first ? "x" : "o") : ".");
    const rows = Array.from({ length: height }, (_, index) => {
      const cells = this.columns.map((discs) => symbol(discs[height - 1 - index]));
      return cells.join("").replace(/\.+/g, (gap) => `${gap.length}`);
    });
    const turn = symbol(this.toMove);
    return `${rows.join("/")} ${turn} ${width}x${height}x${connect}${diagonals ? "" : " no-diagonals"}`;
  }

  /** @param {Draft} draft */
  equals(draft) {
    return this.fen === draft.fen && this.isFlipped === draft.isFlipped;
  }

  /** The position as a game for the picture of a board. */
  get game() {
    const columns = this.columns.map((discs) => discs.map((disc) => Number(disc !== "yellow")));
    return new Game(this.rules, [], { fen: this.fen, columns, turn: Number(this.toMove !== "yellow") });
  }

  /**
   * A refusal of the server as the page speaks: with colours, and with columns and rows from 1.
   *
   * @param {string} message
   */
  inWords(message) {
    return sentence(message
      .replaceAll(/\b(?:the )?(first|second) player\b/gi, (_, name) =>
        colourName(Number(name.toLowerCase() === "second"), this.isFlipped))
      .replaceAll(/\((\d+), (\d+)\)/g, (_, column, row) => `(${Number(column) + 1}, ${Number(row) + 1})`));
  }
}

/**
 * @param {Colour} one
 * @returns {Colour}
 */
function other(one) {
  return one === "red" ? "yellow" : "red";
}
