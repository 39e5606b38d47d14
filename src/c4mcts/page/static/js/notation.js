/**
 * Positions as the page writes them, by the rules of Board.parse in Python, which reads all other texts (positions.js):
 *   4453                       moves as digits, columns from 1
 *   3,3,4,2                    a list with commas, columns from 0; a single move is 3,
 *   20x14x5:3,11,2             moves with other rules; x-no-diagonals: without diagonals
 *   7/7/7/7/7/2xo3 x 7x6x4:45  a FEN, with _ for spaces in addresses, and the moves since
 * The address of the page has after "#" one of these, or more:
 *   /analyse/7x6x4/4453?ply=2&flip    mode, rules, a line, how many of its moves are on the board, swapped colours
 *   /review/7/7/7/7/7/2xo3_x_7x6x4/45 the same with a FEN
 *   /puzzles/17                       a puzzle, by its number
 *
 * @import { Rules, Start } from "./game.js"
 * @import { ModeName } from "./store.js"
 */

import { whole } from "./format.js";
import { Game, STANDARD, isStandard } from "./game.js";
import { fill, texts } from "./texts.js";
import { NotationError, isBlank, readTree, strip } from "./tree-text.js";

const TEXTS = texts.notation;

/**
 * Reads a FEN, or throws an error for the user.
 *
 * @callback ReadFen
 * @param {string} fen
 * @returns {Promise<{ rules: Rules, start: Start }>}
 */

/**
 * What an address says. mode, flipped: null in an address without them. puzzle: its number, or 0.
 *
 * @typedef {{ game: Game, ply: number, mode: ModeName | null, flipped: boolean | null, puzzle: number }} Link
 */

export const LONGEST = 20_000; // characters of a text that is read
/** @type {[name: "width" | "height" | "connect", low: number, high: number][]} */
const LIMITS = [["width", 1, 20], ["height", 1, 14], ["connect", 2, 20]];
const ADDRESS = /^\/(analyse|play|learn|review)\/([^?]*)\/([^/?]*)(?:\?(.*))?$/;
const PUZZLE = /^\/puzzles(?:\/(\d{1,6}))?$/;
const RULES = /^(\d{1,9})x(\d{1,9})(?:x(\d{1,9}))?([ -]+no-diagonals)?$/; // with its blanks as " "
const LINK = /^(?:\w+:\/\/[!-"$-~]*|[!-"$->@-~]*(?:\/|\.html)(?:\?[!-"$-~]*)?)?#([!-~]*)$/; // in ASCII
const SPACED = /^\s*\d(?: \d){2,}\s*$/; // moves with blanks; two groups of digits are moves and a score
const FEN = /\/|^[\dxo]+[ \t_]+[xo][ \t_]/; // of one row without "/"

/**
 * The game of a text that the user has given. NotationError; the errors of readFen.
 *
 * @param {string} text
 * @param {Rules} rules for moves without rules
 * @param {ReadFen} readFen
 */
export async function readText(text, rules, readFen) {
  if (text.length > LONGEST) throw new NotationError(fill(TEXTS.tooLong, { length: whole(text.length) }));
  const trimmed = strip(text);
  const link = /[?&]pos=/.test(trimmed) ? null : LINK.exec(trimmed);
  if (!link) return readPosition(trimmed, rules, readFen);
  const { game, ply, mode } = await readHash(link[1], readFen);
  if (mode === "puzzles") throw new NotationError(TEXTS.puzzleLink);
  return game.after(ply);
}

/**
 * The game of the part of an address after "#", and what else it says. NotationError; the errors of readFen.
 *
 * @param {string} hash
 * @param {ReadFen} readFen
 * @returns {Promise<Link>}
 */
export async function readHash(hash, readFen) {
  if (hash.length > LONGEST) throw new NotationError(TEXTS.longAddress);
  const text = unescaped(hash);
  const puzzle = PUZZLE.exec(text);
  if (puzzle) return { game: new Game(), ply: 0, mode: "puzzles", flipped: null, puzzle: Number(puzzle[1] ?? 0) };
  const found = ADDRESS.exec(text);
  if (!found) {
    if (text.startsWith("/")) throw new NotationError(TEXTS.address);
    const game = await readPosition(text, STANDARD, readFen);
    return { game, ply: game.moves.length, mode: null, flipped: null, puzzle: 0 };
  }
  const [, mode, head, moves, query = ""] = found;
  const game = await readPosition(`${head}:${moves}`, STANDARD, readFen);
  const ply = /(?:^|&)ply=(\d{1,4})(?:&|$)/.exec(query)?.[1];
  return { game, ply: ply === undefined ? game.moves.length : Math.min(Number(ply), game.moves.length),
    mode: /** @type {ModeName} */ (mode), flipped: /(?:^|&)flip(?:&|$)/.test(query), puzzle: 0 };
}

/**
 * @param {string} text
 * @param {Rules} rules for moves without rules
 * @param {ReadFen} readFen
 */
async function readPosition(text, rules, readFen) {
  const colon = text.indexOf(":");
  const [head, moves] = colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
  if (FEN.test(head)) return readMoves(moves, await readStart(head.replaceAll("_", " "), readFen));
  return colon < 0 ? readMoves(text, new Game(rules)) : readMoves(moves, new Game(readRules(head)));
}

/**
 * The position of a FEN, without moves. NotationError if the page can't show it; the errors of readFen.
 *
 * @param {string} fen
 * @param {ReadFen} readFen
 */
export async function readStart(fen, readFen) {
  const { rules, start } = await readFen(fen);
  return new Game(checkedRules(rules), [], start);
}

/** @param {string} hash */
function unescaped(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    throw new NotationError(TEXTS.address);
  }
}

/** @param {Game} game */
export function writeText(game) {
  const moves = writeMoves(game);
  if (game.start) return `${game.start.fen.replaceAll(" ", "_")}:${moves}`;
  return isStandard(game.rules) ? moves : `${writeRules(game.rules)}:${moves}`;
}

/**
 * The part of an address after "#": /analyse/7x6x4/4453, with ?ply=2 for an earlier position and flip for swapped
 * colours.
 *
 * @param {Link & { mode: ModeName }} link
 */
export function writeHash({ mode, game, ply, flipped, puzzle }) {
  if (mode === "puzzles") return puzzle ? `/puzzles/${puzzle}` : "/puzzles";
  const head = game.start ? game.start.fen.replaceAll(" ", "_") : writeRules(game.rules);
  const query = [ply < game.moves.length ? `ply=${ply}` : "", flipped ? "flip" : ""].filter(Boolean).join("&");
  return `/${mode}/${head}/${writeMoves(game)}${query && `?${query}`}`;
}

/** @param {Game} game */
function writeMoves({ rules, moves }) {
  if (rules.width <= 9) return moves.map((column) => column + 1).join("");
  return moves.length === 1 ? `${moves[0]},` : moves.join();
}

/** @param {Rules} rules as 20x14x5 or 7x6x4-no-diagonals */
export function writeRules({ width, height, connect, diagonals }) {
  return `${width}x${height}x${connect}${diagonals ? "" : "-no-diagonals"}`;
}

/** @param {string} text such as 7x6x4-no-diagonals; NotationError for others */
export function readRules(text) {
  const found = RULES.exec([...text].map((letter) => (isBlank(letter) ? " " : letter)).join(""));
  if (!found) throw new NotationError(fill(TEXTS.noBoard, { text: text.slice(0, 40) }));
  const [width, height, connect] = [found[1], found[2], found[3] ?? STANDARD.connect].map(Number);
  return checkedRules({ width, height, connect, diagonals: !found[4] });
}

/** @param {Rules} rules that the page can show; NotationError for others */
export function checkedRules(rules) {
  for (const [name, low, high] of LIMITS) {
    if (!(Number.isInteger(rules[name]) && rules[name] >= low && rules[name] <= high)) {
      throw new NotationError(fill(TEXTS.limit, { name: texts.rules[name], low, high, number: rules[name] }));
    }
  }
  return rules;
}

/**
 * @param {string} text
 * @param {Game} start
 */
function readMoves(text, start) {
  const isList = text.includes(",");
  if (start.rules.width > 9 && !isList && strip(text)) throw new NotationError(TEXTS.wideBoard);
  const { game } = readTree(text, start, 0, true);
  if (!isList && [...strip(text)].some(isBlank) && !SPACED.test(text)) throw new NotationError(TEXTS.groups);
  return game;
}
