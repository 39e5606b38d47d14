import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { writeTree } from "../../../src/c4mcts/page/static/js/tree-text.js";
import { newMatch, played, takenBack } from "../../../src/c4mcts/page/static/js/match.js";
import { DEFAULTS } from "../../../src/c4mcts/page/static/js/settings.js";
import { Store } from "../../../src/c4mcts/page/static/js/store.js";
import { Undo } from "../../../src/c4mcts/page/static/js/undo.js";

function made() {
  const store = new Store(DEFAULTS);
  return { store, undo: new Undo(store) };
}

test("each change of the game is undone and redone, steps through it are not", () => {
  const { store, undo } = made();
  for (const column of [3, 3, 4]) store.play(column);
  store.go(1);
  store.play(0);
  store.promote();
  store.comment("why?");
  store.load(new Game());
  const found = [writeTree(store.state.tree)];
  while (undo.canUndo) {
    undo.undo();
    found.push(writeTree(store.state.tree));
  }
  assert.deepEqual(found, ["", '41"why?"(45)', "41(45)", "44(1)5", "445", "44", "4", ""]);
  while (undo.canRedo) undo.redo();
  undo.undo();
  assert.deepEqual(store.path, [3, 0]);
  store.go(0);
  assert.ok(undo.canRedo); // a step is no change
  store.play(6);
  assert.ok(!undo.canRedo);
});

test("swapped colours are undone only with the game that came with them", () => {
  const { store, undo } = made();
  store.play(3);
  store.update({ flipped: true });
  undo.undo();
  assert.equal(store.state.flipped, true);
  store.load(new Game(), 0, false);
  undo.undo();
  assert.equal(store.state.flipped, true);
  undo.redo();
  assert.equal(store.state.flipped, false);
});

test("in a match, a move and the reply are one step, and its begin is one", () => {
  const { store, undo } = made();
  const begun = newMatch(new Game(), [null, { number: 1 }], 60, 0);
  store.follow(begun);
  store.follow(played(begun, 3, 1));
  store.follow(played(/** @type {any} */ (store.state.match), 4, 2));
  undo.undo();
  assert.deepEqual([store.state.match?.game.moves, store.path], [[], []]);
  assert.ok(Number(store.state.match?.since) > 2, "its clock runs from now");
  undo.undo();
  assert.deepEqual([store.state.match], [null]);
  undo.redo();
  undo.redo();
  assert.deepEqual(store.state.match?.game.moves, [3, 4]);
  store.follow(takenBack(/** @type {any} */ (store.state.match), 5));
  assert.deepEqual(store.path, []);
  assert.deepEqual(store.state.tree.game.moves, [3, 4], "what was taken back is still there");
  undo.undo();
  assert.deepEqual(store.path, [3, 4]);
});

test("a match that continues elsewhere has its moves on the main line", () => {
  const { store } = made();
  const match = newMatch(new Game(STANDARD, [3, 3]), [null, { number: 1 }], 0, 0);
  store.follow(match);
  store.switchTo("analyse");
  store.play(0);
  store.play(0);
  store.follow(played(match, 6, 1));
  assert.deepEqual([writeTree(store.state.tree), store.state.game.moves], ["447(11)", [3, 3, 6]]);
});
