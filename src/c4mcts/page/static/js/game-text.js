/**
 * Games with variations and comments as text, as c4mcts.play.GameTree has them in Python:
 *
 *   44"the centre"5(3"a mistake"2(6)7)3
 *
 * A column is a digit from 1; with more than 9 columns, or with commas, a number from 0. After a move comes perhaps its
 * comment, a string of JSON, and then each alternative with its continuation in parentheses. Before the moves come
 * perhaps rules or a FEN with a colon, and after them perhaps facts as JSON, among them rules and the FEN of the start.
 *
 * @import { Node } from "./game-tree.js"
 * @import { Rules } from "./game.js"
 * @import { Match } from "./match.js"
 * @import { ReadFen } from "./notation.js"
 * @import { State } from "./store.js"
 */

import { whole } from "./format.js";
import { Game } from "./game.js";
import { GameTree } from "./game-tree.js";
import { onlyPerson, resultOf } from "./match.js";
import { NotationError, checkedRules, isBlank, readRules, readStart, readText, strip, writeRules } from "./notation.js";
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
const STRING = '"(?:[^"\\\\]|\\\\[^\\n])*"';
const HEAD = '[^"(:]*:'; // rules or a FEN
// More than moves: a text of comments, digits, commas, parentheses and blanks, or one that begins so, perhaps wrong.
const TREE = new RegExp(`^(?=[^"(]*["(])(?:${HEAD})?(?:(?:${STRING}|[0-9,()\\s])*|\\s*["0-9][^\\n]*)$`);
const STRINGS = ["start", "first", "second", "result", "end", "reason"]; // facts
export const LONGEST_FILE = 1_000_000; // characters
export const RESULTS = ["1-0", "0-1", "1/2-1/2"]; // by the winner, 2: a draw

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
 */
export function readTree(text, start, opening = 0) {
  const isWide = start.rules.width > 9 || withoutComments(text).includes(",");
  const reader = new Reader(start, isWide);
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
   * @param {boolean} isWide
   */
  constructor(start, isWide) {
    this.root = /** @type {Draft} */ ({ comment: "", children: [] });
    this.isWide = isWide;
    /** @type {Place[]} */
    this.line = [{ draft: this.root, game: start }]; // up to the last move
  }

  get isOpen() {
    return this.#open.length > 0;
  }

  /** @param {string} token */
  take(token) {
    if (token[0] === '"') this.#comment(token);
    else if (token === "(") this.#begin();
    else if (token === ")") this.#end();
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
    if (refusal) throw new NotationError(`: ${refusal}`);
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

/**
 * The game of a line of a file, or of a text with a position. NotationError; the errors of readFen.
 *
 * @param {string} line
 * @param {Rules} rules if the text has none
 * @param {ReadFen} readFen
 */
export async function readGame(line, rules, readFen) {
  if (line.length > LONGEST_FILE) return GameTree.of(await readText(line, rules, readFen)); // which says so
  const [moves, rest] = splitMoves(line);
  const facts = rest ? readFacts(rest) : {};
  const isEmpty = strip(withoutComments(moves)) === "" && (!("rules" in facts) || "steps" in facts);
  if (isEmpty && (moves || rest)) throw new NotationError(TEXTS.noGame); // or a board or an episode, as JSON
  if (!Object.keys(facts).length && !TREE.test(moves)) return GameTree.of(await readText(moves, rules, readFen));
  const head = new RegExp(`^${HEAD}`).exec(moves)?.[0] ?? "";
  const start = await startOf(facts, head, rules, readFen);
  const body = " ".repeat([...head].length) + moves.slice(head.length); // errors name the place in the line
  return readTree(body, start, Number(facts.opening ?? 0));
}

/**
 * @param {string} text
 * @returns {Record<string, unknown>}
 */
function readFacts(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotationError(TEXTS.noJson);
  }
}

/**
 * @param {Record<string, unknown>} facts
 * @param {string} head rules or a FEN before the moves, with a colon; or ""
 * @param {Rules} rules if there are none
 * @param {ReadFen} readFen
 */
async function startOf(facts, head, rules, readFen) {
  for (const name of STRINGS) {
    if (name in facts && typeof facts[name] !== "string") throw new NotationError(wrong(name, facts[name]));
  }
  const { opening = 0 } = facts;
  if (!(Number.isInteger(opening) && Number(opening) >= 0)) throw new NotationError(wrong("opening", opening));
  const named = "rules" in facts ? rulesOf(facts.rules) : null;
  if (!("start" in facts) && !head) return new Game(named ?? rules);
  if (head && "start" in facts) throw new NotationError(wrong("start", facts.start));
  const start = head ? await readText(head, rules, readFen) : await readStart(`${facts.start}`, readFen);
  const isOther = named && writeRules(named) !== writeRules(start.rules);
  if (isOther || start.moves.length) throw new NotationError(wrong("rules", isOther ? facts.rules : head));
  return start;
}

/** @param {unknown} value a text, or the rules as the protocol has them */
function rulesOf(value) {
  if (typeof value === "string") return readRules(value);
  const { width, height, connect, diagonals, ...others } = Object(value);
  if (typeof diagonals !== "boolean" || Object.keys(others).length) throw new NotationError(wrong("rules", value));
  return checkedRules({ width, height, connect, diagonals });
}

/**
 * @param {string} name of a fact
 * @param {unknown} value that it can't have
 */
function wrong(name, value) {
  return fill(TEXTS.wrongFact, { name, value: JSON.stringify(value).slice(0, 40) });
}

/** @param {Pick<State, "tree" | "match">} state as a line of a file, with a line feed at its end */
export function writeGame({ tree, match }) {
  const { rules, start } = tree.start;
  const named = writeRules(rules).replace("-no", " no");
  const opening = tree.openingOf(tree.game.moves);
  const facts = { ...matchFacts(match), ...(opening && { opening }), ...(start && { start: start.fen }), rules: named };
  return `${writeTree(tree)} ${JSON.stringify(facts)}\n`;
}

/** @param {Match | null} match */
function matchFacts(match) {
  if (!match) return {};
  const isAlone = onlyPerson(match) !== null;
  const [first, second] = match.seats.map((seat, player) => {
    if (seat === null) return isAlone ? "you" : ["first", "second"][player];
    if ("number" in seat) return `level ${seat.number}`;
    return seat.visits ? `${seat.preset}@${seat.visits}` : `${seat.preset}:policy`;
  });
  const result = resultOf(match);
  if (!result) return { first, second, result: "*", end: "unfinished" };
  return { first, second, result: RESULTS[result.winner ?? 2], end: result.end };
}
