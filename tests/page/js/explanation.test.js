import assert from "node:assert/strict";
import { test } from "node:test";

import { sentences } from "../../../src/c4mcts/page/static/js/explanation.js";

/**
 * @import { Description } from "protocol"
 * @typedef {Description["threats"][number]} Threat
 */

const NOTHING = { currentPlayer: /** @type {const} */ (0), winningMoves: [], threatenedMoves: [], threats: [],
  movesBelowThreats: [], isZugzwang: false };
/** @type {Threat} */
const THREAT = { player: 1, cell: [3, 1], isOdd: false };

test("nothing certain", () => {
  assert.deepEqual(sentences(NOTHING, null, false), ["Neither player threatens anything yet."]);
});

test("a win, and threats of both players", () => {
  /** @type {Threat[]} */
  const threats = [{ ...THREAT, player: 0, cell: [3, 0], isOdd: true }, THREAT];
  assert.deepEqual(sentences({ ...NOTHING, winningMoves: [3], threats }, null, false), ["Yellow wins with 4.",
    "Yellow’s threats: column 4, row 1 (odd).", "Red’s threats: column 4, row 2 (even)."]);
});

test("a disc that wins lets nobody win on top of it", () => {
  const found = { ...NOTHING, winningMoves: [4], movesBelowThreats: [4, 5] };
  assert.deepEqual(sentences(found, null, false), ["Yellow wins with 5.", "A disc in 6 lets red win on top of it."]);
});

test("forced replies", () => {
  assert.deepEqual(sentences({ ...NOTHING, threatenedMoves: [3] }, null, true), ["Red must play 4."]);
  assert.deepEqual(sentences({ ...NOTHING, threatenedMoves: [0, 3] }, null, false),
    ["Red threatens to win with 1 or 4: yellow can stop only one."]);
});

test("zugzwang", () => {
  assert.deepEqual(sentences({ ...NOTHING, movesBelowThreats: [0, 1, 4] }, null, false),
    ["A disc in 1, 2 or 5 lets red win on top of it."]);
  assert.deepEqual(sentences({ ...NOTHING, movesBelowThreats: [0], isZugzwang: true }, THREAT, false),
    ["Yellow is in zugzwang: each column lets red win on top of it."]);
  assert.deepEqual(sentences(NOTHING, THREAT, false),
    ["Red profits from zugzwang: in the best line shown, yellow must at last play below column 4, row 2 (even)."]);
});
