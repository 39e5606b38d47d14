import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { DEFAULTS } from "../../../src/c4mcts/page/static/js/settings.js";
import { Store } from "../../../src/c4mcts/page/static/js/store.js";
import { LONG_GAME, countedLooks } from "./fakes.js";

test("a state can't be changed but by the store", () => {
  const store = new Store(DEFAULTS);
  assert.throws(() => Object.assign(store.state, { ply: 3 }), TypeError);
  assert.throws(() => Object.assign(store, { state: store.state }), TypeError);
});

test("all subscribers see the same changes in the same order, though one of them makes another", () => {
  const store = new Store(DEFAULTS);
  /** @type {string[]} */
  const told = [];
  store.subscribe((state, before) => {
    told.push(`first ${before.mode} -> ${state.mode}`);
    if (state.mode === "play") store.update({ mode: "learn" });
    assert.equal(store.state.mode, "learn"); // at once
  });
  store.subscribe((state, before) => told.push(`second ${before.mode} -> ${state.mode}`));
  store.update({ mode: "play" });
  assert.deepEqual(told, [
    "first analyse -> play", "second analyse -> play", "first play -> learn", "second play -> learn"]);
});

test("an error in a subscriber does not silence the next change", () => {
  const store = new Store(DEFAULTS);
  let told = 0;
  store.subscribe((state) => {
    told++;
    if (state.mode === "play") throw new Error("broken");
  });
  assert.throws(() => store.update({ mode: "play" }), { message: "broken" });
  store.update({ mode: "learn" });
  assert.equal(told, 2);
});

test("moves on the board", () => {
  const store = new Store(DEFAULTS);
  for (const column of [3, 3, 4]) store.play(column);
  store.go(-1);
  assert.equal(store.state.ply, 0);
  store.play(3); // the move that was there: the others stay
  assert.deepEqual([store.state.ply, store.state.game.moves], [1, [3, 3, 4]]);
  store.play(0); // another one: they go
  assert.deepEqual([store.state.ply, store.state.game.moves], [2, [3, 0]]);
  store.go(Infinity);
  assert.throws(() => store.play(9), RangeError);
  assert.deepEqual([store.state.ply, store.shown.moves], [2, [3, 0]]);
  store.load(new Game(STANDARD, [1, 2, 3]), 1);
  assert.deepEqual(store.shown.moves, [1]);
});

test("a step or a move in a long game does not play the game again", () => {
  const { looks, start } = countedLooks();
  const store = new Store(DEFAULTS);
  store.load(start.with(LONG_GAME));
  const { game } = store.state;
  looks.count = 0;
  for (const ply of [200, 199, 200]) {
    store.go(ply);
    assert.equal(store.shown.outcome, null);
  }
  store.play(19);
  assert.equal(store.shown.after(200), game.after(200));
  assert.equal(looks.count, 2);
});

test("the first positions of the usual rules have scores before anything is learned", () => {
  const store = new Store(DEFAULTS);
  store.scores = Array.from({ length: 57 }, (_, index) => [index, -index, 0, 0, 0, 0, 0]); // of up to two moves
  const known = (/** @type {number[]} */ ...moves) => store.knowledge(new Game(STANDARD, moves));
  const { score, best, distance, columns, pv } = known(0, 3).solution ?? assert.fail();
  assert.deepEqual([score, best, distance, columns, pv], [11, [0], 19, [11, -11, 0, 0, 0, 0, 0], []]);
  assert.deepEqual([known().score, known(6, 6).score, known(0, 0, 0)], [0, 56, {}]);
  assert.deepEqual(store.knowledge(new Game({ ...STANDARD, height: 5 })), {});
  store.learn(new Game(STANDARD, [0]), { isTried: true });
  assert.deepEqual([known(0).score, known(0).isTried], [1, true]);
});

test("what is known of a position is kept, and the oldest forgotten", () => {
  const store = new Store(DEFAULTS);
  const game = (/** @type {number} */ height) => new Game({ ...STANDARD, height });
  store.learn(game(1), { score: 1 });
  store.learn(game(2), { score: 2 });
  store.learn(game(1), { isTried: true });
  assert.deepEqual(store.knowledge(game(1)), { score: 1, isTried: true });
  for (let height = 3; height <= 2001; height++) store.learn(game(height), { score: height });
  assert.deepEqual(store.knowledge(game(2)), {}); // for longest not touched
  assert.equal(store.knowledge(game(1)).score, 1);
});
