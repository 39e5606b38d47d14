/**
 * The knowledge about each move: the search's estimate, and results that the solver or the search has proven.
 *
 * @import { Game, Player } from "./game.js"
 * @import { Analysis, MoveInfo, Proven, Solution } from "protocol"
 */

import { NOTHING, certain, pliesOf } from "./verdict.js";

/**
 * @typedef {object} SearchedMove
 * @property {number} column
 * @property {number | null} score the solver's, for the player to move
 * @property {number} visits
 * @property {number | null} value the search's; exact if the search has proven it
 * @property {readonly number[]} pv
 * @property {boolean} isCut whether the line of a proven move, which is best play, ends before the game does
 * @property {boolean} isBest whether it is the move to play
 */
/** @typedef {SearchedMove & Proven} KnownMove proven: by the solver, or else by the search */
/** @typedef {KnownMove & { share: number }} Bar share: the visits as a share of the most visits that a move has. */
/**
 * A disc that is not on the board, but could be.
 *
 * @typedef {object} Ghost
 * @property {number} column
 * @property {number} row
 * @property {Player} player
 * @property {number | string} [text]
 */

/**
 * The moves with the knowledge about them, the best first: by the solver's scores and line, then in the search's order.
 * The first move has the solver's line, of which the explanation speaks, and not one of the search.
 *
 * @param {Game} game
 * @param {Analysis | null} reply of a search
 * @param {Solution | null} solution of the solver
 * @param {(column: number) => readonly number[] | null} [lineOf] a line of best play by its first move, if known
 * @param {readonly number[]} columns that may be played
 * @returns {KnownMove[]}
 */
export function knownMoves(game, reply, solution, lineOf = () => null, columns = game.legalColumns) {
  const scoreOf = (/** @type {MoveInfo} */ info) => solution?.columns?.[info.move] ?? null;
  const infos = reply?.moveInfos ?? columns.map((move) =>
    ({ move, order: move, visits: 0, winrate: null, prior: null, pv: [], ...NOTHING }));
  const line = solution?.pv ?? [];
  const isExpected = (/** @type {MoveInfo} */ info) => Number(info.move === line[0]);
  const ranked = [...infos].sort((one, other) => (scoreOf(other) ?? 0) - (scoreOf(one) ?? 0) ||
    isExpected(other) - isExpected(one) || one.order - other.order);
  return ranked.map((info, index) => {
    const known = certain(info, scoreOf(info), emptyCells(game));
    const isSearched = known.proof === null || info.bound === "exact"; // else the search only expects its line
    const pv = isExpected(info) ? line : lineOf(info.move) ?? (isSearched ? info.pv : [info.move]);
    return {
      column: info.move,
      score: scoreOf(info),
      visits: info.visits,
      value: info.winrate,
      pv,
      isCut: known.distance !== null && pv.length < known.distance,
      isBest: index === 0 && Boolean(reply || solution),
      ...known,
    };
  });
}

/**
 * The solution of a position in which some columns must not be played: the best among the others.
 *
 * @param {Solution} solution
 * @param {ReadonlySet<number>} without
 * @param {number} emptyCells
 * @returns {Solution}
 */
export function solutionWithout(solution, without, emptyCells) {
  if (!without.size || !solution.columns) return solution;
  const columns = solution.columns.map((score, column) => (without.has(column) ? null : score));
  const { pv, zugzwang, ...left } = solutionOf(columns, emptyCells);
  return { ...solution, ...left, ...(!left.best.includes(solution.pv[0]) && { pv, zugzwang }) };
}

/**
 * The solution of a position by the scores of its columns, without a line.
 *
 * @param {(number | null)[]} columns
 * @param {number} emptyCells
 * @returns {Solution & { score: number }}
 */
export function solutionOf(columns, emptyCells) {
  const score = Math.max(...columns.filter((each) => each !== null));
  const best = columns.flatMap((each, column) => (each === score ? [column] : []));
  return { columns, score, best, distance: pliesOf(score, emptyCells), pv: [], zugzwang: null };
}

/** @param {Game} game */
export function emptyCells({ rules, discs }) {
  return rules.width * rules.height - discs;
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
