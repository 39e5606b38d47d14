/**
 * What is proven of a position or of a move, from the point of view of the player to move: as a value, and in words.
 *
 * @import { Proof, Proven } from "protocol"
 */

import { fill, texts } from "./texts.js";

/** @type {NonNullable<Proof>[]} */
const PROOFS = ["loss", "draw", "win"];
/** @type {Proven} */
export const NOTHING = { proof: null, distance: null, bound: null };

/**
 * What is certain of a position: by the solver, or else by the search.
 *
 * @param {Proven | null} searched
 * @param {number | null} score the solver's
 * @param {number} emptyCells
 * @returns {Proven}
 */
export function certain(searched, score, emptyCells) {
  if (score === null) return searched ?? NOTHING;
  return { proof: proofOf(score), distance: pliesOf(score, emptyCells), bound: "exact" };
}

/** @param {number} score exact */
export function proofOf(score) {
  return PROOFS[Math.sign(score) + 1];
}

/** @param {Proof} proof as a value in [0, 1]; null: none */
export function exactValue(proof) {
  return proof === null ? null : PROOFS.indexOf(proof) / 2;
}

/**
 * Plies to the end of a game with that score for the player to move; like plies_of in solver/verdict.py.
 *
 * @param {number} score
 * @param {number} emptyCells
 */
export function pliesOf(score, emptyCells) {
  if (score === 0) return emptyCells;
  const plies = emptyCells + 2 - 2 * Math.abs(score);
  return plies % 2 === Number(score > 0) ? plies : plies - 1;
}

/** @param {Proven} known "win in 35", "loss in ≤ 36", "draw", or "" */
export function proven({ proof, distance, bound }) {
  if (!proof) return "";
  const word = texts.proofs[proof];
  if (proof === "draw" || distance === null) return word;
  return fill(texts.format.provenIn, { word, distance: `${bound === "exact" ? "" : "≤ "}${distance}` });
}

/** @param {Proven} known the same where there is little space: "W35", "L≤36", "D" */
export function provenShort({ proof, distance, bound }) {
  if (!proof) return "";
  const letter = texts.proofLetters[proof];
  if (proof === "draw" || distance === null) return letter;
  return `${letter}${bound === "exact" ? "" : "≤"}${distance}`;
}
