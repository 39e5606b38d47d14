import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { beliefText, headline, valueForYellow } from "../../../src/c4mcts/page/static/js/headline.js";
import { analysis, solution } from "./fakes.js";

const GAME = new Game(STANDARD, [3]); // red is to move
const root = (fields = {}) => ({ ...analysis([]).rootInfo, ...fields });
const solved = (/** @type {number | null} */ score) => solution({ score, distance: 7, best: [2] });
/** @type {import("protocol").Proven} */
const WIN = { proof: "win", distance: 37, bound: "at most" };

test("the end of a game, then what is certain, then what the search believes", () => {
  const won = new Game(STANDARD, [0, 1, 0, 1, 0, 1, 0]);
  const full = new Game({ ...STANDARD, width: 2, height: 1 }, [0, 1]);
  assert.equal(headline(won, false, root(), solved(3)), "Yellow has won");
  assert.equal(headline(full, false, null, null), "A draw");
  assert.equal(headline(GAME, false, root({ winrate: 0.99 }), solved(-3)), "Yellow wins in 36 moves");
  assert.equal(headline(GAME, true, null, solved(21)), "Yellow wins in 1 move");
  assert.equal(headline(GAME, false, root({ winrate: 0.1 }), solved(0)), "A draw with best play");
  assert.equal(headline(GAME, false, root({ winrate: 1, ...WIN }), null), "Red wins in at most 37 moves");
  assert.equal(headline(GAME, false, root({ winrate: 0.96 }), null), "Red is winning");
  assert.equal(headline(GAME, false, root({ winrate: 0.2 }), null), "Yellow is clearly ahead");
  assert.equal(headline(GAME, false, root({ winrate: 0.5 }), null), "Even");
  assert.equal(headline(GAME, false, root({ winrate: null }), solved(null)), "Red to move");
  assert.equal(headline(GAME, false, root({ winrate: 1, ...WIN, distance: null }), null), "Red wins");
});

test("the bar shows what is certain, not what the search believes", () => {
  assert.equal(valueForYellow(GAME, false, root({ winrate: 0.3 }), null), 0.7); // red is to move
  assert.equal(valueForYellow(GAME, false, root({ winrate: 0.3 }), solved(2)), 0);
  assert.equal(valueForYellow(GAME, true, root({ winrate: 0.3 }), solved(2)), 1);
  assert.equal(valueForYellow(GAME, false, root({ winrate: 0.3, ...WIN }), null), 0);
  assert.equal(valueForYellow(GAME, false, root({ winrate: 0.9 }), solved(0)), 0.5);
  assert.equal(valueForYellow(GAME, false, null, null), null);
});

test("the search's opinion is named, and whether the solver knows better", () => {
  const search = (/** @type {number} */ move, fields = {}) =>
    ({ ...analysis([{ move }]), rootInfo: root({ currentPlayer: 1, ...fields }) });
  assert.equal(beliefText(false, search(3), null), "0.50 for red, column 4");
  assert.equal(beliefText(false, search(3), solved(2)), "0.50 for red, column 4: not the best move");
  assert.equal(beliefText(false, search(2), solved(2)), "0.50 for red, column 3: no proof yet");
  assert.equal(beliefText(false, search(2, WIN), solved(2)), "win in ≤ 37 for red, column 3");
});
