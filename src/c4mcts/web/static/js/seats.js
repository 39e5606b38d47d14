/**
 * Who plays a side, in words; and the moves of those who are not people.
 *
 * @import { Connection } from "./connection.js"
 * @import { Player, Rules } from "./game.js"
 * @import { Match, Opinion, Seat } from "./match.js"
 */

import { colourName, columns, proven, rating, sentence, value, whole } from "./format.js";
import { STANDARD } from "./game.js";
import { onlyPerson } from "./match.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.seats;
const SHOWN = 6; // moves of a line that an engine expects

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
  if (!isStandard) return TEXTS.notMeasured;
  return fill(TEXTS.elo, { elo: rating(elo), ability: TEXTS.levels[number - 1] });
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
  if (seat === null) return onlyPerson(match) === null ? sentence(colourName(player, flipped)) : TEXTS.you;
  return programName(seat);
}

/** @param {NonNullable<Seat>} seat */
export function programName(seat) {
  if ("number" in seat) return fill(TEXTS.levelName, { number: seat.number, name: levelName(seat) });
  return fill(TEXTS.engineName, { preset: seat.preset, visits: whole(seat.visits) });
}

/**
 * The name of a level; the server's for one that the page does not know.
 *
 * @param {{ number: number, name: string }} level
 */
export function levelName({ number, name }) {
  return TEXTS.levelNames[number - 1] ?? name;
}

/**
 * An engine's opinion.
 *
 * @param {Opinion} opinion
 */
export function opinionText(opinion) {
  const worth = opinion.proof ? proven(opinion) : value(opinion.value);
  const more = opinion.pv.length > SHOWN ? " …" : "";
  return fill(TEXTS.opinion, { worth, columns: columns(opinion.pv.slice(0, SHOWN)), more });
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
