/**
 * How a user does, which the browser keeps: in puzzles rating, streak, and which are solved; of openings and of the
 * user's mistakes, spaced repetition. Each position in which the user has chosen a move lies in a box, which says when
 * it comes again. A known move goes to the next box, one that was not known back to the first.
 *
 * @import { Game } from "./game.js"
 * @import { Puzzle, Theme } from "protocol"
 */

import { store, stored } from "./browser-storage.js";
import { texts } from "./texts.js";

const TEXTS = texts.puzzleProgress;

/** @typedef {{ readonly [position: string]: readonly [box: number, due: number] }} Boxes due: in milliseconds */
/**
 * @typedef {object} Progress
 * @property {number} rating Elo, on the scale of the levels
 * @property {number} streak puzzles in a row that were solved at once
 * @property {number} longest such streak
 * @property {{ readonly [number: number]: boolean }} results by the numbers of the puzzles, from 1: whether each was
 *   solved at the first try
 * @property {Boxes} plan the positions of the plan to win
 * @property {Boxes} planAfter1 after a first move in column 1
 * @property {Boxes} planAfter2
 * @property {Boxes} mistakes those in which the user has made one
 * @property {readonly string[]} exam the kinds of errors in its answers so far; "" for a right one
 * @property {Theme | ""} theme of the puzzles that the user wants; "": any
 */

const NAME = "c4mcts.puzzles";
const VERSION = 2;
const STEPS = [60, 30]; // how far a result moves the rating: the first FEW of them, the others
const FEW = 20;
const DAY = 86_400_000;
const WAITS = [0, 1, 3, 7, 16, 35]; // days until a position of each box is asked again

/** @type {Readonly<Progress>} */
export const BEGINNING = Object.freeze({ rating: 300, streak: 0, longest: 0, theme: "",
  results: Object.freeze({}), exam: [], plan: Object.freeze({}), planAfter1: Object.freeze({}),
  planAfter2: Object.freeze({}), mistakes: Object.freeze({}) });

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
 * The boxes after the first try in a position.
 *
 * @param {Boxes} boxes
 * @param {string} position
 * @param {boolean} isKnown
 * @param {number} now
 * @returns {Boxes}
 */
export function afterAnswer(boxes, position, isKnown, now) {
  const box = isKnown ? Math.min((boxes[position]?.[0] ?? 0) + 1, WAITS.length - 1) : 0;
  return { ...boxes, [position]: [box, now + WAITS[box] * DAY] };
}

/**
 * Whether a position is to be asked: it is new, or its time has come.
 *
 * @param {Boxes} boxes
 * @param {string} position
 * @param {number} now
 */
export function isDue(boxes, position, now) {
  return !(position in boxes) || boxes[position][1] <= now;
}

/**
 * Which of the positions that may follow comes next: one whose time has come, it or one after it; else a new one; else
 * any.
 *
 * @param {Boxes} boxes
 * @param {readonly string[]} positions as texts with which the positions after them begin
 * @param {number} now
 * @param {() => number} random in [0, 1)
 * @returns {number} its index
 */
export function nextIndex(boxes, positions, now, random = Math.random) {
  const due = Object.keys(boxes).filter((position) => boxes[position][1] <= now);
  const ranks = positions.map((start) => (due.some((each) => each.startsWith(start)) ? 0 : start in boxes ? 2 : 1));
  const best = ranks.flatMap((rank, index) => (rank === Math.min(...ranks) ? [index] : []));
  return best[Math.floor(random() * best.length)];
}

/** @param {Progress} progress */
export function pack(progress) {
  return { version: VERSION, ...progress };
}

/**
 * @param {ReturnType<typeof pack>} packed TypeError if it was packed by another version of the page
 * @returns {Progress}
 */
export function unpack({ version, ...progress }) {
  if (version !== VERSION) throw new TypeError("of another version of the page");
  return { ...BEGINNING, ...progress };
}

/**
 * The stored progress; what can't be read is set aside, and `problem` says so.
 *
 * @returns {{ progress: Progress, problem: string }}
 */
export function loadProgress() {
  const { found, isUnread } = stored(NAME, unpack);
  return { progress: found ?? BEGINNING, problem: isUnread ? TEXTS.unreadable : "" };
}

/** @param {Partial<Progress>} fields that have changed */
export function saveProgress(fields) {
  store(NAME, pack({ ...loadProgress().progress, ...fields }));
}

/** @param {Game} position its columns, a character each */
export function keyOf({ moves }) {
  return moves.map((column) => column.toString(36)).join("");
}
