/**
 * Who plays a side, in words; and the moves of those who are not people.
 *
 * @import { Connection } from "./connection.js"
 * @import { Player, Rules } from "./game.js"
 * @import { Match, Opinion, Seat } from "./match.js"
 */

import { colour, columns, proven, rating, sentence, value, whole } from "./format.js";
import { STANDARD } from "./game.js";
import { onlyPerson } from "./match.js";

const SHOWN = 6; // moves of a line that an engine expects

/** What each level is like, the first one first; docs/guide/levels.md has the figures behind it. */
const ABILITIES = [
  "Overlooks one threat in three and sees no traps. As strong as taking wins, stopping threats and otherwise playing " +
    "at random.",
  "Sees nearly all wins and threats, but only one trap in three.",
  "Sees three traps in four.",
  "Sees every trap. As strong as plain UCT with 100 simulations per move.",
  "Between plain UCT with 100 and with 1,000 simulations per move.",
  "Nearly as strong as plain UCT with 1,000 simulations per move.",
  "Stronger than plain UCT with 1,000 simulations per move.",
  "Stronger than plain UCT with 10,000 simulations per move.",
  "A search of a millisecond. Wins seven points in ten against level 8.",
  "Plays by exact scores: it never gives away a win or a draw.",
];

/**
 * What a level is.
 *
 * @param {number} number from 1
 * @param {number} elo
 * @param {Rules} rules on which it plays; ratings are known on the usual board only
 */
export function levelText(number, elo, { width, height, connect, diagonals }) {
  const isStandard = diagonals && width === STANDARD.width && height === STANDARD.height &&
    connect === STANDARD.connect;
  if (!isStandard) return "Its strength on this board has not been measured.";
  return `Elo ${rating(elo)}. ${ABILITIES[number - 1]}`;
}

/**
 * The name of a player.
 *
 * @param {Pick<Match, "seats">} match
 * @param {Player} player
 * @param {boolean} flipped
 */
export function nameOf(match, player, flipped) {
  const seat = match.seats[player];
  if (seat === null) return onlyPerson(match) === null ? sentence(colour(player, flipped)) : "You";
  return programName(seat);
}

/** @param {NonNullable<Seat>} seat */
export function programName(seat) {
  return "number" in seat ? `Level ${seat.number}, ${seat.name}` : `${seat.preset}, ${whole(seat.visits)} simulations`;
}

/**
 * An engine's opinion.
 *
 * @param {Opinion} opinion
 */
export function opinionText(opinion) {
  const worth = opinion.proof ? proven(opinion) : value(opinion.value);
  const more = opinion.pv.length > SHOWN ? " …" : "";
  return `${worth}, expects ${columns(opinion.pv.slice(0, SHOWN))}${more}`;
}

/**
 * Ask for the move of the player to move, who must not be a person. RequestError.
 *
 * @param {Pick<Connection, "request">} connection
 * @param {Match} match
 * @returns {Promise<{ column: number, opinion: Opinion | null }>}
 */
export async function askForMove(connection, { game, seats }) {
  const seat = /** @type {NonNullable<Seat>} */ (seats[game.turn]);
  if ("number" in seat) {
    const { move } = await connection.request({ action: "play", ...game.query, level: seat.number });
    return { column: move, opinion: null };
  }
  const { preset, visits: maxVisits } = seat;
  const found = await connection.request({ action: "analyze", ...game.query, preset, maxVisits });
  const [best] = found.moveInfos;
  const { winrate, proof, distance, bound } = found.rootInfo;
  return { column: best.move, opinion: { value: winrate, proof, distance, bound, pv: best.pv } };
}
