/** The rules of the game. Columns and rows count from 0, row 0 is the bottom; player 0 moves first. */

export const STANDARD = Object.freeze({ width: 7, height: 6, connect: 4, diagonals: true });
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/**
 * A game: rules, a start position, and the moves since then. It never changes.
 * start: null for the empty board, else {fen, columns, turn} with the players of the discs of each column from below.
 */
export class Game {
  #outcome;

  constructor(rules = STANDARD, moves = [], start = null) {
    this.rules = rules;
    this.moves = Object.freeze([...moves]);
    this.start = start;
    this.columns = start ? start.columns.map((column) => [...column]) : Array.from({ length: rules.width }, () => []);
    const first = start ? start.turn : 0;
    moves.forEach((column, ply) => this.columns[column].push((first + ply) % 2));
    this.turn = (first + moves.length) % 2;
    this.discs = this.columns.reduce((sum, column) => sum + column.length, 0);
  }

  /** The player of the disc at a place, or undefined. */
  at(column, row) {
    return this.columns[column]?.[row];
  }

  /** [column, row] of the last disc; null before the first move. */
  get last() {
    const column = this.moves.at(-1);
    return column === undefined ? null : [column, this.columns[column].length - 1];
  }

  /** {winner, cells}, where winner is null for a draw; null while the game goes on. */
  get outcome() {
    if (this.#outcome === undefined) this.#outcome = this.#findOutcome();
    return this.#outcome;
  }

  #findOutcome() {
    const { width, height } = this.rules;
    const cells = new Map();
    let winner = null;
    for (let column = 0; column < width; column++) {
      for (let row = 0; row < this.columns[column].length; row++) {
        for (const cell of this.#lineFrom(column, row)) {
          cells.set(cell.join(), cell);
          winner = this.at(...cell);
        }
      }
    }
    if (cells.size) return { winner, cells: [...cells.values()] };
    return this.discs === width * height ? { winner: null, cells: [] } : null;
  }

  /** The cells of all winning lines that begin at a disc. */
  #lineFrom(column, row) {
    const { connect, diagonals } = this.rules;
    const player = this.at(column, row);
    return DIRECTIONS.slice(0, diagonals ? 4 : 2).flatMap(([right, up]) => {
      const line = Array.from({ length: connect }, (_, step) => [column + step * right, row + step * up]);
      return line.every((cell) => this.at(...cell) === player) ? line : [];
    });
  }

  /** Why a column can't be played, in words for the user; null if it can. first: the leftmost column's number in them. */
  refusal(column, first = 1) {
    const { width, height } = this.rules;
    if (!Number.isInteger(column) || column < 0 || column >= width) {
      return `There is no column ${column + first}: the board has columns ${first} to ${width - 1 + first}.`;
    }
    if (this.outcome) return "The game is over.";
    if (this.columns[column].length >= height) return `Column ${column + first} is full.`;
    return null;
  }

  get legalColumns() {
    return this.columns.map((_, column) => column).filter((column) => this.refusal(column) === null);
  }

  /** The game after one more move. RangeError. */
  play(column) {
    const refusal = this.refusal(column);
    if (refusal) throw new RangeError(refusal);
    return new Game(this.rules, [...this.moves, column], this.start);
  }

  /** The game after so many of its moves. */
  after(count) {
    return count === this.moves.length ? this : new Game(this.rules, this.moves.slice(0, count), this.start);
  }

  /** The keys of the protocol that say this position. */
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

/** Whether two games have the same rules and start. */
export function isSameStart(one, other) {
  return one.after(0).key === other.after(0).key;
}
