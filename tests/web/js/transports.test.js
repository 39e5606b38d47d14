import assert from "node:assert/strict";
import { test } from "node:test";

import { webWorker, widgetModel } from "../../../src/c4mcts/web/static/js/transports.js";
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

/** What stands in for a Web Worker, without its types. */
class FakeWorker {
  static last = /** @type {FakeWorker} */ (/** @type {unknown} */ (null));

  /** @type {((event: { data: unknown }) => void) | null} */
  onmessage = null;

  /** @type {((event: { message?: string, preventDefault: () => void }) => void) | null} */
  onerror = null;

  /** @type {string[]} */
  sent = [];

  isEnded = false;

  constructor() {
    FakeWorker.last = this;
  }

  /** @param {string} text */
  postMessage(text) {
    this.sent.push(text);
  }

  terminate() {
    this.isEnded = true;
  }
}

/** A conversation with a fake worker, and what is heard of it. */
function workerHeard() {
  Object.assign(globalThis, { Worker: FakeWorker });
  /** @type {unknown[]} */
  const heard = [];
  const channel = webWorker("engine.js", (loaded) => heard.push(loaded))({
    onOpen: () => heard.push("open"), onReply: (reply) => heard.push(reply),
    onClose: (...reason) => heard.push(reason),
  });
  const worker = FakeWorker.last;
  return { heard, channel, worker, tell: (/** @type {unknown} */ data) => worker.onmessage?.({ data }) };
}

test("a worker loads, opens and replies", () => {
  const { heard, channel, worker, tell } = workerHeard();
  tell({ loaded: 7, isReady: false });
  tell({ loaded: 9, isReady: true });
  channel.send({ id: "1", action: "query_version" });
  tell('{"id":"1"}');
  channel.close();
  tell('{"id":"too late"}');
  assert.deepEqual(heard, [7, "open", { id: "1" }]);
  assert.deepEqual([worker.sent, worker.isEnded], [['{"id":"1","action":"query_version"}'], true]);
});

test("a worker that fails is ended, with a sentence, once", () => {
  for (const [reason, sentence] of [
    ["a.bundle can’t be loaded: 404 Not Found", "The engine has failed: a.bundle can’t be loaded: 404 Not Found."],
    ["MemoryError: too large.", "The engine has failed: MemoryError: too large."],
  ]) {
    const { heard, worker, tell } = workerHeard();
    tell({ failure: reason });
    tell({ failure: "again" });
    assert.deepEqual([heard, worker.isEnded], [[[sentence, true]], true]);
  }
  const { heard, worker } = workerHeard();
  worker.onerror?.({ preventDefault() {} }); // what a module that is missing gives
  assert.deepEqual(heard, [["The engine has failed: it can’t be loaded.", true]]);
});
