/**
 * A game against a level: whose turn it is, clocks, result.
 *
 * @import { Game, Player } from "./game.js"
 */

/** @typedef {{ number: number, name: string }} Level */
/** @typedef {{ winner: Player | null, reason: "line" | "full" | "resigned" | "time" }} Result winner null: a draw. */
/**
 * Immutable: each move makes a new match.
 *
 * @typedef {object} Match
 * @property {Game} game
 * @property {Level} level
 * @property {Player} side the user's
 * @property {number[] | null} left seconds on each player's clock when `since` was; null without clocks
 * @property {number} increment seconds added for each move
 * @property {number} since the time in milliseconds at which the clock of the player to move began to run
 * @property {Player | null} resigned who has lost by that
 * @property {Player | null} timeout who has lost by that
 * @property {number | null} hint a column
 */

/** @type {[seconds: number, text: string][]} */
export const CLOCKS = [[0, "No clock"], [60, "1 min + 1 s"], [180, "3 min + 2 s"], [300, "5 min + 3 s"]];
/** @type {Record<number, number>} */
const INCREMENTS = { 60: 1, 180: 2, 300: 3 };

/**
 * A match that begins now, in milliseconds.
 *
 * @param {Game} game
 * @param {Level} level
 * @param {Player} side the user's
 * @param {number} clock seconds, see CLOCKS; 0: none
 * @param {number} now
 * @returns {Match}
 */
export function newMatch(game, level, side, clock, now) {
  const left = clock ? [clock, clock] : null;
  const increment = INCREMENTS[clock] ?? 0;
  return { game, level, side, left, increment, since: now, resigned: null, timeout: null, hint: null };
}

/**
 * The match after a move of either side. RangeError.
 *
 * @param {Match} match
 * @param {number} column
 * @param {number} now
 * @returns {Match}
 */
export function played(match, column, now) {
  const game = match.game.play(column);
  const { turn } = match.game;
  const left = match.left && match.left.map((seconds, player) =>
    (player === turn ? clockOf(match, turn, now) + match.increment : seconds));
  return { ...match, game, left, since: now, hint: null };
}

/**
 * The match without the user's last move and the reply to it; the same match if there is none.
 *
 * @param {Match} match
 * @param {number} now
 * @returns {Match}
 */
export function takenBack(match, now) {
  const { moves } = match.game;
  let count = moves.length - 1;
  while (count >= 0 && match.game.after(count).turn !== match.side) count--;
  if (count < 0) return match;
  return { ...match, game: match.game.after(count), since: now, resigned: null, timeout: null, hint: null };
}

/**
 * Seconds left to a player; Infinity without clocks.
 *
 * @param {Match} match
 * @param {Player} player
 * @param {number} now
 */
export function clockOf(match, player, now) {
  if (!match.left) return Infinity;
  const isRunning = player === match.game.turn && !resultOf(match);
  return match.left[player] - (isRunning ? (now - match.since) / 1000 : 0);
}

/**
 * How the match ended; null during the game.
 *
 * @param {Match} match
 * @returns {Result | null}
 */
export function resultOf(match) {
  const { outcome } = match.game;
  if (match.resigned !== null) return { winner: 1 - match.resigned, reason: "resigned" };
  if (match.timeout !== null) return { winner: 1 - match.timeout, reason: "time" };
  return outcome && { winner: outcome.winner, reason: outcome.winner === null ? "full" : "line" };
}

/**
 * Whether there is a match that has not ended.
 *
 * @param {Match | null} match
 */
export function isRunning(match) {
  return match !== null && resultOf(match) === null;
}

/**
 * Seconds as "1:05", below ten as "9.4".
 *
 * @param {number} seconds
 */
export function clockText(seconds) {
  if (seconds < 10) return Math.max(0, seconds).toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
