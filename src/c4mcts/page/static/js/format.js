/**
 * Numbers and results in words. Columns count from 1 on the page.
 *
 * @import { Game, Player } from "./game.js"
 */

import { fill, texts } from "./texts.js";

const TEXTS = texts.format;

/** @type {[least: number, name: string][]} */
const UNITS = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];
const DECIMAL = [0, 1, 2].map((decimals) =>
  new Intl.NumberFormat(texts.language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }));

/**
 * @param {Player} player
 * @param {boolean} flipped whether the first player has the red discs
 * @returns {"red" | "yellow"}
 */
export function colour(player, flipped) {
  return (player === 1) !== flipped ? "red" : "yellow";
}

/**
 * @param {Player} player
 * @param {boolean} flipped
 */
export function colourName(player, flipped) {
  return texts.colours[colour(player, flipped)];
}

/**
 * @param {Player} player
 * @param {boolean} flipped
 */
export function playerName(player, flipped) {
  return sentence(colourName(player, flipped));
}

/** @param {string} text that gets a capital first letter */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {string} message that gets a capital first letter and a full stop */
export function fullSentence(message) {
  return sentence(/[.!?]$/.test(message) ? message : `${message}.`);
}

/**
 * @param {Game} game
 * @param {boolean} flipped
 */
export function stateOf(game, flipped) {
  if (!game.outcome) return fill(TEXTS.toMove, { name: playerName(game.turn, flipped) });
  const { winner } = game.outcome;
  return winner === null ? TEXTS.isDraw : fill(TEXTS.hasWon, { name: playerName(winner, flipped) });
}

/** @param {number} number 612000 -> "612,000" */
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

/** @param {number} number 3140000 -> "3.1 M", 61200 -> "61 k" */
export function short(number) {
  for (const [unit, name] of UNITS) {
    if (number >= unit) return `${decimal(number / unit, number < 10 * unit ? 1 : 0)} ${name}`;
  }
  return `${Math.round(number)}`;
}

/** @param {number} share 0.41 -> "41 %" */
export function percent(share) {
  return `${Math.round(100 * share)} %`;
}

/** @param {number | null} number in [0, 1] as "0.62" */
export function value(number) {
  return number === null ? "–" : decimal(number, 2);
}

/** @param {number} number of the solver as "+2" */
export function score(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0";
}

/** @param {number} number Elo, as "902" or "−4" */
export function rating(number) {
  return `${number}`.replace("-", "−");
}

/** @param {readonly number[]} list columns from 0, as "4 12 3" */
export function columns(list, separator = " ") {
  return list.map((column) => column + 1).join(separator);
}

/**
 * Columns in words, as "3", "3 and 4", "1, 3 and 4".
 *
 * @param {readonly number[]} list columns from 0
 * @param {"conjunction" | "disjunction"} type and, or
 */
export function listed(list, type = "conjunction") {
  const language = texts.language === "en" ? "en-GB" : texts.language; // without a comma before "and"
  return new Intl.ListFormat(language, { type }).format(list.map((column) => `${column + 1}`));
}

/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : `${error}`;
}
