import assert from "node:assert/strict";
import { test } from "node:test";

import { courseOf, exactOf, markOf, sharesOf } from "../../../src/c4mcts/page/static/js/compare.js";
import { refusalOf } from "../../../src/c4mcts/page/static/js/fields.js";
import { analysis, solution } from "./fakes.js";

/** The results of searches that play these columns, counted from 0; null: not there yet. */
const course = (/** @type {(number | null)[]} */ ...moves) => moves.map((move) =>
  (move === null ? null : analysis([{ move, visits: 3 }])));
/** @param {(number | null)[]} columns */
const solved = (columns) => {
  const score = Math.max(...columns.map((each) => each ?? -99));
  const best = [...columns.keys()].filter((column) => columns[column] === score);
  return solution({ score, distance: 9, columns, best });
};

test("what a search plays after more and more simulations", () => {
  assert.equal(courseOf(course(2, 2, 3, 3)), "After 20 simulations it plays 3, after 2,000 it plays 4.");
  assert.equal(courseOf(course(2, 3, 2, null)),
    "After 20 simulations it plays 3, after 200 it plays 4, after 2,000 it plays 3.");
  assert.equal(courseOf(course(2, 2)), "After 20 simulations it plays 3, and so it does after more.");
  assert.equal(courseOf(course(2, null)), "After 20 simulations it plays 3.");
  assert.equal(courseOf(course(null)), "");
});

test("the exact answer", () => {
  assert.equal(exactOf(solved([-1, 1, null])), "The exact best move is 2.");
  assert.equal(exactOf(solved([2, 1, 2, 2])), "The exact best moves are 1, 3 and 4.");
  assert.equal(exactOf(null), "");
});

test("a move is best, or keeps the result, or gives it away", () => {
  const found = solved([3, 1, 0, -2, null]);
  assert.deepEqual([0, 1, 2, 3, 4].map((move) => markOf(move, found)), ["best", "holds", "fails", "fails", null]);
  assert.equal(markOf(0, null), null);
});

test("the share of the visits by column", () => {
  assert.deepEqual(sharesOf(analysis([{ move: 2, visits: 3 }, { move: 0, visits: 1 }]), 4), [0.25, 0, 0.75, 0]);
  assert.deepEqual(sharesOf(analysis([{ move: 1, visits: 0 }]), 2), [0, 0]);
});

test("an exploration factor out of range is refused in words", () => {
  for (const text of ["", " ", "0", "0.3", "0,3", "10"]) assert.equal(refusalOf(text), null);
  assert.equal(refusalOf("50"), "The exploration factor c is a number from 0 to 10, not 50.");
  assert.equal(refusalOf("-1"), "The exploration factor c is a number from 0 to 10, not -1.");
  assert.equal(refusalOf("much"), "The exploration factor c is a number from 0 to 10, not much.");
});

