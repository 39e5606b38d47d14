/**
 * Numbers and results in words. Columns count from 1 on the page.
 *
 * @import { Game, Player } from "./game.js"
 * @import { Proven } from "./protocol.js"
 */

import { fill, texts } from "./texts.js";

const TEXTS = texts.format;

/** @type {[least: number, name: string][]} */
const UNITS = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];
const DECIMAL = [0, 1, 2].map((decimals) =>
  new Intl.NumberFormat(texts.language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }));

/**
 * The name of a player's colour.
 *
 * @param {Player} player
 * @param {boolean} flipped whether the first player has the red discs
 * @returns {"red" | "yellow"}
 */
export function colour(player, flipped) {
  return (player === 1) !== flipped ? "red" : "yellow";
}

/**
 * The name of a player's colour in words.
 *
 * @param {Player} player
 * @param {boolean} flipped
 */
export function colourName(player, flipped) {
  return texts.colours[colour(player, flipped)];
}

/**
 * The same with a capital first letter.
 *
 * @param {Player} player
 * @param {boolean} flipped
 */
export function playerName(player, flipped) {
  return sentence(colourName(player, flipped));
}

/**
 * A text with a capital first letter.
 *
 * @param {string} text
 */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A message that is a sentence: with a capital first letter and a full stop.
 *
 * @param {string} message
 */
export function fullSentence(message) {
  return sentence(/[.!?]$/.test(message) ? message : `${message}.`);
}

/**
 * Who is to move, or how the game ended.
 *
 * @param {Game} game
 * @param {boolean} flipped
 */
export function stateOf(game, flipped) {
  if (!game.outcome) return fill(TEXTS.toMove, { name: playerName(game.turn, flipped) });
  const { winner } = game.outcome;
  return winner === null ? TEXTS.isDraw : fill(TEXTS.hasWon, { name: playerName(winner, flipped) });
}

/**
 * 612000 -> "612,000".
 *
 * @param {number} number
 */
export function whole(number) {
  return number.toLocaleString(texts.language);
}

/**
 * A number with as many decimals: 0.625, 1 -> "0.6".
 *
 * @param {number} number
 * @param {0 | 1 | 2} decimals
 */
export function decimal(number, decimals) {
  return DECIMAL[decimals].format(number);
}

/**
 * 3140000 -> "3.1 M", 61200 -> "61 k".
 *
 * @param {number} number
 */
export function short(number) {
  for (const [unit, name] of UNITS) {
    if (number >= unit) return `${decimal(number / unit, number < 10 * unit ? 1 : 0)} ${name}`;
  }
  return `${Math.round(number)}`;
}

/**
 * A share as "41 %".
 *
 * @param {number} share
 */
export function percent(share) {
  return `${Math.round(100 * share)} %`;
}

/**
 * A value in [0, 1] as "0.62".
 *
 * @param {number | null} number
 */
export function value(number) {
  return number === null ? "–" : decimal(number, 2);
}

/**
 * A score of the solver as "+2".
 *
 * @param {number} number
 */
export function score(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0";
}

/**
 * "win in 35", "loss in ≤ 36", "draw", or "".
 *
 * @param {Proven} known
 */
export function proven({ proof, distance, bound }) {
  if (!proof) return "";
  const word = texts.proofs[proof];
  if (proof === "draw" || distance === null) return word;
  return fill(TEXTS.provenIn, { word, distance: `${bound === "exact" ? "" : "≤ "}${distance}` });
}

/**
 * The same where there is little space: "W35", "L≤36", "D".
 *
 * @param {Proven} known
 */
export function provenShort({ proof, distance, bound }) {
  if (!proof) return "";
  const letter = texts.proofLetters[proof];
  if (proof === "draw" || distance === null) return letter;
  return `${letter}${bound === "exact" ? "" : "≤"}${distance}`;
}

/**
 * An Elo rating as "902" or "−4".
 *
 * @param {number} number
 */
export function rating(number) {
  return `${number}`.replace("-", "−");
}

/**
 * Plies to the end of a game with that score for the player to move; like plies_of in solver/scores.py.
 *
 * @param {number} score
 * @param {number} emptyCells
 */
export function pliesOf(score, emptyCells) {
  if (score === 0) return emptyCells;
  const plies = emptyCells + 2 - 2 * Math.abs(score);
  return plies % 2 === Number(score > 0) ? plies : plies - 1;
}

/**
 * Columns from 0 as readable text: "4 12 3".
 *
 * @param {readonly number[]} list
 */
export function columns(list, separator = " ") {
  return list.map((column) => column + 1).join(separator);
}

/**
 * An error in words for the user.
 *
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : `${error}`;
}
