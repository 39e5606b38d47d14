/**
 * Puzzles in words.
 *
 * @import { Cell, Game } from "./game.js"
 * @import { Puzzle, Solution, Theme, Threat } from "./protocol.js"
 */

import { colour, columns, counted, sentence } from "./format.js";

/** @type {[theme: Theme | "", name: string][]} */
export const THEMES = [["", "All themes"], ["win", "Win"], ["draw", "Save the draw"],
  ["double threat", "Double threat"], ["stacked threats", "Stacked threats"], ["zugzwang", "Zugzwang"],
  ["odd threat", "Odd threat"], ["even threat", "Even threat"], ["forced replies", "Forced replies"],
  ["quiet move", "Quiet move"]];
/** @type {Partial<Record<Theme, string>>} */
const MEANINGS = {
  "double threat": "Double threat: at the end two winning moves at once, of which one can be stopped.",
  "stacked threats": "Stacked threats: at the end, stopping one winning move allows another on top of it.",
  zugzwang: "Zugzwang: at the end nothing is threatened, but each move allows a winning one on top of it.",
  "odd threat": "Odd threat: the last cell lies in an odd row, counted from below.",
  "even threat": "Even threat: the last cell lies in an even row, counted from below.",
  "forced replies": "Forced replies: each move threatens to win at once.",
  "quiet move": "Quiet move: the first move does not threaten to win at once.",
};

/**
 * What is to be found.
 *
 * @param {Puzzle} puzzle
 * @param {Game} game
 * @param {boolean} flipped
 */
export function taskOf({ themes, depth }, game, flipped) {
  const name = sentence(colour(game.turn, flipped));
  return themes.includes("win") ? `${name} wins in ${depth} moves` : `${name} saves the draw`;
}

/**
 * What the right move does.
 *
 * @param {Puzzle} puzzle
 */
export function solutionOf({ themes, depth, line }) {
  return themes.includes("win") ? `${line[0] + 1} wins in ${depth} moves` : `${line[0] + 1} holds the draw`;
}

/**
 * What the themes mean.
 *
 * @param {Puzzle} puzzle
 */
export function meanings({ themes }) {
  return themes.flatMap((theme) => MEANINGS[theme] ?? []);
}

/**
 * The line of best play, which goes to the end of the game if that is won.
 *
 * @param {Puzzle} puzzle
 */
export function lineOf({ themes, line }) {
  return `Best play: ${columns(line)}${themes.includes("win") ? "" : " …"}`;
}

/**
 * Why a move is wrong.
 *
 * @param {number} column
 * @param {Solution | null} reply the solver's for the position after it; null if it is not known
 */
export function refutationOf(column, reply) {
  if (reply === null || reply.score === null) return `${column + 1} is not the move.`;
  if (reply.score === 0) return `${column + 1} only draws: ${columns(reply.pv.slice(0, 1))} answers it.`;
  const moves = counted(reply.distance ?? 0, "move", "moves");
  return `${column + 1} loses in ${moves}: ${columns(reply.pv.slice(0, 1))} answers it.`;
}

/**
 * The cell in which a puzzle is won by zugzwang: the last one of its line.
 *
 * @param {Puzzle} puzzle
 * @param {Game} game
 * @returns {Threat | null}
 */
export function zugzwangOf({ themes, line }, game) {
  if (!themes.includes("zugzwang")) return null;
  const cell = /** @type {Cell} */ (line.reduce((position, column) => position.play(column), game).last);
  return { player: game.turn, cell, isOdd: themes.includes("odd threat") };
}
