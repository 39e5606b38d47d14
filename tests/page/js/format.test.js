/** @import { Proven } from "protocol" */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as format from "../../../src/c4mcts/page/static/js/format.js";
import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { proven, provenShort } from "../../../src/c4mcts/page/static/js/verdict.js";

test("numbers", () => {
  assert.deepEqual([3_140_000, 61_200, 999, 1000, 2.5e9].map(format.short), ["3.1 M", "61 k", "999", "1.0 k", "2.5 G"]);
  assert.equal(format.whole(612_000), "612,000");
  assert.deepEqual([-3, 0, 2].map(format.score), ["−3", "0", "+2"]);
  assert.equal(format.percent(0.414), "41 %");
  assert.deepEqual([0.625, 1, null].map(format.value), ["0.63", "1.00", "–"]);
  assert.equal(format.columns([3, 11, 0]), "4 12 1");
});

test("proofs: a distance that is not exact says so", () => {
  const texts = (/** @type {Proven} */ known) => [proven(known), provenShort(known)];
  assert.deepEqual(texts({ proof: "win", distance: 35, bound: "exact" }), ["win in 35", "W35"]);
  assert.deepEqual(texts({ proof: "loss", distance: 36, bound: "at most" }), ["loss in ≤ 36", "L≤36"]);
  assert.deepEqual(texts({ proof: "loss", distance: null, bound: null }), ["loss", "L"]);
  assert.deepEqual(texts({ proof: "draw", distance: 12, bound: "exact" }), ["draw", "D"]);
  assert.deepEqual(texts({ proof: null, distance: null, bound: null }), ["", ""]);
});

test("who is to move, and how the game ended", () => {
  const won = new Game(STANDARD, [0, 1, 0, 1, 0, 1, 0]);
  assert.equal(format.stateOf(new Game(), false), "Yellow to move.");
  assert.equal(format.stateOf(new Game(), true), "Red to move.");
  assert.equal(format.stateOf(won, true), "Red has won.");
  assert.equal(format.stateOf(new Game({ ...STANDARD, width: 2, height: 1 }, [0, 1]), false), "The game is a draw.");
});

test("messages as sentences", () => {
  assert.deepEqual(["a word", "Done.", "why?"].map(format.fullSentence), ["A word.", "Done.", "Why?"]);
});
