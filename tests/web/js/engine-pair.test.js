import assert from "node:assert/strict";
import { test } from "node:test";

import { enginePair } from "../../../src/c4mcts/web/static/js/transports.js";

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

/** A pair, the conversation with it, and what is heard. */
function pairHeard() {
  const [first, second] = [fakeEngine(), fakeEngine()];
  /** @type {any[]} */
  const heard = [];
  const channel = enginePair(first.transport, second.transport)({
    onOpen: () => heard.push("open"), onReply: (reply) => heard.push(reply.id), onClose: (reason) => heard.push(reason),
  });
  return { first, second, heard, send: (/** @type {any} */ query) => channel.send(query), channel };
}

test("searches go to the first engine, other work to the second as soon as it is ready", () => {
  const { first, second, heard, send } = pairHeard();
  assert.equal(second.listener, null); // it starts when the first is ready
  first.listener.onOpen();
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

test("a query is ended where it runs", () => {
  const { first, second, send } = pairHeard();
  first.listener.onOpen();
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

test("if the second engine fails, the first takes over its queries", () => {
  const { first, second, heard, send } = pairHeard();
  first.listener.onOpen();
  second.listener.onOpen();
  send({ id: "1", action: "solve", moves: [] });
  send({ id: "2", action: "play", moves: [] });
  second.listener.onReply({ id: "1" });
  second.listener.onClose("out of memory", true);
  send({ id: "3", action: "play", moves: [] });
  assert.deepEqual(first.sent, ["2", "3"]);
  assert.deepEqual(heard, ["open", "1"]); // the page is not told
});

test("both end together", () => {
  const { first, second, heard, channel } = pairHeard();
  first.listener.onOpen();
  channel.close();
  assert.deepEqual([first.isClosed, second.isClosed], [true, true]);
  const other = pairHeard();
  other.first.listener.onOpen();
  other.first.listener.onClose("it failed", true);
  assert.equal(other.second.isClosed, true);
  assert.deepEqual([heard, other.heard], [["open"], ["open", "it failed"]]);
});
