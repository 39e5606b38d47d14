import assert from "node:assert/strict";
import { test } from "node:test";

import { scoreHeight } from "../../../src/c4mcts/page/static/js/graph.js";

const HEIGHTS = [[0, 21, 0], [1, 21, 11 / 21], [-1, 21, -11 / 21], [18, 21, 13 / 14], [21, 21, 1], [-5, 10, -0.75],
  [30, 21, 1]];

for (const [score, highest, height] of HEIGHTS) {
  test(`a score of ${score} of ${highest} has its height in the graph`, () => {
    assert.ok(Math.abs(scoreHeight(score, highest) - height) < 1e-9);
  });
}
