import assert from "node:assert/strict";
import { test } from "node:test";

import { estimates } from "../../../src/c4mcts/web/static/js/review-words.js";

test("from which move on the scores are exact", () => {
  const review = (/** @type {number} */ first) => ({ exact_from: first, moves: [4, 5, 6].map((ply) => ({ ply })) });
  assert.match(estimates(review(6)), /exact from move 3 on/);
  assert.equal(estimates(review(7)), "All values are estimates by search.");
});
