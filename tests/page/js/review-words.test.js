import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { scoreHeight } from "../../../src/c4mcts/page/static/js/graph.js";
import { newMatch } from "../../../src/c4mcts/page/static/js/match.js";
import { estimates, lessonsOf, moveText, pointsOf, titleOf } from "../../../src/c4mcts/page/static/js/review-words.js";

/** @import { ReviewedMove } from "protocol" */

/** @type {ReviewedMove} */
const FAULT = { ply: 14, player: 0, column: 0, best: [3], keeping: [3], score_before: -2, score_after: -14,
  value_before: 0, value_after: 0, kind: "blunder", line: [3], refutation: [3], oversight: "unblocked threat" };

for (const [oversight, words] of /** @type {const} */ ([
  ["overlooked win", "Yellow could have won at once with 4."],
  ["unblocked threat", "It does not stop red from winning with 4."],
  ["disc under a win", "It lets red win on top of it."],
])) {
  test(`what a coach says first: ${oversight}`, () => {
    assert.equal(moveText({ moves: [{ ...FAULT, oversight }] }, new Game(), 1, false),
      `Move 1, yellow 1: blunder, loss in 2. ${words} Best: 4, loss in 26.`);
  });
}

test("mistakes are asked in the order in which they are punished, long wins last", () => {
  const moves = [{ ...FAULT, ply: 0, oversight: null, score_before: 1, score_after: 0 },
    { ...FAULT, ply: 1, player: 1 }, { ...FAULT, ply: 2 }, { ...FAULT, ply: 4, oversight: null, score_after: -18 },
    { ...FAULT, ply: 6, oversight: null, score_after: -4 }, { ...FAULT, ply: 8, kind: "good", oversight: null }];
  assert.deepEqual(lessonsOf(/** @type {ReviewedMove[]} */ (moves), 0, new Game()).map(({ ply }) => ply), [2, 4, 6, 0]);
});

test("the course begins with the first move that somebody chose", () => {
  const points = pointsOf({ moves: [undefined, undefined, { ...FAULT, ply: 2 }] }, new Game(), false);
  assert.deepEqual(points.map((point) => point && point.height < 0), [undefined, undefined, true, true]);
});

test("scores have their heights in the graph", () => {
  const heights = [[0, 21], [-1, 21], [18, 21], [21, 21], [-5, 10], [30, 21]].map(([score, highest]) =>
    Number(scoreHeight(score, highest).toFixed(3)));
  assert.deepEqual(heights, [0, -0.524, 0.929, 1, -0.75, 1]);
});

test("a game against a level is told to the one who played it", () => {
  const game = new Game(STANDARD, [0, 1, 0, 1, 0, 1, 0]);
  const title = (/** @type {boolean} */ isFirst) =>
    titleOf(game, false, newMatch(game, isFirst ? [null, { number: 3 }] : [{ number: 3 }, null], 0, 0));
  assert.deepEqual([title(true), title(false), titleOf(game, false, null)], ["You beat level 3 (Improver) in 7 moves",
    "You lost to level 3 (Improver) in 7 moves", "Yellow won in 7 moves"]);
  const resigned = { ...newMatch(game.after(2), [null, { preset: "network", visits: 0 }], 0, 0), resigned: 0 };
  assert.equal(titleOf(game.after(2), false, resigned), "Red won in 2 moves");
});

test("from which move on the scores are exact", () => {
  const review = (/** @type {number} */ first) => ({ exact_from: first, moves: [4, 5, 6].map((ply) => ({ ply })) });
  assert.match(estimates(review(6)), /exact from move 3 on/);
  assert.equal(estimates(review(7)), "All values are estimates by search.");
});
