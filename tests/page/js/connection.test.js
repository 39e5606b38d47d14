import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Connection, Latest, RequestError } from "../../../src/c4mcts/page/static/js/connection.js";
import { FACTS, FakeServer, analysis, connected } from "./fakes.js";

test("queries wait until the server can be reached, and go in their order", () => {
  const server = new FakeServer();
  const connection = new Connection(server.transport);
  connection.request({ action: "describe", moves: [1] });
  connection.request({ action: "describe", moves: [2] });
  assert.deepEqual(server.sent, []);
  server.open();
  assert.deepEqual(server.sent, [
    { id: "1", action: "describe", moves: [1] }, { id: "2", action: "describe", moves: [2] }]);
});

test("each query gets its own reply, in any order", async () => {
  const { server, connection } = connected();
  const solved = connection.request({ action: "solve" });
  const played = connection.request({ action: "play", level: 1 });
  await server.reply("play", { move: 3 });
  await server.reply("solve", { score: 2 });
  assert.deepEqual([(await played).move, (await solved).score], [3, 2]);
});

test("no more time is asked for than the server allows", async () => {
  const { server, connection } = connected();
  const solved = [0.5, 600].map((maxTime) => connection.request({ action: "solve", maxTime }));
  await server.reply("query_version", FACTS);
  const times = server.sent.filter(({ action }) => action === "solve").map(({ maxTime }) => maxTime);
  assert.deepEqual(times, [0.5, FACTS.limits.seconds]);
  solved.forEach((each) => each.catch(() => {}));
});

test("reports come before the last reply", async () => {
  const { server, connection } = connected();
  /** @type {number[]} */
  const reported = [];
  const { done } = connection.stream({ action: "analyze" }, (report) => reported.push(report.rootInfo.visits));
  await server.reply("analyze", { isDuringSearch: true, rootInfo: { visits: 7 } });
  await server.reply("analyze", { rootInfo: { visits: 9 } });
  assert.deepEqual([reported, (await done).rootInfo.visits], [[7], 9]);
});

test("an error of the server is thrown", async () => {
  const { server, connection } = connected();
  const played = connection.request({ action: "play", level: 99 });
  await server.reply("play", { error: "level must be 1 to 10", field: "level" });
  await assert.rejects(played, (error) => {
    assert.ok(error instanceof RequestError);
    assert.equal(error.message, "Level must be 1 to 10.");
    return true;
  });
});

test("no result in time is an error", async () => {
  const { server, connection } = connected();
  const asked = connection.request({ action: "analyze" });
  await server.reply("analyze", { noResults: true });
  await assert.rejects(asked, { message: "The server found no result in time." });
});

test("stopping ends the search, drops its reports, and waits for its last reply", async () => {
  const { server, connection } = connected();
  let reports = 0;
  const running = connection.stream({ action: "analyze" }, () => reports++);
  let isStopped = false;
  const stopped = running.stop().then(() => (isStopped = true));
  assert.equal(server.last("terminate").terminateId, server.last("analyze").id);
  await server.reply("analyze", { ...analysis([]), isDuringSearch: true });
  assert.deepEqual([reports, isStopped], [0, false]);
  await server.reply("analyze", analysis([]));
  await stopped;
  const { length } = server.sent;
  await running.stop(); // again: there is nothing to end
  assert.equal(server.sent.length, length);
});

test("a lost conversation ends all queries, and is begun again", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const server = new FakeServer();
  /** @type {[boolean, string][]} */
  const told = [];
  const connection = new Connection(server.transport, (isConnected, reason) => told.push([isConnected, reason]));
  server.open();
  const lost = connection.request({ action: "describe" });
  server.lose("Too many connections.");
  await assert.rejects(lost, { message: "The connection to the engine was lost." });
  const asked = connection.request({ action: "describe", moves: [1] });
  mock.timers.tick(500);
  server.lose();
  await assert.rejects(asked, RequestError);
  mock.timers.tick(1000); // the second wait is longer
  server.open();
  assert.deepEqual(told, [
    [true, ""], [false, "Too many connections."], [false, "The server does not answer."], [true, ""]]);
  assert.equal(server.sent.length, 1); // the queries that were lost are not sent again
  mock.timers.reset();
});

test("the wait before a new try grows, and is short again once the server was there", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const server = new FakeServer();
  new Connection(server.transport);
  for (const wait of [500, 1000, 2000, 5000, 5000]) {
    const { length } = server.conversations;
    server.lose();
    mock.timers.tick(wait - 1);
    assert.equal(server.conversations.length, length);
    mock.timers.tick(1);
    assert.equal(server.conversations.length, length + 1);
  }
  server.open();
  server.lose();
  mock.timers.tick(500);
  assert.equal(server.conversations.length, 7);
  mock.timers.reset();
});

test("a conversation that is lost for good begins again when the user asks", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const server = new FakeServer();
  /** @type {[boolean, string, boolean][]} */
  const told = [];
  const connection = new Connection(server.transport, (...status) => told.push(status));
  server.open();
  server.lose("The engine has failed.", true);
  mock.timers.tick(60_000);
  assert.equal(server.conversations.length, 1);
  connection.request({ action: "describe", moves: [1] });
  connection.restart();
  server.open();
  assert.equal(server.sent.length, 1);
  assert.deepEqual(told, [[true, "", false], [false, "The engine has failed.", true], [true, "", false]]);
  mock.timers.reset();
});

test("what the server can do is asked for once in a conversation", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { server, connection } = connected();
  const both = [connection.facts(), connection.facts()];
  await server.reply("query_version", FACTS);
  assert.deepEqual((await Promise.all(both)).map((facts) => facts.presets), [FACTS.presets, FACTS.presets]);
  assert.equal(server.sent.length, 1);
  server.lose();
  mock.timers.tick(500);
  server.open();
  connection.facts();
  assert.equal(server.sent.length, 2);
  mock.timers.reset();
});

test("closing ends the conversation and all queries, and no other is begun", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { server, connection } = connected();
  const asked = connection.request({ action: "describe" });
  connection.close();
  await assert.rejects(asked, { message: "The connection to the engine is closed." });
  mock.timers.tick(60_000);
  assert.deepEqual([server.closed, server.conversations.length], [1, 1]);
  mock.timers.reset();
});

test("replies that nobody waits for are ignored", async () => {
  const { server, connection } = connected();
  const asked = connection.request({ action: "describe" });
  await server.reply("describe", { id: "99" });
  await server.reply("describe", { rules: {} });
  assert.deepEqual((await asked).rules, {});
});

test("a question that another one follows, or that is dropped, is stopped, and its answer is not taken", async () => {
  const { server, connection } = connected();
  const latest = new Latest();
  /** @type {number[]} */
  const taken = [];
  for (let level = 1; level <= 3; level++) {
    latest.ask(connection.stream({ action: "play", level }), ({ move }) => taken.push(move), assert.fail);
  }
  await server.reply("play", { move: 1, id: "1" });
  await server.reply("play", { move: 3 });
  latest.begin(); // it has its answer
  const stopped = server.sent.filter(({ action }) => action === "terminate").map(({ terminateId }) => terminateId);
  assert.deepEqual([stopped, taken], [["1", "2"], [3]]);
});
