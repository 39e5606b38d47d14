/** A game against a level: whose turn it is, clocks, result. Nothing here draws. */

export const CLOCKS = [[0, "No clock"], [60, "1 min + 1 s"], [180, "3 min + 2 s"], [300, "5 min + 3 s"]];
const INCREMENTS = { 60: 1, 180: 2, 300: 3 };

/**
 * A match never changes: each move makes a new one.
 * game; level, {number, name}; side, the user's player; left, seconds on each player's clock, or null without one;
 * since, the time in milliseconds at which the clock of the player to move began to run; resigned, timeout: the player
 * who has lost by that, or null; hint, a column or null.
 */
export function newMatch(game, level, side, clock, now) {
  const left = clock ? [clock, clock] : null;
  return { game, level, side, left, increment: INCREMENTS[clock] ?? 0, since: now, resigned: null, timeout: null, hint: null };
}

/** The match after a move of either side. */
export function played(match, column, now) {
  const game = match.game.play(column);
  const left = match.left && [...match.left];
  if (left) left[match.game.turn] = clockOf(match, match.game.turn, now) + match.increment;
  return { ...match, game, left, since: now, hint: null };
}

/** The match without the user's last move and the reply to it; the same match if there is none. */
export function takenBack(match, now) {
  const { moves } = match.game;
  let count = moves.length - 1;
  while (count >= 0 && match.game.after(count).turn !== match.side) count--;
  if (count < 0) return match;
  return { ...match, game: match.game.after(count), since: now, resigned: null, timeout: null, hint: null };
}

/** Seconds left to a player. */
export function clockOf(match, player, now) {
  const isRunning = player === match.game.turn && !resultOf(match);
  return match.left[player] - (isRunning ? (now - match.since) / 1000 : 0);
}

/** {winner, reason}: winner is a player or null, reason one of "line", "full", "resigned", "time"; null while it goes on. */
export function resultOf(match) {
  const { outcome } = match.game;
  if (match.resigned !== null) return { winner: 1 - match.resigned, reason: "resigned" };
  if (match.timeout !== null) return { winner: 1 - match.timeout, reason: "time" };
  return outcome && { winner: outcome.winner, reason: outcome.winner === null ? "full" : "line" };
}

/** Seconds as "1:05", below ten as "9.4". */
export function clockText(seconds) {
  if (seconds < 10) return Math.max(0, seconds).toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
