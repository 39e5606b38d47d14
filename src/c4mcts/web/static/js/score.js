/**
 * The score of the session: the results of its matches.
 *
 * @import { Player } from "./game.js"
 * @import { Match, Seat } from "./match.js"
 * @import { Store } from "./store.js"
 */

import { resultOf } from "./match.js";
import { nameOf } from "./seats.js";
import { counted, texts } from "./texts.js";

/** @typedef {{ begun: number, seats: readonly Seat[], winner: Player | null }} Ended A match that has ended. */

const KEPT = 1000; // matches

/**
 * Keep the results of the state up to date: an end that is undone does not count.
 *
 * @param {Store} store
 */
export function keepScore(store) {
  store.subscribe(({ match, results }, before) => {
    if (!match || match === before.match) return;
    const others = results.filter(({ begun }) => begun !== match.begun);
    const result = resultOf(match);
    const { begun, seats } = match;
    if (result) store.update({ results: [...others, { begun, seats, winner: result.winner }].slice(-KEPT) });
    else if (others.length < results.length) store.update({ results: others });
  });
}

/**
 * The score of the players of a match against each other, whichever side they had: "You: 2  ·  Level 3, Improver: 1  ·
 * 1 draw"; "" before the first result.
 *
 * @param {readonly Ended[]} results
 * @param {Match} match
 * @param {boolean} flipped
 */
export function scoreText(results, match, flipped) {
  const [one, other] = match.seats.map(keyOf);
  const played = results.filter(({ seats }) => isSamePair(seats.map(keyOf), [one, other]));
  if (!played.length) return "";
  const wins = [0, 0];
  for (const { seats, winner } of played) {
    if (winner === null) continue;
    wins[one === other ? winner : [one, other].indexOf(keyOf(seats[winner]))]++;
  }
  const draws = played.length - wins[0] - wins[1];
  const names = [0, 1].map((player) => `${nameOf(match, player, flipped)}: ${wins[player]}`);
  return [...names, counted(texts.counts.draws, draws)].join("  ·  ");
}

/** @param {Seat} seat */
function keyOf(seat) {
  return JSON.stringify(seat);
}

/**
 * @param {string[]} pair
 * @param {string[]} other
 */
function isSamePair(pair, other) {
  return pair.toSorted().join() === other.toSorted().join();
}
