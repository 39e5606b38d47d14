import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/web/static/js/game.js";
import { Course, isSolvable } from "../../../src/c4mcts/web/static/js/search.js";
import { DEFAULTS } from "../../../src/c4mcts/web/static/js/settings.js";
import { Store } from "../../../src/c4mcts/web/static/js/store.js";
import { connected, settled } from "./fakes.js";

function begun() {
  const { server, connection } = connected();
  const store = new Store(DEFAULTS);
  let changes = 0;
  const course = new Course({ store, connection }, () => changes++);
  return { server, store, course, changes: () => changes };
}

const GAME = new Game(STANDARD, [3, 3]);

test("all positions are solved, the last ones first", async () => {
  const { server, store, course, changes } = begun();
  const filled = course.fill(GAME);
  for (const score of [2, -1, 1]) await server.reply("solve", { score });
  await filled;
  assert.deepEqual(server.sent.map((query) => query.moves), [[3, 3], [3], []]);
  assert.deepEqual([2, 1, 0].map((ply) => store.knowledge(GAME.after(ply)).score), [2, -1, 1]);
  assert.equal(changes(), 3);
});

test("what is known, was tried or is over is not asked for", async () => {
  const { server, store, course } = begun();
  const won = new Game(STANDARD, [0, 1, 0, 1, 0, 1, 0]);
  for (let ply = 1; ply < 6; ply++) store.learn(won.after(ply), { score: 0 });
  store.learn(won.after(6), { isTried: true });
  const filled = course.fill(won);
  await server.reply("solve", { score: null });
  await filled;
  assert.deepEqual(server.sent.map((query) => query.moves), [[]]);
  assert.deepEqual(store.knowledge(won.after(0)), { isTried: true }); // a limit came first
});

test("another game ends the course of the first", async () => {
  const { server, store, course } = begun();
  course.fill(GAME);
  const other = new Game(STANDARD, [6]);
  course.fill(other);
  assert.deepEqual(server.sent.map((query) => query.moves), [[3, 3], [6]]);
  server.conversations[0].onReply({ id: server.sent[0].id, score: 5 });
  await settled();
  assert.deepEqual(store.knowledge(GAME), {});
  await server.reply("solve", { score: 7 });
  assert.equal(store.knowledge(other).score, 7);
  assert.deepEqual(server.last("solve").moves, []);
});

test("an error ends the course", async () => {
  const { server, course } = begun();
  const filled = course.fill(GAME);
  await server.reply("solve", { error: "too many queries are waiting" });
  await filled;
  assert.equal(server.sent.length, 1);
});

test("large boards are not solved", async () => {
  const { server, course } = begun();
  const rules = { width: 20, height: 14, connect: 5, diagonals: true };
  assert.deepEqual([isSolvable(STANDARD), isSolvable({ ...STANDARD, width: 8, height: 7 }), isSolvable(rules)],
    [true, true, false]);
  await course.fill(new Game(rules, [1]));
  assert.deepEqual(server.sent, []);
});
