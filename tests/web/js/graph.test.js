import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { scoreHeight } from "../../../src/c4mcts/web/static/js/graph.js";

const HEIGHTS = JSON.parse(readFileSync(new URL("../../data/graph_heights.json", import.meta.url), "utf8"));

for (const [score, highest, height] of HEIGHTS) {
  test(`a score of ${score} of ${highest} has the height that pictures of reviews have`, () => {
    assert.ok(Math.abs(scoreHeight(score, highest) - height) < 1e-9);
  });
}
