import assert from "node:assert/strict";
import { test } from "node:test";

import { Game } from "../../../src/c4mcts/page/static/js/game.js";
import { BEGINNING, afterTry, nextPuzzle, pack, unpack } from "../../../src/c4mcts/page/static/js/progress.js";
import { solutionWords, taskOf } from "../../../src/c4mcts/page/static/js/puzzles.js";
import { refutationOf } from "../../../src/c4mcts/page/static/js/trainer.js";
import { solution } from "./fakes.js";

/** @import { Puzzle, Theme } from "protocol" */

/**
 * @param {number} rating
 * @param {Theme[]} themes
 * @returns {Puzzle}
 */
const puzzle = (rating, themes = ["win"]) => ({ moves: [3, 3], line: [4, 0], depth: 5, level: 3, rating, themes });
const PUZZLES = [puzzle(100), puzzle(290), puzzle(310, ["draw"]), puzzle(900)];
const first = () => 0;

test("a solved puzzle raises the rating and the streak, a failed one lowers it and ends it", () => {
  const solved = afterTry(BEGINNING, 2, puzzle(300), true);
  assert.deepEqual([solved.rating, solved.streak, solved.longest, solved.results], [330, 1, 1, { 2: true }]);
  const failed = afterTry(solved, 3, puzzle(330), false);
  assert.deepEqual([failed.rating, failed.streak, failed.longest], [300, 0, 1]);
});

test("the first twenty results move the rating farther", () => {
  const results = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index + 1, true]));
  assert.equal(afterTry({ ...BEGINNING, results }, 21, puzzle(300), true).rating, 315);
});

test("the next puzzle is new, and close to the rating", () => {
  assert.equal(nextPuzzle(BEGINNING, PUZZLES, 0, first), 2);
  assert.equal(nextPuzzle(BEGINNING, PUZZLES, 2, first), 3);
  assert.equal(nextPuzzle({ ...BEGINNING, results: { 2: true, 3: false } }, PUZZLES, 0, first), 1);
});

test("when all were tried, those that were failed come first", () => {
  const results = { 1: true, 2: true, 3: true, 4: false };
  assert.equal(nextPuzzle({ ...BEGINNING, results }, PUZZLES, 0, first), 4);
  assert.equal(nextPuzzle({ ...BEGINNING, results }, PUZZLES, 4, first), 2);
});

test("the next puzzle has the theme that is wanted", () => {
  assert.equal(nextPuzzle({ ...BEGINNING, rating: 900, theme: "draw" }, PUZZLES, 0, first), 3);
  assert.equal(nextPuzzle({ ...BEGINNING, theme: "draw" }, PUZZLES, 3, first), 3, "the only one");
});

test("the progress that is stored comes back", () => {
  const progress = afterTry({ ...BEGINNING, theme: "zugzwang" }, 17, puzzle(300), true);
  assert.deepEqual(unpack(pack(progress)), progress);
});

test("what another version of the page has stored is refused", () => {
  assert.throws(() => unpack({ ...pack(BEGINNING), version: 3 }));
});

test("puzzles in words", () => {
  const game = new Game(undefined, [3, 3]);
  assert.equal(taskOf(puzzle(300), game, false), "Yellow wins in 5 moves");
  assert.equal(taskOf(puzzle(300, ["draw"]), game, true), "Red saves the draw");
  assert.deepEqual(solutionWords("Right: ", puzzle(300, ["win", "quiet move"])), ["Right: 5 wins in 5 moves.",
    "Quiet move: the first move does not threaten to win at once.", "Best play: 5 1"]);
  assert.deepEqual(solutionWords("", puzzle(300, ["draw"])), ["5 holds the draw.", "Best play: 5 1 …"]);
});

test("why a move is wrong", () => {
  const reply = solution({ score: 3, distance: 4, best: [1], pv: [1, 0] });
  assert.equal(refutationOf(0, reply), "1 loses in 5 moves: 2 answers it.");
  assert.equal(refutationOf(0, { ...reply, score: 0 }), "1 only draws: 2 answers it.");
  assert.equal(refutationOf(0, { ...reply, score: null }), "1 is not the move.");
  assert.equal(refutationOf(0, null), "1 is not the move.");
});
