import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { decisionOf, ideaOf, whyText } from "../../../src/c4mcts/page/static/js/why.js";

/** @import { ReviewedMove } from "protocol" */

const YOU = { loser: 0, isYou: true, flipped: false };

/** @param {string} digits */
const columnsOf = (digits) => [...digits].map((digit) => Number(digit) - 1);
/** @param {string} digits */
const gameOf = (digits) => new Game(STANDARD, columnsOf(digits));

/**
 * A move of a review.
 *
 * @param {number} ply
 * @param {Partial<ReviewedMove>} fields
 * @returns {ReviewedMove}
 */
function move(ply, fields = {}) {
  return { ply, player: ply % 2, column: 0, best: [3], keeping: [3], score_before: ply % 2 ? 5 : -5,
    score_after: ply % 2 ? 5 : -5, value_before: 0, value_after: 0, kind: "best", line: [], refutation: [],
    oversight: null, ...fields };
}

const LOST_AT_2 = [move(0, { score_before: 1, score_after: 1 }), move(1, { score_before: -1, score_after: -1 }),
  move(2, { score_before: 0, score_after: -2, kind: "mistake", refutation: columnsOf("123") }), move(3)];

test("the decisive move is the one after which the game was lost for good", () => {
  assert.deepEqual(decisionOf(LOST_AT_2, 0), { ply: 2, lostAt: 2 });
  const returned = [...LOST_AT_2, move(4), move(5, { score_after: 0 }), move(6, { score_before: 0, score_after: 0 })];
  assert.equal(decisionOf(returned, 0), null, "it was given back");
  const again = [...returned, move(7, { score_before: 0, score_after: 0 }), move(8, { score_before: 0 }), move(9)];
  assert.deepEqual(decisionOf(again, 0), { ply: 8, lostAt: 8 });
  assert.deepEqual(decisionOf([move(0), move(1)], 0), { ply: -1, lostAt: -1 }, "lost from the start");
  assert.equal(decisionOf([undefined, move(1)], 0), null, "lost by moves that nobody chose");
  assert.equal(decisionOf([move(0, { score_before: null }), move(1, { score_after: null })], 0), null, "estimates");
});

test("an oversight decides a game that could have lasted long, and not one that was over", () => {
  const last = (/** @type {number} */ before) =>
    move(4, { score_before: before, score_after: -14, oversight: "unblocked threat", refutation: [3] });
  assert.deepEqual(decisionOf([...LOST_AT_2, last(-4), move(5)], 0), { ply: 4, lostAt: 2 });
  assert.deepEqual(decisionOf([...LOST_AT_2, last(-13), move(5)], 0), { ply: 2, lostAt: 2 });
  const game = gameOf("121212");
  assert.equal(whyText(game, [...LOST_AT_2, last(-4), move(5)], { ply: 4, lostAt: 2 }, null, YOU),
    "You lost with move 5: it does not stop red from winning with 4. Red could already force a win since move 3.");
});

for (const [name, position, line, words] of /** @type {const} */ ([
  ["a double threat", "3142324356231", "445", "red’s 4 then threatens 4 and 5, and only one can be stopped."],
  ["zugzwang", "323612277734111163123234467476624657", "455", "after yellow’s 4, every move lets yellow win."],
  ["a threat on top of another", "44476512524667142222", "547",
    "yellow’s 5 then threatens 7, and stopping that lets yellow win with 7."],
])) {
  test(`what best play shows: ${name}`, () => {
    assert.equal(ideaOf(gameOf(position), columnsOf(line), false), words);
  });
}

test("a win that takes longer is told with its length", () => {
  const moves = Array.from({ length: 13 }, (_, ply) => move(ply));
  const decision = { ply: 10, lostAt: 10 };
  const who = { ...YOU, isYou: false };
  assert.equal(whyText(gameOf("3142324356231"), moves, decision, columnsOf("31445"), who),
    "Yellow lost with move 11: red can then force a win in 5 moves. " +
    "In the line below, red’s 4 then threatens 4 and 5, and only one can be stopped.");
  assert.equal(whyText(gameOf("3142324356231"), moves, decision, null, YOU),
    "You lost with move 11: red can then force a win.");
});
