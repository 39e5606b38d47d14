import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/web/static/js/game.js";
import { headline } from "../../../src/c4mcts/web/static/js/verdict.js";
import { analysis } from "./fakes.js";

const GAME = new Game(STANDARD, [3]); // red is to move
const root = (fields = {}) => ({ ...analysis([]).rootInfo, ...fields });
const solution = (/** @type {number | null} */ score, distance = 7) => ({ score, distance, columns: null, best: [] });

test("the end of a game, then what is certain, then what the search believes", () => {
  const won = new Game(STANDARD, [0, 1, 0, 1, 0, 1, 0]);
  const full = new Game({ ...STANDARD, width: 2, height: 1 }, [0, 1]);
  assert.equal(headline(won, false, root(), solution(3)), "Yellow has won");
  assert.equal(headline(full, false, null, null), "A draw");
  assert.equal(headline(GAME, false, root({ winrate: 0.99 }), solution(-3)), "Yellow wins in 7 plies");
  assert.equal(headline(GAME, true, null, solution(3, 1)), "Yellow wins in 1 ply");
  assert.equal(headline(GAME, false, root({ winrate: 0.1 }), solution(0)), "A draw with best play");
  assert.equal(headline(GAME, false, root({ winrate: 1, proof: "win", distance: 5 }), null), "Red wins in 5 plies");
  assert.equal(headline(GAME, false, root({ winrate: 0.96 }), null), "Red is winning");
  assert.equal(headline(GAME, false, root({ winrate: 0.2 }), null), "Yellow is clearly ahead");
  assert.equal(headline(GAME, false, root({ winrate: 0.5 }), null), "Even");
});

test("before anything is known", () => {
  assert.equal(headline(GAME, false, null, null), "Red to move");
  assert.equal(headline(GAME, false, root({ winrate: null }), solution(null)), "Red to move");
});

test("a proof without its distance", () => {
  assert.equal(headline(GAME, false, root({ winrate: 1, proof: "win", distance: null }), null), "Red wins");
});
