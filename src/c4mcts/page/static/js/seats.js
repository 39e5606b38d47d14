/**
 * Who plays a side, in words; the moves of those who are not people; and the results of their matches.
 *
 * @import { Connection, Running } from "./connection.js"
 * @import { Player, Rules } from "./game.js"
 * @import { Match, Opinion, Seat } from "./match.js"
 * @import { Store } from "./store.js"
 */

import { columns, playerName, rating, value, whole } from "./format.js";
import { isStandard } from "./game.js";
import { onlyPerson, resultOf } from "./match.js";
import { counted, fill, texts } from "./texts.js";
import { proven } from "./verdict.js";

const TEXTS = texts.seats;
const SHOWN = 6; // moves of a line that an engine expects
const KEPT = 1000; // results

/** @typedef {{ begun: number, seats: readonly Seat[], winner: Player | null }} Ended A match that has ended. */

/**
 * @param {number} number from 1
 * @param {number} elo
 * @param {Rules} rules on which it plays; ratings are known on the usual board only
 */
export function strengthText(number, elo, rules) {
  if (!isStandard(rules)) return TEXTS.notMeasured;
  return fill(TEXTS.elo, { number, elo: rating(elo), ability: TEXTS.strengths[number - 1] });
}

/**
 * @param {Pick<Match, "seats">} match
 * @param {Player} player
 * @param {boolean} flipped
 */
export function nameOf(match, player, flipped) {
  const seat = match.seats[player];
  if (seat === null) return onlyPerson(match) === null ? playerName(player, flipped) : TEXTS.you;
  if ("number" in seat) return fill(TEXTS.levelName, { number: seat.number, name: levelName(seat.number) });
  if (!seat.visits) return TEXTS.network;
  return fill(TEXTS.engineName, { preset: seat.preset, visits: whole(seat.visits) });
}

/**
 * How a level plays; the mistakes of the strongest two are known on the usual board only.
 *
 * @param {number} number
 * @param {Rules} rules
 */
export function levelText(number, rules) {
  return number < 9 || isStandard(rules) ? TEXTS.levels[number - 1] : TEXTS.notMeasured;
}

/** @param {number} number of a level */
export function levelName(number) {
  return TEXTS.levelNames[number - 1];
}

/** @param {Opinion} opinion */
export function opinionText(opinion) {
  const worth = opinion.proof ? proven(opinion) : value(opinion.value);
  const more = opinion.pv.length > SHOWN ? " …" : "";
  return fill(TEXTS.opinion, { worth, columns: columns(opinion.pv.slice(0, SHOWN)), more });
}

/**
 * Ask for the move of the player to move, who must not be a person.
 *
 * @param {Pick<Connection, "stream">} connection
 * @param {Match} match
 * @returns {Running<{ column: number, opinion: Opinion | null }>}
 */
export function askForMove(connection, { game, seats }) {
  const seat = /** @type {NonNullable<Seat>} */ (seats[game.turn]);
  if ("number" in seat) {
    const { done, stop } = connection.stream({ action: "play", ...game.query, level: seat.number });
    return { done: done.then(({ move }) => ({ column: move, opinion: null })), stop };
  }
  const { preset, visits } = seat;
  const { done, stop } = connection.stream({ action: "analyze", ...game.query, preset, maxVisits: visits || 1 });
  const bare = () => done.then(({ moveInfos }) => ({ column: mostProbable(moveInfos), opinion: null }));
  if (!visits) return { done: bare(), stop };
  const move = done.then(({ moveInfos: [best], rootInfo: { winrate, proof, distance, bound } }) =>
    ({ column: best.move, opinion: { value: winrate, proof, distance, bound, pv: best.pv } }));
  return { done: move, stop };
}

/**
 * The column that a network prefers; of equal ones the leftmost.
 *
 * @param {readonly { move: number, prior: number | null }[]} moves
 */
function mostProbable(moves) {
  return moves.toSorted((one, other) => (other.prior ?? 0) - (one.prior ?? 0) || one.move - other.move)[0].move;
}

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
  const pair = [one, other].toSorted().join();
  const played = results.filter(({ seats }) => seats.map(keyOf).toSorted().join() === pair);
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
