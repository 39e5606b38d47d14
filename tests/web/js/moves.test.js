import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/web/static/js/game.js";
import { barsOf, ghostsOf, knownMoves } from "../../../src/c4mcts/web/static/js/moves.js";
import { analysis } from "./fakes.js";

const THREE = new Game(STANDARD, [0, 0, 1, 1, 2, 2]); // the first player wins by the fourth column
const SOLUTION = { score: 18, distance: 1, columns: [-2, -2, 0, 18, -2, -2, null], best: [3] };

test("nothing is known of no search", () => {
  assert.deepEqual(knownMoves(THREE, null, null), []);
});

test("the solver's knowledge counts more than the search's", () => {
  const best = { move: 2, visits: 30, winrate: 0.8, proof: /** @type {const} */ ("win"), distance: 9, pv: [2, 3] };
  const [first, second] = knownMoves(THREE, analysis([best, { move: 3, visits: 10 }]), SOLUTION);
  assert.deepEqual(first, { column: 2, visits: 30, value: 0.8, pv: [2, 3], isBest: true,
    proof: "draw", distance: 36, score: 0, isExactBest: false });
  assert.deepEqual([second.proof, second.distance, second.isBest, second.isExactBest], ["win", 1, false, true]);
});

test("without the solver the search's proofs stand", () => {
  const [move] = knownMoves(THREE, analysis([{ move: 3, proof: "win", distance: 1 }]), null);
  assert.deepEqual([move.proof, move.distance, move.score, move.isExactBest], ["win", 1, null, false]);
});

test("the solver alone tells of all columns that can be played", () => {
  const full = new Game(STANDARD, [6, 6, 6, 6, 6, 6]);
  const moves = knownMoves(full, null, SOLUTION);
  assert.deepEqual(moves.map((move) => move.column), [0, 1, 2, 3, 4, 5]);
  assert.ok(moves.every((move) => !move.isBest && move.value === null));
});

test("bars are relative to the most visits, and there is none for other columns", () => {
  const bars = barsOf(knownMoves(THREE, analysis([{ move: 3, visits: 40 }, { move: 1, visits: 10 }]), null), 7);
  assert.deepEqual(bars.map((bar) => bar?.share ?? null), [null, 0.25, null, 1, null, null, null]);
});

test("a line is shown as far as it can be played", () => {
  assert.deepEqual(ghostsOf(THREE, [6, 3, 3, 3], 2), [
    { column: 6, row: 0, player: 0, text: 1 }, { column: 3, row: 0, player: 1, text: 2 }]);
  assert.equal(ghostsOf(THREE, [3, 4, 5], 9).length, 1); // the first disc wins
  assert.equal(ghostsOf(THREE, [9], 9).length, 0);
});
