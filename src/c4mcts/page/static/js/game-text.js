/**
 * Games as lines of files, as c4mcts.play.read_game reads them in Python: the moves (tree-text.js), before them perhaps
 * rules or a FEN with a colon, and after them perhaps facts as JSON, among them rules and the FEN of the start.
 *
 * @import { Rules } from "./game.js"
 * @import { Match } from "./match.js"
 * @import { ReadFen } from "./notation.js"
 * @import { State } from "./store.js"
 */

import { Game } from "./game.js";
import { GameTree } from "./game-tree.js";
import { onlyPerson, resultOf } from "./match.js";
import { checkedRules, readRules, readStart, readText, writeRules } from "./notation.js";
import { fill, texts } from "./texts.js";
import { NotationError, STRING, readTree, splitMoves, strip, withoutComments, writeTree } from "./tree-text.js";

const TEXTS = texts.gameText;

const HEAD = '[^"(:]*:'; // rules or a FEN
// More than moves: a text of comments, digits, commas, parentheses and blanks, or one that begins so, perhaps wrong.
const TREE = new RegExp(`^(?=[^"(]*["(])(?:${HEAD})?(?:(?:${STRING}|[0-9,()\\s])*|\\s*["0-9][^\\n]*)$`);
const STRINGS = ["start", "first", "second", "result", "end", "reason"]; // facts
export const LONGEST_FILE = 1_000_000; // characters
export const RESULTS = ["1-0", "0-1", "1/2-1/2"]; // by the winner, 2: a draw

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
  const { opening = 0 } = facts;
  const tree = readTree(body, start, Number(opening));
  if (tree.opening.length !== opening) throw new NotationError(wrong("opening", opening));
  return tree;
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
