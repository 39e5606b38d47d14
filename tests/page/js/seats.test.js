/** @import { Match } from "../../../src/c4mcts/page/static/js/match.js" */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Game } from "../../../src/c4mcts/page/static/js/game.js";
import { newMatch } from "../../../src/c4mcts/page/static/js/match.js";
import { askForMove, keepScore, scoreText } from "../../../src/c4mcts/page/static/js/seats.js";
import { DEFAULTS } from "../../../src/c4mcts/page/static/js/settings.js";
import { Store } from "../../../src/c4mcts/page/static/js/store.js";
import { Undo } from "../../../src/c4mcts/page/static/js/undo.js";

const LEVEL = { number: 2 };

/** @param {Store} store */
function text(store) {
  return scoreText(store.state.results, /** @type {Match} */ (store.state.match), false);
}

test("results against a level add up, whichever side the user has", () => {
  const store = new Store(DEFAULTS);
  keepScore(store);
  store.follow(newMatch(new Game(), [null, LEVEL], 0, 1));
  assert.equal(text(store), "");
  store.follow({ ...newMatch(new Game(), [null, LEVEL], 0, 1), resigned: 0 });
  assert.equal(text(store), "You: 0  ·  Computer, level 2: Casual: 1  ·  0 draws");
  store.follow({ ...newMatch(new Game(), [LEVEL, null], 0, 2), resigned: 0 });
  assert.equal(text(store), "Computer, level 2: Casual: 1  ·  You: 1  ·  0 draws");
  store.follow(newMatch(new Game({ width: 2, height: 1, connect: 3, diagonals: true }, [0, 1]), [null, LEVEL], 0, 3));
  assert.equal(text(store), "You: 1  ·  Computer, level 2: Casual: 1  ·  1 draw");
  store.follow({ ...newMatch(new Game(), [null, null], 0, 4), timeout: 1 });
  assert.equal(text(store), "Yellow: 1  ·  Red: 0  ·  0 draws");
});

test("an end that is undone does not count", () => {
  const store = new Store(DEFAULTS);
  const undo = new Undo(store);
  keepScore(store);
  const match = newMatch(new Game(), [null, LEVEL], 0, 1);
  store.follow(match);
  store.follow({ ...match, resigned: 0 });
  assert.equal(store.state.results.length, 1);
  undo.undo();
  assert.deepEqual(store.state.results, []);
  undo.redo();
  assert.equal(store.state.results.length, 1);
});

test("a network without a search plays its most probable column, whatever a search would", async () => {
  const moveInfos = [{ move: 3, prior: 0.2 }, { move: 5, prior: 0.4 }, { move: 1, prior: 0.4 }];
  const asked = /** @type {Record<string, unknown>[]} */ ([]);
  const connection = { stream: (/** @type {Record<string, unknown>} */ request) => {
    asked.push(request);
    return { done: Promise.resolve({ moveInfos, rootInfo: { proof: "win" } }), stop() {} };
  } };
  const match = newMatch(new Game(), [{ preset: "network", visits: 0 }, null], 0, 1);
  const { done } = askForMove(/** @type {any} */ (connection), match);
  assert.deepEqual(await done, { column: 1, opinion: null });
  assert.deepEqual([asked[0].preset, asked[0].maxVisits], ["network", 1]);
});
