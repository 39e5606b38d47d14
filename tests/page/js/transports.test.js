import assert from "node:assert/strict";
import { test } from "node:test";

import { enginePair, webWorker, widgetModel } from "../../../src/c4mcts/page/static/js/transports.js";
import { settled } from "./fakes.js";

/** A widget's model: what was sent, and its listeners. */
function fakeModel() {
  /** @type {unknown[]} */
  const sent = [];
  /** @type {Set<(message: unknown) => void>} */
  const listeners = new Set();
  const model = {
    get: () => null, set: () => {}, save_changes: () => {},
    send: (/** @type {unknown} */ content) => sent.push(content),
    on: (/** @type {string} */ _, /** @type {(message: unknown) => void} */ listener) => listeners.add(listener),
    off: (/** @type {string} */ _, /** @type {(message: unknown) => void} */ listener) => listeners.delete(listener),
  };
  return { model, sent, tell: (/** @type {unknown} */ message) => listeners.forEach((listener) => listener(message)) };
}

test("a view of a widget has its own conversation", async () => {
  const { model, sent, tell } = fakeModel();
  /** @type {unknown[]} */
  const heard = [];
  const channel = widgetModel(model, "a")({
    onOpen: () => heard.push("open"), onReply: (reply) => heard.push(reply), onClose: () => heard.push("lost"),
  });
  assert.deepEqual(heard, []); // not before the transport has returned
  await settled();
  channel.send({ id: "1", action: "query_version" });
  tell({ view: "b", reply: "to another view" });
  tell({ view: "a", reply: { id: "1" } });
  channel.close();
  tell({ view: "a", reply: "too late" });
  assert.deepEqual(heard, ["open", { id: "1" }]);
  assert.deepEqual(sent, [{ view: "a", text: '{"id":"1","action":"query_version"}' }, { view: "a", isGone: true }]);
});

/** A conversation with an engine that is not there, and what is heard of it. */
function workerHeard() {
  /** @type {any} */
  const port = { sent: [], postMessage: (/** @type {string} */ text) => port.sent.push(text), onmessage: null };
  const engine = { port, failure: new Promise(() => {}), isEnded: false, end: () => (engine.isEnded = true) };
  /** @type {unknown[]} */
  const heard = [];
  const start = (/** @type {any} */ failure = engine.failure) =>
    webWorker(() => ({ ...engine, failure, end: engine.end }), (loaded) => heard.push(loaded))({
      onOpen: () => heard.push("open"), onReply: (reply) => heard.push(reply),
      onClose: (...reason) => heard.push(reason),
    });
  return { heard, start, engine, tell: (/** @type {unknown} */ data) => port.onmessage?.({ data }) };
}

test("a worker loads, opens and replies", () => {
  const { heard, start, engine, tell } = workerHeard();
  const channel = start();
  tell({ loaded: 7, isReady: false });
  tell({ loaded: 9, isReady: true });
  channel.send({ id: "1", action: "query_version" });
  tell('{"id":"1"}');
  channel.close();
  tell('{"id":"too late"}');
  assert.deepEqual(heard, [7, "open", { id: "1" }]);
  assert.deepEqual([engine.port.sent, engine.isEnded], [['{"id":"1","action":"query_version"}'], true]);
});

test("a worker that fails is ended, with a sentence, once", async () => {
  for (const [reason, sentence] of [
    ["a.bundle can’t be loaded: 404 Not Found", "The engine has failed: a.bundle can’t be loaded: 404 Not Found."],
    ["MemoryError: too large.", "The engine has failed: MemoryError: too large."],
  ]) {
    const { heard, start, engine, tell } = workerHeard();
    start();
    tell({ failure: reason });
    tell({ failure: "again" });
    assert.deepEqual([heard, engine.isEnded], [[[sentence, true]], true]);
  }
  for (const isFinal of [true, false]) { // false: one that can't be shared, instead of which there is another
    const { heard, start } = workerHeard();
    start(Promise.resolve({ reason: "", isFinal }));
    await settled();
    assert.deepEqual(heard, [["The engine has failed: it can’t be loaded.", isFinal]]);
  }
});

/** An engine that only listens: what it was sent, and the listener that it tells. */
function fakeEngine() {
  /** @type {any} */
  const engine = { sent: [], isClosed: false, listener: null };
  engine.transport = (/** @type {any} */ listener) => {
    engine.listener = listener;
    return {
      send: (/** @type {any} */ query) => engine.sent.push(query.id),
      close: () => (engine.isClosed = true),
    };
  };
  return engine;
}

/**
 * A pair, the conversation with it, and what is heard.
 *
 * @param {import("node:test").TestContext} context
 */
function pairHeard({ mock }) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const [first, second] = [fakeEngine(), fakeEngine()];
  /** @type {any[]} */
  const heard = [];
  const channel = enginePair(first.transport, second.transport)({
    onOpen: () => heard.push("open"), onReply: (reply) => heard.push(reply.id), onClose: (reason) => heard.push(reason),
  });
  const wait = () => mock.timers.runAll();
  const open = () => {
    first.listener.onOpen();
    wait();
  };
  return { first, second, heard, open, wait, channel,
    send: (/** @type {any} */ query) => channel.send(query) };
}

test("searches go to the first engine, other work to the second as soon as it is ready", (t) => {
  const { first, second, heard, wait, send } = pairHeard(t);
  first.listener.onOpen();
  assert.equal(second.listener, null); // it starts a moment later
  wait();
  assert.deepEqual(heard, ["open"]);
  send({ id: "1", action: "solve", moves: [] });
  second.listener.onOpen();
  send({ id: "2", action: "solve", moves: [] });
  send({ id: "3", action: "analyze", moves: [] });
  send({ id: "4", action: "tree", path: [] });
  assert.deepEqual([first.sent, second.sent], [["1", "3", "4"], ["2"]]);
  first.listener.onReply({ id: "3" });
  second.listener.onReply({ id: "2" });
  assert.deepEqual(heard, ["open", "3", "2"]);
});

test("a query is ended where it runs", (t) => {
  const { first, second, open, send } = pairHeard(t);
  open();
  second.listener.onOpen();
  send({ id: "1", action: "review", moves: [] });
  send({ id: "2", action: "analyze", moves: [] });
  second.listener.onReply({ id: "1", isDuringSearch: true });
  send({ id: "3", action: "terminate", terminateId: "1" });
  send({ id: "4", action: "terminate", terminateId: "2" });
  second.listener.onReply({ id: "1" });
  send({ id: "5", action: "terminate", terminateId: "1" });
  assert.deepEqual([first.sent, second.sent], [["2", "4", "5"], ["1", "3"]]);
});

test("if the second engine fails, the first takes over its queries", (t) => {
  const { first, second, heard, open, send } = pairHeard(t);
  open();
  second.listener.onOpen();
  send({ id: "1", action: "solve", moves: [] });
  send({ id: "2", action: "play", moves: [] });
  second.listener.onReply({ id: "1" });
  second.listener.onClose("out of memory", true);
  send({ id: "3", action: "play", moves: [] });
  assert.deepEqual(first.sent, ["2", "3"]);
  assert.deepEqual(heard, ["open", "1"]); // the page is not told
});

test("both end together", (t) => {
  const { first, second, heard, open, channel } = pairHeard(t);
  open();
  channel.close();
  assert.deepEqual([first.isClosed, second.isClosed], [true, true]);
  const other = pairHeard(t);
  other.open();
  other.first.listener.onClose("it failed", true);
  assert.equal(other.second.isClosed, true);
  assert.deepEqual([heard, other.heard], [["open"], ["open", "it failed"]]);
});
