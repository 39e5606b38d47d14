/**
 * Positions as text: moves as digits (4453), with commas (4,12,3; needed beyond 9 columns), FEN, and the part of the
 * page's address after "#":
 *   445                        moves on 7 x 6
 *   20x14x5:4,12,3             other rules; x-no-diagonals: without diagonals
 *   7/7/7/7/7/2xo3_x_7x6x4:45  a FEN, with _ for spaces, and the moves since
 *
 * @import { Rules, Start } from "./game.js"
 */

import { Game, STANDARD } from "./game.js";

/**
 * Reads a FEN, or throws an error for the user.
 *
 * @callback ReadFen
 * @param {string} fen
 * @returns {Promise<{ rules: Rules, start: Start }>}
 */

export const LONGEST = 20_000; // characters of a text that is read
const MOVES = /^[\s\d,;_]*$/;
/** @type {[name: "width" | "height" | "connect", low: number, high: number][]} */
const LIMITS = [["width", 1, 20], ["height", 1, 14], ["connect", 2, 20]];
const RULES = /^(\d{1,2})x(\d{1,2})x(\d{1,4})(-no-diagonals)?$/;

/** A text that can't be read; its message is for the user. */
export class NotationError extends Error {}

/**
 * The game of a text that the user has given. NotationError; the errors of readFen.
 *
 * @param {string} text
 * @param {Rules} rules of moves alone
 * @param {ReadFen} readFen
 */
export async function readText(text, rules, readFen) {
  if (text.length > LONGEST) {
    throw new NotationError(`A text of ${text.length.toLocaleString("en")} characters is too long for a position.`);
  }
  const trimmed = text.trim();
  const hash = /^\S*#(\S*)$/.exec(trimmed);
  if (hash) return readHash(hash[1], readFen);
  if (trimmed.includes("/")) return readFenGame(trimmed, readFen);
  if (RULES.test(trimmed.split(":")[0])) return readHash(trimmed, readFen);
  return readMoves(trimmed.split("\n")[0], new Game(rules));
}

/**
 * The game of the part of an address after "#". NotationError; the errors of readFen.
 *
 * @param {string} hash
 * @param {ReadFen} readFen
 */
export async function readHash(hash, readFen) {
  if (hash.length > LONGEST) throw new NotationError("This address is too long for a position.");
  const [head, tail] = unescaped(hash).split(":", 2);
  if (head.includes("/")) return readMoves(tail ?? "", await readFenGame(head.replaceAll("_", " "), readFen));
  return tail === undefined ? readMoves(head, new Game(STANDARD)) : readMoves(tail, new Game(readRules(head)));
}

/**
 * @param {string} fen
 * @param {ReadFen} readFen
 */
async function readFenGame(fen, readFen) {
  const { rules, start } = await readFen(fen);
  checkedRules(rules);
  return new Game(rules, [], start);
}

/** @param {string} hash */
function unescaped(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    throw new NotationError("The part of the address after # can't be read.");
  }
}

/**
 * The part of an address after "#".
 *
 * @param {Game} game
 */
export function writeHash(game) {
  const moves = game.moves.map((column) => column + 1).join(game.rules.width > 9 ? "," : "");
  if (game.start) return `${game.start.fen.replaceAll(" ", "_")}:${moves}`;
  const rules = writeRules(game.rules);
  return rules === writeRules(STANDARD) ? moves : `${rules}:${moves}`;
}

/**
 * Rules as 20x14x5 or 7x6x4-no-diagonals.
 *
 * @param {Rules} rules
 */
export function writeRules({ width, height, connect, diagonals }) {
  return `${width}x${height}x${connect}${diagonals ? "" : "-no-diagonals"}`;
}

/** @param {string} text */
function readRules(text) {
  const found = RULES.exec(text);
  if (!found) throw new NotationError(`“${text.slice(0, 40)}” are no rules: these look like 7x6x4.`);
  const [width, height, connect] = found.slice(1, 4).map(Number);
  return checkedRules({ width, height, connect, diagonals: !found[4] });
}

/**
 * The rules, if the page can show them. NotationError.
 *
 * @param {Rules} rules
 */
export function checkedRules(rules) {
  for (const [name, low, high] of LIMITS) {
    if (!(Number.isInteger(rules[name]) && rules[name] >= low && rules[name] <= high)) {
      throw new NotationError(`The ${name} must be ${low} to ${high} on this page, not ${rules[name]}.`);
    }
  }
  return rules;
}

/**
 * Play the moves of a text after a game. NotationError, which says at which character.
 *
 * @param {string} text
 * @param {Game} game
 */
export function readMoves(text, game) {
  if (!MOVES.test(text)) {
    const index = [...text].findIndex((letter) => !MOVES.test(letter));
    throw new NotationError(`Character ${index + 1}, “${[...text][index]}”, is no column: moves are numbers from 1.`);
  }
  const word = /[,;]/.test(text) || game.rules.width > 9 ? /\d+/g : /\d/g;
  let found = game;
  for (const match of text.matchAll(word)) {
    const refusal = found.refusal(Number(match[0]) - 1);
    if (refusal) throw new NotationError(`Move ${found.moves.length + 1} (character ${match.index + 1}): ${refusal}`);
    found = found.play(Number(match[0]) - 1);
  }
  return found;
}
