/**
 * Two searches of a position compared, in words.
 *
 * @import { Analysis, Solution } from "./protocol.js"
 */

import { columns, whole } from "./format.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.compareWords;

/** @typedef {{ simulations: number, reply: Analysis | null }} Checkpoint null: not there yet */
/** @typedef {"best" | "holds" | "fails"} Mark */

/**
 * The move that a search plays.
 *
 * @param {Analysis} reply
 */
export function moveOf({ moveInfos }) {
  return moveInfos[0].move;
}

/**
 * What a search plays after more and more simulations: "After 20 simulations it plays 3, after 2,000 it plays 4."
 *
 * @param {readonly Checkpoint[]} checkpoints
 */
export function courseOf(checkpoints) {
  const parts = [];
  let last = -1;
  for (const { simulations, reply } of checkpoints) {
    if (!reply) break;
    const move = moveOf(reply);
    /** @type {string} */
    const count = parts.length ? whole(simulations) : fill(TEXTS.simulations, { simulations: whole(simulations) });
    if (move !== last) parts.push(fill(TEXTS.plays, { count, move: move + 1 }));
    last = move;
  }
  if (!parts.length) return "";
  const always = parts.length === 1 && checkpoints.every(({ reply }) => reply) ? TEXTS.always : "";
  const text = `${parts.join(", ")}${always}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The solver's answer: "The exact best move is 4."
 *
 * @param {Solution | null} solution
 */
export function exactOf(solution) {
  if (!solution || !solution.best.length) return "";
  return solution.best.length === 1 ? fill(TEXTS.exactMove, { columns: columns(solution.best) })
    : fill(TEXTS.exactMoves, { others: columns(solution.best.slice(0, -1)).replaceAll(" ", ", "),
      column: columns(solution.best.slice(-1)) });
}

/**
 * Whether a move is best, or at least keeps the result; null without the solver's scores.
 *
 * @param {number} move
 * @param {Solution | null} solution
 * @returns {Mark | null}
 */
export function markOf(move, solution) {
  const score = solution?.columns?.[move] ?? null;
  if (!solution || solution.score === null || score === null) return null;
  if (solution.best.includes(move)) return "best";
  return Math.sign(score) === Math.sign(solution.score) ? "holds" : "fails";
}

/**
 * The share of the visits by column; 0 for those that are full.
 *
 * @param {Analysis} reply
 * @param {number} width
 */
export function sharesOf({ moveInfos }, width) {
  const total = moveInfos.reduce((sum, { visits }) => sum + visits, 0) || 1;
  return Array.from({ length: width }, (_, column) =>
    (moveInfos.find(({ move }) => move === column)?.visits ?? 0) / total);
}
