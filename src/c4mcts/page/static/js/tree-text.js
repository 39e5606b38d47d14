/**
 * Moves with variations and comments as text:
 *
 *   44"the centre"5(3"a mistake"2(6)7)3
 *
 * A column is a digit from 1; with more than 9 columns, or with commas, a number from 0. After a move comes perhaps its
 * comment, a string of JSON, and then each alternative with its continuation in parentheses.
 *
 * @import { Node } from "./game-tree.js"
 * @import { Game } from "./game.js"
 */

import { whole } from "./format.js";
import { GameTree } from "./game-tree.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.gameText;

/**
 * A position that is being read: its children are still to come.
 *
 * @typedef {object} Draft
 * @property {string} comment
 * @property {[column: number, draft: Draft][]} children
 */
/** @typedef {{ draft: Draft, game: Game }} Place */

const MOST_MOVES = 20_000; // of all lines together
const MORE_BLANKS = "\x1C\x1D\x1E\x1F\x85";
export const STRING = '"(?:[^"\\\\]|\\\\[^\\n])*"';

/** A text that can't be read; its message is for the user. */
export class NotationError extends Error {}

/**
 * Whether Python takes a character for a blank, which is not quite the same in JavaScript.
 *
 * @param {string} letter
 */
export function isBlank(letter) {
  return MORE_BLANKS.includes(letter) || (/\s/.test(letter) && letter !== "\uFEFF");
}

/** @param {string} text that is returned without the blanks at its ends */
export function strip(text) {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text[from])) from++;
  while (from < to && isBlank(text[to - 1])) to--;
  return text.slice(from, to);
}

/**
 * The moves of a line of a file, up to the first "{" that is not in a comment, and the facts that begin there.
 *
 * @param {string} line
 * @returns {[moves: string, facts: string]}
 */
export function splitMoves(line) {
  const end = new RegExp(`^(?:${STRING}|[^{"])*(?:"[^]*)?`).exec(line)?.[0].length ?? 0; // all, if a string has no end
  return [strip(line.slice(0, end)), strip(line.slice(end))];
}

/** @param {string} moves */
export function withoutComments(moves) {
  return moves.replaceAll(new RegExp(`${STRING}?`, "g"), ""); // and without one that has no end
}

/**
 * The game of a text. NotationError, which names the character, counted from 1.
 *
 * @param {string} text
 * @param {Game} start without moves
 * @param {number} opening how many of the main moves nobody chose
 * @param {boolean} isLine whether it has moves only
 */
export function readTree(text, start, opening = 0, isLine = false) {
  const isWide = start.rules.width > 9 || withoutComments(text).includes(",");
  const reader = new Reader(start, isWide, isLine);
  for (const found of text.matchAll(new RegExp(`${STRING}|${isWide ? "[0-9]+" : "[0-9]"}|.`, "gsu"))) {
    try {
      reader.take(found[0]);
    } catch (error) {
      if (!(error instanceof NotationError)) throw error;
      const place = [...text.slice(0, found.index)].length + 1;
      throw new NotationError(fill(TEXTS.problem, { place, problem: error.message }));
    }
  }
  if (reader.isOpen) throw new NotationError(fill(TEXTS.openParenthesis, { place: [...text].length }));
  return new GameTree(start, reader.root, new GameTree(start, reader.root).game.moves.slice(0, opening));
}

/** Takes one token after the other. The messages of its errors go after the place. */
class Reader {
  /** @type {"start" | "move" | "comment" | "(" | ")" | ","} */
  #after = "start";

  /** @type {Place[][]} */
  #open = []; // the lines to whose last moves the open variations are alternatives

  #left = MOST_MOVES;

  /**
   * @param {Game} start
   * @param {boolean} isWide whether columns are numbers from 0 with commas, instead of digits from 1
   * @param {boolean} isLine
   */
  constructor(start, isWide, isLine) {
    this.root = /** @type {Draft} */ ({ comment: "", children: [] });
    this.isWide = isWide;
    this.isLine = isLine;
    /** @type {Place[]} */
    this.line = [{ draft: this.root, game: start }]; // up to the last move
  }

  get isOpen() {
    return this.#open.length > 0;
  }

  /** @param {string} token */
  take(token) {
    const sign = this.isLine ? "" : token[0]; // of more than moves
    if (sign === '"') this.#comment(token);
    else if (sign === "(") this.#begin();
    else if (sign === ")") this.#end();
    else if (token === "," && this.isWide) {
      if (!this.#isAfterMove) throw new NotationError(TEXTS.comma);
      this.#after = ",";
    } else if (!isBlank(token)) this.#move(token);
  }

  get #last() {
    return this.line[this.line.length - 1];
  }

  /** Whether the last token belongs to a move: not before the first one, in a new variation or after a comma. */
  get #isAfterMove() {
    return this.#last.draft !== this.root && this.#after !== "(" && this.#after !== ",";
  }

  /** @param {string} token */
  #comment(token) {
    let comment;
    try {
      comment = JSON.parse(token);
    } catch {
      throw new NotationError(TEXTS.commentString);
    }
    if (this.#after !== "start" && this.#after !== "move") throw new NotationError(TEXTS.commentPlace);
    this.#last.draft.comment = comment;
    this.#after = "comment";
  }

  #begin() {
    if (!this.#isAfterMove) throw new NotationError(TEXTS.variationPlace);
    this.#open.push(this.line);
    this.line = [this.line[this.line.length - 2]];
    this.#after = "(";
  }

  #end() {
    const line = this.#open.at(-1);
    if (!line) throw new NotationError(TEXTS.closesNothing);
    if (this.#after === "(") throw new NotationError(TEXTS.emptyVariation);
    this.#open.pop();
    this.line = line;
    this.#after = ")";
  }

  /** @param {string} token */
  #move(token) {
    const first = this.isWide ? 0 : 1;
    if (!(this.isWide ? /^[0-9]{1,9}$/ : /^[1-9]$/).test(token)) {
      const how = this.isWide ? TEXTS.numbers : TEXTS.digits;
      throw new NotationError(fill(TEXTS.noColumn, { text: token.slice(0, 40), how }));
    }
    if (this.isWide && this.#isAfterMove) throw new NotationError(TEXTS.missingComma);
    const column = Number(token) - first;
    const { draft, game } = this.#last;
    if (draft.children.some(([other]) => other === column)) {
      throw new NotationError(fill(TEXTS.duplicate, { token }));
    }
    if (--this.#left < 0) throw new NotationError(fill(TEXTS.tooMany, { most: whole(MOST_MOVES) }));
    const refusal = game.refusal(column, first);
    if (refusal) throw new NotationError(fill(TEXTS.illegal, { number: game.moves.length + 1, refusal }));
    /** @type {Draft} */
    const next = { comment: "", children: [] };
    draft.children.push([column, next]);
    this.line.push({ draft: next, game: game.play(column) });
    this.#after = "move";
  }
}

/** @param {GameTree} tree as `readTree` reads it */
export function writeTree({ start, root }) {
  const [first, comma] = start.rules.width > 9 ? [0, ","] : [1, ""];
  /** @param {readonly [number, Node]} child */
  const head = ([column, { comment }]) => `${column + first}${quoted(comment)}`;
  /** @param {Node} node @returns {string} */
  const tail = ({ children }) => (children.length ? comma + line(children) : "");
  /** @param {readonly (readonly [number, Node])[]} children @returns {string} */
  const line = ([main, ...others]) =>
    `${head(main)}${others.map((other) => `(${head(other)}${tail(other[1])})`).join("")}${tail(main[1])}`;
  return quoted(root.comment) + (root.children.length ? line(root.children) : "");
}

/** @param {string} comment */
function quoted(comment) {
  return comment ? JSON.stringify(comment) : "";
}
