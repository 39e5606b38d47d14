/**
 * The opening book in words.
 *
 * @import { Game } from "./game.js"
 * @import { Opening, OpeningMove, Proof } from "./protocol.js"
 */

import { proven } from "./format.js";
import { counted, texts } from "./texts.js";

const TEXTS = texts.openingWords;

/**
 * The proof that an exact score is.
 *
 * @param {number} score
 * @returns {NonNullable<Proof>}
 */
export function proofOf(score) {
  return score > 0 ? "win" : score < 0 ? "loss" : "draw";
}

/**
 * The result of a move: "win in 41".
 *
 * @param {Pick<OpeningMove, "score" | "distance">} move
 */
export function resultOf({ score, distance }) {
  return proven({ proof: proofOf(score), distance, bound: "exact" });
}

/**
 * How many of the opponent's replies keep the result: "1 of 7 wins".
 *
 * @param {Pick<OpeningMove, "score" | "replies" | "holding">} move
 */
export function repliesOf({ score, replies, holding }) {
  if (replies === 0 || holding === null) return "–";
  if (score > 0) return TEXTS.allLose;
  return counted(texts.openingWords[score < 0 ? "winning" : "drawing"], holding, { replies });
}

/**
 * The moves of the book, the best first.
 *
 * @param {readonly OpeningMove[]} moves
 */
export function ranked(moves) {
  return [...moves].sort((one, other) => other.score - one.score);
}

/**
 * What the book does not know; "" if it knows all moves.
 *
 * @param {Opening} opening
 * @param {Game} game
 */
export function limitsOf({ moves }, game) {
  if (moves.length === game.legalColumns.length) return "";
  if (game.rules.width !== 7 || game.rules.height !== 6 || game.rules.connect !== 4 || !game.rules.diagonals) {
    return TEXTS.otherBoard;
  }
  return TEXTS.end;
}
