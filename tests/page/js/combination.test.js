import assert from "node:assert/strict";
import { test } from "node:test";

import { Combination, isCombination } from "../../../src/c4mcts/page/static/js/combination.js";
import { Game } from "../../../src/c4mcts/page/static/js/game.js";
import { solution } from "./fakes.js";

/**
 * @import { Puzzle } from "protocol"
 */

/** @type {Puzzle} */
const PUZZLE = { moves: [3, 3], line: [4, 0, 5], depth: 3, level: 3, rating: 0, themes: ["win"] };
const start = new Game(undefined, PUZZLE.moves);

/**
 * A combination whose solver has these scores of the columns, for each position, and the positions that it was asked.
 *
 * @param {(number | null)[] | null} columns
 */
function solving(columns) {
  /** @type {string[]} */
  const asked = [];
  const score = Math.max(...(columns ?? []).map((each) => each ?? -99));
  const best = [...(columns ?? []).keys()].filter((column) => columns?.[column] === score);
  const combination = new Combination(PUZZLE, start, async ({ moves }) => {
    asked.push(moves.join(""));
    return columns && solution({ score, distance: 3, columns, best });
  });
  return { combination, asked };
}

test("short wins are played to their end", () => {
  assert.ok(isCombination(PUZZLE));
  assert.ok(isCombination({ ...PUZZLE, depth: 11 }));
  assert.ok(!isCombination({ ...PUZZLE, depth: 13 }));
  assert.ok(!isCombination({ ...PUZZLE, themes: ["draw"] }));
});

test("along the line of the puzzle the solver is not asked", async () => {
  const { combination, asked } = solving(null);
  assert.equal(await combination.judge(4), "right");
  combination.play(4);
  assert.equal(await combination.answer(), 0);
  assert.deepEqual([combination.played, combination.position.moves], [2, [3, 3, 4, 0]]);
  assert.equal(await combination.judge(5), "right");
  assert.deepEqual(asked, []);
});

test("the first move is the only right one", async () => {
  const { combination, asked } = solving([9, 9, 9, 9, 9, 9, 9]);
  assert.equal(await combination.judge(0), "wrong");
  assert.deepEqual(asked, []);
});

test("later moves that win as fast are right, too, and slower ones are not wrong", async () => {
  const { combination, asked } = solving([-2, 0, 3, 18, null, 18, 1]);
  combination.play(4);
  await combination.answer();
  const judged = await Promise.all([0, 1, 2, 3, 5, 6].map((column) => combination.judge(column)));
  assert.deepEqual(judged, ["wrong", "wrong", "slower", "right", "right", "slower"]);
  assert.deepEqual(new Set(asked), new Set(["3340"]));
});

test("off the line the opponent's best move is the solver's", async () => {
  const { combination, asked } = solving([-2, -9, null, -9, -9, -9, -9]);
  combination.play(4);
  await combination.answer();
  combination.play(6); // not 5
  assert.equal(await combination.answer(), 0);
  assert.deepEqual(asked, ["33406"]);
});

test("without a solver only the line is known", async () => {
  const { combination } = solving(null);
  combination.play(4);
  await combination.answer();
  assert.equal(await combination.judge(2), "unknown");
  combination.play(2);
  assert.equal(await combination.answer(), null);
});
