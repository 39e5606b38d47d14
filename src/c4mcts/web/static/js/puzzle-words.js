/**
 * Puzzles in words.
 *
 * @import { Cell, Game } from "./game.js"
 * @import { Puzzle, Solution, Theme, Threat } from "./protocol.js"
 */

import { colourName, columns, sentence } from "./format.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.puzzleWords;

const { all, ...named } = TEXTS.themes;
export const THEMES = /** @type {[theme: Theme | "", name: string][]} */ ([["", all], ...Object.entries(named)]);
/** @type {Partial<Record<Theme, string>>} */
const MEANINGS = TEXTS.meanings;

/**
 * What is to be found.
 *
 * @param {Puzzle} puzzle
 * @param {Game} game
 * @param {boolean} flipped
 */
export function taskOf({ themes, depth }, game, flipped) {
  const name = sentence(colourName(game.turn, flipped));
  return themes.includes("win") ? fill(TEXTS.winTask, { name, depth }) : fill(TEXTS.drawTask, { name });
}

/**
 * What the right move does.
 *
 * @param {Puzzle} puzzle
 */
export function solutionOf({ themes, depth, line }) {
  return themes.includes("win") ? fill(TEXTS.winSolution, { column: line[0] + 1, depth })
    : fill(TEXTS.drawSolution, { column: line[0] + 1 });
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
  return fill(TEXTS.bestPlay, { columns: columns(line), more: themes.includes("win") ? "" : " …" });
}

/**
 * Why a move is wrong.
 *
 * @param {number} column
 * @param {Solution | null} reply the solver's for the position after it; null if it is not known
 */
export function refutationOf(column, reply) {
  if (reply === null || reply.score === null) return fill(TEXTS.notTheMove, { column: column + 1 });
  if (reply.score === 0) return fill(TEXTS.onlyDraws, { column: column + 1, columns: columns(reply.pv.slice(0, 1)) });
  const moves = counted(texts.counts.moves, reply.distance ?? 0);
  return fill(TEXTS.loses, { column: column + 1, moves, columns: columns(reply.pv.slice(0, 1)) });
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
