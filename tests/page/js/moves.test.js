/** @import { MoveInfo } from "protocol" */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { barsOf, ghostsOf, knownMoves } from "../../../src/c4mcts/page/static/js/moves.js";
import { exactValue } from "../../../src/c4mcts/page/static/js/verdict.js";
import { analysis, solution } from "./fakes.js";

const THREE = new Game(STANDARD, [0, 0, 1, 1, 2, 2]); // the first player wins by the fourth column
const SOLUTION = solution({ score: 18, distance: 1, columns: [-2, -2, 0, 18, -2, -2, null], best: [3] });

test("before anything is known, there are the columns that can be played", () => {
  const full = new Game(STANDARD, [6, 6, 6, 6, 6, 6]);
  const moves = knownMoves(full, null, null);
  assert.deepEqual(moves.map(({ column, value, proof }) => [column, value, proof]),
    [0, 1, 2, 3, 4, 5].map((column) => [column, null, null]));
  assert.ok(!moves.some((move) => move.isBest));
});

test("the solver's knowledge counts more than the search's, in content and in order", () => {
  const best = { move: 2, visits: 30, winrate: 0.8, pv: [2, 3],
    proof: /** @type {const} */ ("win"), distance: 9, bound: /** @type {const} */ ("at most") };
  const [first, second] = knownMoves(THREE, analysis([best, { move: 3, visits: 10 }]), SOLUTION);
  assert.deepEqual([first.column, first.proof, first.distance, first.isBest], [3, "win", 1, true]);
  assert.deepEqual(second, { column: 2, score: 0, visits: 30, value: 0.8, pv: [2], isCut: true,
    isBest: false, proof: "draw", distance: 36, bound: "exact" });
});

test("of equal scores the one that the search prefers is first", () => {
  const order = (/** @type {number[]} */ ...moves) =>
    knownMoves(THREE, analysis(moves.map((move) => ({ move }))), SOLUTION).map((move) => move.column);
  assert.deepEqual(order(5, 1, 2, 3), [3, 2, 5, 1]);
});

test("the solver’s line, of which the explanation speaks, comes before one of best play that the search has", () => {
  const equal = { ...SOLUTION, score: -2, columns: [-2, -2, -3, -3, -2, -2, null], best: [0, 1, 4, 5] };
  const known = (/** @type {Partial<MoveInfo>} */ fields, /** @type {number[]} */ pv) =>
    knownMoves(THREE, analysis([{ move: 1, pv: [1, 1] }, { move: 4, pv: [4, 0], ...fields }]), { ...equal, pv })[0];
  assert.deepEqual(known({}, []).pv, [1], "what the search only expects is not shown beside an exact result");
  const [line, exact] = [known({}, [4, 3]), known({ bound: "exact", distance: 34, proof: "loss" }, [4, 3])];
  assert.deepEqual(line.pv, [4, 3]);
  assert.deepEqual(exact.pv, [4, 3]);
});

test("a line of best play that was asked for is that of its move, also where the search has an exact one", () => {
  const exact = { pv: [4], bound: /** @type {const} */ ("exact"), distance: 36, proof: /** @type {const} */ ("loss") };
  const search = analysis([{ move: 1, pv: [1, 1] }, { move: 4, ...exact }]);
  const moves = knownMoves(THREE, search, SOLUTION, (column) => [column, 6, 6]);
  assert.deepEqual(moves.map((move) => move.pv), [[1, 6, 6], [4, 6, 6]]);
});

test("a search that is wrong: three losses are not above a win", () => {
  const search = analysis([0, 1, 2, 3].map((move) => ({ move, winrate: 0.5, visits: 100 - move })));
  const moves = knownMoves(THREE, search, { ...SOLUTION, columns: [-2, -4, -2, 18, null, null, null] });
  assert.deepEqual(moves.map((move) => move.column), [3, 0, 2, 1]);
  const bars = barsOf(moves, 7).map((bar) => bar && exactValue(bar.proof));
  assert.deepEqual(bars, [0, 0, 0, 1, null, null, null]);
});

test("without the solver the search's proofs stand, in its order", () => {
  const proof = { proof: /** @type {const} */ ("loss"), distance: 8, bound: /** @type {const} */ ("at most") };
  const moves = knownMoves(THREE, analysis([{ move: 4 }, { move: 3, ...proof, pv: [3, 3] }]), null);
  assert.deepEqual(moves.map((move) => [move.column, move.proof, move.bound, move.isCut]),
    [[4, null, null, false], [3, "loss", "at most", true]]);
});

test("the solver alone tells of all columns that can be played", () => {
  const full = new Game(STANDARD, [6, 6, 6, 6, 6, 6]);
  const moves = knownMoves(full, null, SOLUTION);
  assert.deepEqual(moves.map((move) => move.column), [3, 2, 0, 1, 4, 5]);
  assert.ok(moves.every((move) => move.value === null));
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
