/**
 * Positions as text, by the rules of Board.parse in Python (tests/position_texts.py has a table for both):
 *   4453                       moves as digits, columns from 1
 *   3,3,4,2                    a list with commas, columns from 0; a single move is 3,
 *   20x14x5:3,11,2             moves with other rules; x-no-diagonals: without diagonals
 *   7/7/7/7/7/2xo3 x 7x6x4:45  a FEN, with _ for spaces in addresses, and the moves since
 * The address of the page has one of these after "#".
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
const MOST_SHOWN = 12; // moves in the sentence that says how a text was read
/** @type {[name: "width" | "height" | "connect", low: number, high: number][]} */
const LIMITS = [["width", 1, 20], ["height", 1, 14], ["connect", 2, 20]];
const RULES = /^(\d{1,2})x(\d{1,2})x(\d{1,4})(-no-diagonals)?$/;

/** A text that can't be read; its message is for the user. */
export class NotationError extends Error {}

/**
 * The game of a text that the user has given. NotationError; the errors of readFen.
 *
 * @param {string} text
 * @param {Rules} rules for moves without rules
 * @param {ReadFen} readFen
 */
export async function readText(text, rules, readFen) {
  if (text.length > LONGEST) {
    throw new NotationError(`A text of ${text.length.toLocaleString("en")} characters is too long for a position.`);
  }
  const trimmed = text.trim();
  const link = /^\S*#(\S*)$/.exec(trimmed);
  return link ? readHash(link[1], readFen) : readPosition(trimmed, rules, readFen);
}

/**
 * The game of the part of an address after "#". NotationError; the errors of readFen.
 *
 * @param {string} hash
 * @param {ReadFen} readFen
 */
export async function readHash(hash, readFen) {
  if (hash.length > LONGEST) throw new NotationError("This address is too long for a position.");
  return readPosition(unescaped(hash), STANDARD, readFen);
}

/**
 * @param {string} text
 * @param {Rules} rules for moves without rules
 * @param {ReadFen} readFen
 */
async function readPosition(text, rules, readFen) {
  const colon = text.indexOf(":");
  const [head, moves] = colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
  if (head.includes("/")) return readMoves(moves, await readFenGame(head.replaceAll("_", " "), readFen));
  return colon < 0 ? readMoves(text, new Game(rules)) : readMoves(moves, new Game(readRules(head)));
}

/**
 * How the text of a game was read, in words for the user, who counts columns from 1 as on the board.
 *
 * @param {string} text
 * @param {Game} game
 */
export function understood(text, game) {
  if (!game.moves.length) return "Read as a position without moves.";
  const columns = game.moves.slice(0, MOST_SHOWN).map((column) => column + 1).join(" ");
  const more = game.moves.length > MOST_SHOWN ? " …" : "";
  const how = text.includes(",") ? "a list with commas counts columns from 0" : "digits count columns from 1";
  return `Read as the columns ${columns}${more} of the board: ${how}.`;
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
  const moves = game.rules.width > 9 ? writeList(game.moves) : game.moves.map((column) => column + 1).join("");
  if (game.start) return `${game.start.fen.replaceAll(" ", "_")}:${moves}`;
  const rules = writeRules(game.rules);
  return rules === writeRules(STANDARD) ? moves : `${rules}:${moves}`;
}

/** @param {readonly number[]} moves */
function writeList(moves) {
  return moves.length === 1 ? `${moves[0]},` : moves.join();
}

/**
 * Rules as 20x14x5 or 7x6x4-no-diagonals.
 *
 * @param {Rules} rules
 */
export function writeRules({ width, height, connect, diagonals }) {
  return `${width}x${height}x${connect}${diagonals ? "" : "-no-diagonals"}`;
}

/**
 * The rules of a text such as 7x6x4-no-diagonals. NotationError.
 *
 * @param {string} text
 */
export function readRules(text) {
  const found = RULES.exec(text);
  if (!found) throw new NotationError(`“${text.slice(0, 40)}” is not a board: write 7x6x4, for example.`);
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
 * Play the moves of a text after a game. NotationError, which says at which character or entry.
 *
 * @param {string} text
 * @param {Game} game
 */
function readMoves(text, game) {
  return text.includes(",") ? readList(text, game) : readDigits(text, game);
}

/**
 * @param {string} text
 * @param {Game} game
 */
function readDigits(text, game) {
  if (game.rules.width > 9 && text.trim()) {
    throw new NotationError("With more than 9 columns, write moves as a list with commas, columns from 0: 3,11,2.");
  }
  let found = game;
  for (const [index, letter] of [...text].entries()) {
    if (/\s/.test(letter)) continue;
    const place = `character ${index + 1}`;
    if (!/[1-9]/.test(letter)) {
      throw new NotationError(
        `C${place.slice(1)}, “${letter}” is not a column: without commas, moves are digits from 1.`);
    }
    found = played(found, Number(letter) - 1, 1, place);
  }
  return found;
}

/**
 * @param {string} text
 * @param {Game} game
 */
function readList(text, game) {
  const entries = text.split(",").map((entry) => entry.trim());
  if (!entries.at(-1)) entries.pop();
  let found = game;
  for (const [index, entry] of entries.entries()) {
    const place = `entry ${index + 1}`;
    if (!/^[0-9]{1,9}$/.test(entry)) {
      const shown = entry.slice(0, 40);
      throw new NotationError(`E${place.slice(1)}, “${shown}” is not a column: with commas, moves are numbers from 0.`);
    }
    found = played(found, Number(entry), 0, place);
  }
  return found;
}

/**
 * The game after one more move of a text. NotationError.
 *
 * @param {Game} game
 * @param {number} column
 * @param {number} first the number that the leftmost column has in the text
 * @param {string} place of the move in the text
 */
function played(game, column, first, place) {
  const refusal = game.refusal(column, first);
  if (refusal) throw new NotationError(`Move ${game.moves.length + 1} (${place}): ${refusal}`);
  return game.play(column);
}
