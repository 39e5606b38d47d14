/** What is known of each move: the search's belief, and what is certain by the solver or by the search's proofs. */

import { pliesOf } from "./format.js";

/**
 * A list of {column, visits, value, pv, isBest, proof, distance, score, isExactBest}, the search's best move first.
 * reply: of a search, or null. solution: of the solver, or null. score and isExactBest are the solver's, or null, false.
 */
export function knownMoves(game, reply, solution) {
  const empty = game.rules.width * game.rules.height - game.discs;
  const scoreOf = (column) => solution?.columns?.[column] ?? null;
  const fromSolver = (column) => ({ move: column, order: column, visits: 0, winrate: null, pv: [], proof: null, distance: null });
  const infos = reply?.moveInfos ?? (solution ? game.legalColumns.map(fromSolver) : []);
  return infos.map((info) => {
    const score = scoreOf(info.move);
    const exact = score === null ? null : { proof: ["loss", "draw", "win"][Math.sign(score) + 1], distance: pliesOf(score, empty) };
    return {
      column: info.move,
      visits: info.visits,
      value: info.winrate,
      pv: info.pv,
      isBest: reply !== null && info.order === 0,
      score,
      isExactBest: solution?.best.includes(info.move) ?? false,
      ...(exact ?? { proof: info.proof, distance: info.distance }),
    };
  });
}

/** The bars over the columns, see Bars.show; null for columns that are full. */
export function barsOf(moves, width) {
  const most = Math.max(1, ...moves.map((move) => move.visits));
  const bars = Array(width).fill(null);
  for (const move of moves) bars[move.column] = { ...move, share: move.visits / most };
  return bars;
}
