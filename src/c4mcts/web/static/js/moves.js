/**
 * The knowledge about each move: the search's estimate, and results that the solver or the search has proven.
 *
 * @import { Game, Player } from "./game.js"
 * @import { Analysis, MoveInfo, Proof, Solution } from "./protocol.js"
 */

import { pliesOf } from "./format.js";

/**
 * @typedef {object} KnownMove
 * @property {number} column
 * @property {number} visits
 * @property {number | null} value
 * @property {readonly number[]} pv
 * @property {boolean} isBest whether it is the search's first choice
 * @property {Proof} proof by the solver, or else by the search
 * @property {number | null} distance
 * @property {number | null} score the solver's
 * @property {boolean} isExactBest whether the solver knows of no better one
 */
/** @typedef {KnownMove & { share: number }} Bar share: the visits as a share of the most visits that a move has. */
/**
 * A disc that is not on the board, but could be.
 *
 * @typedef {object} Ghost
 * @property {number} column
 * @property {number} row
 * @property {Player} player
 * @property {number | ""} [text]
 */

/** @type {Proof[]} */
const PROOFS = ["loss", "draw", "win"];

/**
 * The moves with the knowledge about them, the search's best first.
 *
 * @param {Game} game
 * @param {Analysis | null} reply of a search
 * @param {Solution | null} solution of the solver
 * @returns {KnownMove[]}
 */
export function knownMoves(game, reply, solution) {
  const empty = game.rules.width * game.rules.height - game.discs;
  const infos = reply?.moveInfos ?? (solution ? game.legalColumns.map(unsearched) : []);
  return infos.map((info) => {
    const score = solution?.columns?.[info.move] ?? null;
    const exact = score === null ? info : { proof: PROOFS[Math.sign(score) + 1], distance: pliesOf(score, empty) };
    return {
      column: info.move,
      visits: info.visits,
      value: info.winrate,
      pv: info.pv,
      isBest: reply !== null && info.order === 0,
      proof: exact.proof,
      distance: exact.distance,
      score,
      isExactBest: solution?.best.includes(info.move) ?? false,
    };
  });
}

/**
 * @param {number} column
 * @returns {MoveInfo}
 */
function unsearched(column) {
  return { move: column, order: column, visits: 0, winrate: null, pv: [], proof: null, distance: null };
}

/**
 * The bars over the columns; null for columns that are full.
 *
 * @param {KnownMove[]} moves
 * @param {number} width
 */
export function barsOf(moves, width) {
  const most = Math.max(1, ...moves.map((move) => move.visits));
  /** @type {(Bar | null)[]} */
  const bars = Array(width).fill(null);
  for (const move of moves) bars[move.column] = { ...move, share: move.visits / most };
  return bars;
}

/**
 * The first discs of a line, numbered, as far as it can be played.
 *
 * @param {Game} game
 * @param {readonly number[]} line columns
 * @param {number} count
 */
export function ghostsOf(game, line, count) {
  /** @type {Required<Ghost>[]} */
  const ghosts = [];
  let position = game;
  for (const column of line.slice(0, count)) {
    if (position.refusal(column)) break;
    const [row, player] = [position.columns[column].length, position.turn];
    ghosts.push({ column, row, player, text: ghosts.length + 1 });
    position = position.play(column);
  }
  return ghosts;
}
