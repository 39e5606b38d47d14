/**
 * A game of two players, people or programs: whose turn it is, clocks, result.
 *
 * @import { Game, Player } from "./game.js"
 * @import { Proven } from "protocol"
 */

import { decimal } from "./format.js";
import { texts } from "./texts.js";

const TEXTS = texts.match;

/** @typedef {{ number: number }} Level From 1. */
/**
 * @typedef {{ preset: string, visits: number }} Engine A search with that number of simulations for each move; 0: the
 *   network of the preset plays its most probable column, without a search.
 */
/** @typedef {Level | Engine | null} Seat Who plays a side; null: a person at the screen. */
/** @typedef {Proven & { value: number | null, pv: readonly number[] }} Opinion Of an engine, from its point of view. */
/** @typedef {"line" | "full board" | "resignation" | "time"} End How a game ended, as in files. */
/** @typedef {{ winner: Player | null, end: End }} Result winner null: a draw. */
/**
 * Immutable: each move makes a new match.
 *
 * @typedef {object} Match
 * @property {number} begun the time in milliseconds, which tells matches apart
 * @property {Game} game
 * @property {readonly Seat[]} seats by player
 * @property {readonly (Opinion | null)[]} opinions of each engine when it moved last, by player
 * @property {number[] | null} left seconds on each player's clock at the time `since`; null without clocks
 * @property {{ readonly [ply: number]: number[] | null }} [past] `left` at each earlier turn
 * @property {number} increment seconds added for each move
 * @property {number | null} since the time in milliseconds at which the clock of the player to move began to run; null
 *   during a pause
 * @property {Player | null} resigned who has lost by that
 * @property {Player | null} timeout who has lost by that
 * @property {number | null} hint a column
 */

/** @type {[seconds: number, text: string][]} */
export const CLOCKS = [[0, TEXTS.noClock], [60, TEXTS.oneMinute], [180, TEXTS.threeMinutes], [300, TEXTS.fiveMinutes]];
/** @type {Record<number, number>} */
const INCREMENTS = { 60: 1, 180: 2, 300: 3 };

/**
 * @param {Game} game
 * @param {readonly Seat[]} seats by player
 * @param {number} clock seconds, see CLOCKS; 0: none
 * @param {number} now
 * @returns {Match}
 */
export function newMatch(game, seats, clock, now) {
  const left = clock ? [clock, clock] : null;
  const increment = INCREMENTS[clock] ?? 0;
  return { begun: now, game, seats, opinions: [null, null], left, increment, since: now, resigned: null, timeout: null,
    hint: null };
}

/** @param {Match} match */
export function isPersonsTurn({ game, seats }) {
  return seats[game.turn] === null;
}

/**
 * @param {Pick<Match, "seats">} match
 * @returns {Player | null}
 */
export function onlyPerson({ seats: [first, second] }) {
  if ((first === null) === (second === null)) return null;
  return first === null ? 0 : 1;
}

/**
 * @param {Match} match
 * @param {number} column
 * @param {number} now
 * @param {Opinion | null} opinion of the engine that moved
 * @returns {Match}
 */
export function played(match, column, now, opinion = null) {
  const game = match.game.play(column);
  const { turn } = match.game;
  const opinions = opinion ? match.opinions.with(turn, opinion) : match.opinions;
  const left = clocksOf(match, now);
  if (left) left[turn] += match.increment;
  const past = { ...match.past, [match.game.moves.length]: match.left };
  return { ...match, game, opinions, left, past, since: now, hint: null };
}

/**
 * The match before the last move of a person, without the reply to it, and with the clocks as they were; the same match
 * if there is none.
 *
 * @param {Match} match
 * @param {number} now
 * @returns {Match}
 */
export function takenBack(match, now) {
  const { moves } = match.game;
  let count = moves.length - 1;
  while (count >= 0 && match.seats[match.game.after(count).turn] !== null) count--;
  if (count < 0) return match;
  const left = match.past?.[count] ?? match.left;
  return { ...match, game: match.game.after(count), left, since: now, resigned: null, timeout: null, hint: null };
}

/**
 * The match with its clocks stopped, or going again.
 *
 * @param {Match} match
 * @param {number} now
 * @returns {Match}
 */
export function paused(match, now) {
  return { ...match, left: clocksOf(match, now), since: match.since === null ? now : null };
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
  const since = player === match.game.turn && !resultOf(match) ? match.since ?? now : now;
  return match.left[player] - (now - since) / 1000;
}

/**
 * Seconds left to each player; null without clocks.
 *
 * @param {Match} match
 * @param {number} now
 */
export function clocksOf(match, now) {
  return match.left && [0, 1].map((player) => clockOf(match, player, now));
}

/**
 * @param {Match} match
 * @returns {Result | null}
 */
export function resultOf(match) {
  const { outcome } = match.game;
  if (match.resigned !== null) return { winner: 1 - match.resigned, end: "resignation" };
  if (match.timeout !== null) return { winner: 1 - match.timeout, end: "time" };
  return outcome && { winner: outcome.winner, end: outcome.winner === null ? "full board" : "line" };
}

/** @param {Match | null} match */
export function isRunning(match) {
  return match !== null && resultOf(match) === null;
}

/** @param {number} seconds as "1:05", below ten as "9.4" */
export function clockText(seconds) {
  if (seconds < 10) return decimal(Math.max(0, seconds), 1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
