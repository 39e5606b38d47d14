/** @import { Settings } from "../../../src/c4mcts/page/static/js/settings.js" */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { knownMoves } from "../../../src/c4mcts/page/static/js/moves.js";
import { Course, LiveSearch, NO_LIMIT, isSolvable } from "../../../src/c4mcts/page/static/js/search.js";
import { DEFAULTS } from "../../../src/c4mcts/page/static/js/settings.js";
import { Store } from "../../../src/c4mcts/page/static/js/store.js";
import { FACTS, analysis, connected, settled } from "./fakes.js";

const REPLY = analysis([{ move: 3, visits: 10 }]);
const SOLUTION = { score: 1, distance: 41, columns: [-2, -1, 0, 1, 0, -1, -2], best: [3], pv: [3, 3] };

/** A search whose queries are on their way. */
async function started(/** @type {Partial<Settings>} */ settings = {}, game = new Game()) {
  const { server, connection } = connected();
  const store = new Store(Object.freeze({ ...DEFAULTS, ...settings }));
  store.load(game);
  /** @type {[isRunning: boolean, visits: number | undefined][]} */
  const seen = [];
  const search = new LiveSearch({ store, connection }, () =>
    seen.push([search.isRunning, search.reply?.moveInfos[0]?.visits]));
  search.follow(store.shown);
  await settled();
  await server.reply("query_version", FACTS);
  return { server, store, search, seen };
}

test("a search grows and ends", async () => {
  const { server, store, search, seen } = await started();
  assert.deepEqual(seen, [[true, undefined]]);
  await server.reply("analyze", { ...analysis([{ move: 2, visits: 5 }]), isDuringSearch: true });
  await server.reply("analyze", REPLY);
  assert.deepEqual(seen.slice(1), [[true, 5], [true, 10], [false, 10]]);
  assert.deepEqual(store.knowledge(search.game).root, REPLY.rootInfo);
});

test("settings are asked for within the limits of the server", async () => {
  const { server } = await started({ seconds: NO_LIMIT, threads: 8, preset: "uct" });
  const { preset, threads, maxTime, reuseTree } = server.last("analyze");
  assert.deepEqual([preset, threads, maxTime, reuseTree], ["uct", 2, 60, true]);
  assert.equal(server.last("solve").maxTime, 3);
});

test("the solver's answer is kept, and not asked for again", async () => {
  const { server, store, search } = await started();
  await server.reply("solve", SOLUTION);
  assert.equal(search.solution?.score, 1);
  assert.equal(store.knowledge(search.game).score, 1);
  search.follow(new Game());
  await server.reply("analyze", REPLY); // to the first search, which was stopped
  assert.equal(search.solution?.score, 1);
  assert.equal(server.sent.filter((query) => query.action === "solve").length, 1);
});

test("a line that is wanted twice is asked for once, and again if it was not found", async () => {
  const { server, search } = await started();
  const lines = () => server.sent.filter(({ action, moves }) => action === "solve" && moves.length).length;
  const found = Promise.all([search.findLine(3), search.findLine(3)]);
  await server.reply("solve", { ...SOLUTION, pv: [] });
  assert.deepEqual([await found, lines()], [[false, false], 1]);
  const later = search.findLine(3);
  await server.reply("solve", { ...SOLUTION, pv: [2] });
  assert.deepEqual([await later, search.lineOf(3), lines()], [true, [3, 2], 2]);
});

test("the line of best play is asked for after the scores", async () => {
  const { server, store, search } = await started();
  assert.equal(server.last("solve").includePv, undefined);
  await server.reply("solve", { ...SOLUTION, pv: [] });
  assert.deepEqual(search.solution?.pv, []);
  assert.equal(server.last("solve").includePv, true);
  await server.reply("solve", { ...SOLUTION, columns: null, best: [] });
  assert.deepEqual([search.solution?.columns, search.solution?.pv], [SOLUTION.columns, SOLUTION.pv]);
  assert.equal(store.knowledge(search.game).solution, search.solution);
});

test("where the solver ran out of time nothing is certain", async () => {
  const { server, store, search } = await started();
  await server.reply("solve", { score: null, distance: null, columns: null, best: [], pv: [] });
  assert.deepEqual([search.solution, store.knowledge(search.game).score], [null, undefined]);
});

test("what if a column must not be played", async () => {
  const { server, store, search } = await started();
  await server.reply("solve", SOLUTION);
  search.leaveOut(3);
  assert.deepEqual(search.reply, null);
  await server.reply("analyze", REPLY); // to the search with all columns
  await settled();
  assert.deepEqual(server.last("analyze").allowMoves, [0, 1, 2, 4, 5, 6]);
  await server.reply("analyze", analysis([{ move: 2, visits: 4 }]));
  assert.equal(store.knowledge(search.game).root, undefined); // nothing is known of the position itself
  const { score, best, distance, columns, pv } = search.solution ?? assert.fail();
  assert.deepEqual([score, best, distance, pv], [0, [2, 4], 42, []]);
  assert.deepEqual(columns, [-2, -1, 0, null, 0, -1, -2]);
  const listed = knownMoves(search.game, null, search.solution, undefined, search.columns); // as with the search off
  assert.deepEqual(listed.map((move) => move.column), [2, 4, 1, 5, 0, 6]);
  search.leaveOut(3);
  assert.equal(search.solution?.score, 1);
  search.leaveOut(0);
  search.follow(new Game().play(3));
  assert.equal(search.without.size, 0);
});

test("large boards have no solver", async () => {
  const { server } = await started({}, new Game({ width: 20, height: 14, connect: 5, diagonals: true }));
  assert.throws(() => server.last("solve"));
});

test("the next search waits for the end of the last one, and its replies are dropped", async () => {
  const { server, search } = await started();
  const first = server.last("analyze");
  search.follow(new Game(STANDARD, [3]));
  await settled();
  assert.equal(server.last("analyze"), first);
  await server.reply("solve", SOLUTION);
  await server.reply("analyze", REPLY);
  assert.notEqual(server.last("analyze"), first);
  assert.deepEqual(server.last("analyze").moves, [3]);
  assert.deepEqual([search.reply, search.solution], [null, null]);
});

test("of several positions in a row only the last one is searched", async () => {
  const { server, search } = await started();
  for (const column of [0, 1, 2]) search.follow(new Game(STANDARD, [column]));
  await server.reply("solve", SOLUTION);
  await server.reply("analyze", REPLY);
  assert.deepEqual(server.sent.filter((query) => query.action === "analyze").map((query) => query.moves), [[], [2]]);
});

test("a stopped search keeps what it found", async () => {
  const { server, search, seen } = await started();
  await server.reply("analyze", { ...REPLY, isDuringSearch: true });
  search.stop();
  assert.deepEqual(seen.at(-1), [false, 10]);
  await server.reply("analyze", analysis([{ move: 3, visits: 11 }]));
  assert.equal(search.reply?.moveInfos[0].visits, 10);
});

test("while the search is off a position is still solved, but after the end of a game nothing is asked", async () => {
  const { server, search, seen } = await started({ isOn: false });
  await server.reply("solve", SOLUTION);
  assert.deepEqual(server.sent.map(({ action }) => action), ["query_version", "solve"]);
  assert.deepEqual([search.solution?.score, search.isRunning, seen.length], [1, false, 2]);
  search.follow(new Game(STANDARD, [0, 1, 0, 1, 0, 1, 0]));
  await settled();
  assert.equal(server.sent.length, 2);
});

test("an error ends the search, and is forgotten by the next one", async () => {
  const { server, search } = await started();
  await server.reply("analyze", { error: "threads must be 1 to 2", field: "threads" });
  assert.deepEqual([search.error, search.isRunning, search.reply], ["Threads must be 1 to 2.", false, null]);
  search.start();
  assert.equal(search.error, null);
});

/** A course whose connection has the limits of the server. */
async function begun() {
  const { server, connection } = connected();
  connection.facts();
  await server.reply("query_version", FACTS);
  server.sent.length = 0;
  const store = new Store(DEFAULTS);
  let changes = 0;
  const course = new Course({ store, connection }, () => changes++);
  return { server, store, course, changes: () => changes };
}

const GAME = new Game(STANDARD, [3, 3]);

test("all positions are solved, the last ones first", async () => {
  const { server, store, course, changes } = await begun();
  const filled = course.fill(GAME);
  for (const score of [2, -1, 1]) await server.reply("solve", { score });
  await filled;
  assert.deepEqual(server.sent.map((query) => query.moves), [[3, 3], [3], []]);
  assert.deepEqual([2, 1, 0].map((ply) => store.knowledge(GAME.after(ply)).score), [2, -1, 1]);
  assert.equal(changes(), 3);
});

test("what is known, was tried or is over is not asked for", async () => {
  const { server, store, course } = await begun();
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
  const { server, store, course } = await begun();
  course.fill(GAME);
  const other = new Game(STANDARD, [6]);
  course.fill(other);
  await settled();
  assert.deepEqual(server.sent.map((query) => query.moves), [[3, 3], [6]]);
  server.conversations[0].onReply({ id: server.sent[0].id, score: 5 });
  await settled();
  assert.deepEqual(store.knowledge(GAME), {});
  await server.reply("solve", { score: 7 });
  assert.equal(store.knowledge(other).score, 7);
  assert.deepEqual(server.last("solve").moves, []);
});

test("large boards are not solved", async () => {
  const { server, course } = await begun();
  const rules = { width: 20, height: 14, connect: 5, diagonals: true };
  assert.deepEqual([isSolvable(STANDARD), isSolvable({ ...STANDARD, width: 8, height: 7 }), isSolvable(rules)],
    [true, true, false]);
  await course.fill(new Game(rules, [1]));
  assert.deepEqual(server.sent, []);
});
