import assert from "node:assert/strict";
import { test } from "node:test";

import { widgetModel } from "../../../src/c4mcts/web/static/js/transports.js";
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
