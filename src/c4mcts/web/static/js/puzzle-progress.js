/**
 * How a user does in puzzles: rating, streak, and which are solved. The browser keeps it.
 *
 * @import { Boxes } from "./plan-boxes.js"
 * @import { Puzzle, Theme } from "./protocol.js"
 */

import { storages, store, stored } from "./storage.js";
import { texts } from "./texts.js";

const TEXTS = texts.puzzleProgress;

/**
 * @typedef {object} Progress
 * @property {number} rating Elo, on the scale of the levels
 * @property {number} streak puzzles in a row that were solved at once
 * @property {number} longest such streak
 * @property {{ readonly [number: number]: boolean }} results by the numbers of the puzzles, from 1: whether each was
 *   solved at the first try
 * @property {Boxes} plan the positions of the plan to win
 * @property {Theme | ""} theme of the puzzles that the user wants; "": any
 */

const NAME = "c4mcts.puzzles";
const VERSION = 2;
const STEPS = [60, 30]; // how far a result moves the rating: the first FEW of them, the others
const FEW = 20;

/** @type {Readonly<Progress>} */
export const BEGINNING = Object.freeze({ rating: 300, streak: 0, longest: 0, theme: "",
  results: Object.freeze({}), plan: Object.freeze({}) });

/**
 * The progress after the first try at a puzzle; a puzzle that was tried before changes nothing.
 *
 * @param {Progress} progress
 * @param {number} number of the puzzle
 * @param {Pick<Puzzle, "rating">} puzzle
 * @param {boolean} isSolved
 * @returns {Progress}
 */
export function afterTry(progress, number, puzzle, isSolved) {
  const { rating, longest, results } = progress;
  if (number in results) return progress;
  const expected = 1 / (1 + 10 ** ((puzzle.rating - rating) / 400));
  const step = STEPS[Object.keys(results).length < FEW ? 0 : 1];
  const streak = isSolved ? progress.streak + 1 : 0;
  return { ...progress, rating: Math.round(rating + step * (Number(isSolved) - expected)), streak,
    longest: Math.max(longest, streak), results: { ...results, [number]: isSolved } };
}

/**
 * The number of the next puzzle: one of the theme that was not tried, close to the rating; then those that were failed,
 * then any.
 *
 * @param {Progress} progress
 * @param {readonly Puzzle[]} puzzles
 * @param {number} current the number of the puzzle that is not to come again
 * @param {() => number} random in [0, 1)
 */
export function nextPuzzle({ rating, results, theme }, puzzles, current, random = Math.random) {
  const numbers = puzzles.map((_, index) => index + 1).filter((number) =>
    number !== current && (theme === "" || puzzles[number - 1].themes.includes(theme)));
  const rank = (/** @type {number} */ number) => (number in results ? (results[number] ? 2 : 1) : 0);
  const least = Math.min(...numbers.map(rank));
  const distance = (/** @type {number} */ number) => Math.abs(puzzles[number - 1].rating - rating);
  const wanted = numbers.filter((number) => rank(number) === least);
  const nearest = Math.min(...wanted.map(distance));
  const found = wanted.filter((number) => distance(number) === nearest);
  return found[Math.floor(random() * found.length)] ?? current;
}

/**
 * @param {Progress} progress
 */
export function pack(progress) {
  return JSON.stringify({ version: VERSION, ...progress });
}

/**
 * The progress in a text. Throws an error of any kind if it is not what `pack` makes.
 *
 * @param {string} text
 * @returns {Progress}
 */
export function unpack(text) {
  const { version, ...progress } = JSON.parse(text);
  if (version !== VERSION) throw new TypeError("of another version of the page");
  return progress;
}

/**
 * The stored progress; what can't be read is set aside, and `problem` says so.
 *
 * @returns {{ progress: Progress, problem: string }}
 */
export function loadProgress() {
  const { found, isUnread } = stored(NAME, unpack, storages().slice(-1));
  return { progress: found ?? BEGINNING, problem: isUnread ? TEXTS.unreadable : "" };
}

/** @param {Progress} progress */
export function saveProgress(progress) {
  store(NAME, pack(progress), storages().slice(-1));
}
