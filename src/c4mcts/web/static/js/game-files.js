/**
 * Lines of files with games, as c4mcts.play.read_game has them in Python: a game with variations and comments, then
 * perhaps facts as JSON, among them the rules, and the FEN of the start position.
 *
 * @import { Rules } from "./game.js"
 * @import { Match } from "./match.js"
 * @import { ReadFen } from "./notation.js"
 * @import { State } from "./store.js"
 */

import { Game } from "./game.js";
import { hasTree, readTree, splitMoves, writeTree } from "./game-text.js";
import { GameTree } from "./game-tree.js";
import { onlyPerson, resultOf } from "./match.js";
import { NotationError, checkedRules, readRules, readText, writeRules } from "./notation.js";
import { texts } from "./texts.js";

const TEXTS = texts.gameFiles;

export const LONGEST_FILE = 1_000_000; // characters
const RESULTS = ["1-0", "0-1"];
const ENDS = { line: "win", full: "draw", resigned: "resignation", time: "time" };

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
  const hasFacts = rest.startsWith("{");
  if (!hasFacts && !hasTree(moves)) return GameTree.of(await readText(line, rules, readFen));
  return readTree(moves, hasFacts ? await startOf(readFacts(rest), rules, readFen) : new Game(rules));
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
 * The start position that facts name.
 *
 * @param {Record<string, unknown>} facts
 * @param {Rules} rules if they name none
 * @param {ReadFen} readFen
 */
async function startOf(facts, rules, readFen) {
  const named = typeof facts.rules === "string" ? readRules(facts.rules.replace(" no", "-no")) : rules;
  if (typeof facts.start !== "string") return new Game(named);
  const found = await readFen(facts.start);
  return new Game(checkedRules(found.rules), [], found.start);
}

/**
 * The line of a file with the game, which ends with a line feed.
 *
 * @param {Pick<State, "tree" | "match">} state
 */
export function writeGame({ tree, match }) {
  const { rules, start } = tree.start;
  const named = writeRules(rules).replace("-no", " no");
  const facts = { ...matchFacts(match), ...(start && { start: start.fen }), rules: named };
  return `${writeTree(tree)} ${JSON.stringify(facts)}\n`;
}

/** @param {Match | null} match */
function matchFacts(match) {
  if (!match) return {};
  const isAlone = onlyPerson(match) !== null;
  const [first, second] = match.seats.map((seat, player) => {
    if (seat === null) return isAlone ? "you" : ["first", "second"][player];
    return "number" in seat ? `level ${seat.number}` : `${seat.preset}@${seat.visits}`;
  });
  const result = resultOf(match);
  if (!result) return { first, second, result: "*", end: "unfinished" };
  const score = result.winner === null ? "1/2-1/2" : RESULTS[result.winner];
  return { first, second, result: score, end: ENDS[result.reason] };
}
