import assert from "node:assert/strict";
import { test } from "node:test";

import { errorOf, rowsOf } from "../../../src/c4mcts/page/static/js/exam.js";

/** @import { ExamQuestion, ReviewedMove } from "protocol" */

/** @type {ExamQuestion["theme"][]} */
const THEMES = ["win", "block", "double threat", "zugzwang", "opening"];
const QUESTIONS = THEMES.flatMap((theme) => Array.from({ length: 20 }, () => ({ moves: [], theme })));

test("the themes come in turn, and rows have the intervals of Wilson", () => {
  assert.deepEqual(rowsOf(QUESTIONS, ["", "", "", "", ""]).map(({ theme, n }) => [theme, n]),
    [...THEMES.map((theme) => [theme, 1]), ["all", 5]]);
  const right = [20, 20, 13, 11, 4]; // of level:3, for which c4mcts exam prints these intervals
  const errors = QUESTIONS.map((_, number) => {
    const theme = Math.floor(((21 * number) % 100) / 20);
    return right[theme]-- > 0 ? "" : "blunder";
  });
  assert.deepEqual(rowsOf(QUESTIONS, errors).map(({ low, high }) => [low, high].map((end) => Math.round(100 * end))),
    [[84, 100], [84, 100], [43, 82], [34, 74], [8, 42], [58, 76]]);
  assert.deepEqual(rowsOf(QUESTIONS, []), []);
});

test("an error is an oversight, or the kind of a move that changes the result", () => {
  const move = (/** @type {Partial<ReviewedMove>} */ facts) => errorOf(/** @type {ReviewedMove} */ (facts));
  assert.equal(move({ kind: "blunder", oversight: "unblocked threat" }), "unblocked threat");
  assert.equal(move({ kind: "mistake", oversight: null }), "mistake");
  assert.equal(move({ kind: "inaccuracy", oversight: null }), "");
});
