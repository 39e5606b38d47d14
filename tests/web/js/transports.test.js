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
  /** @type {string[]} */
  const heard = [];
  const channel = widgetModel(model, "a")({
    onOpen: () => heard.push("open"), onMessage: (text) => heard.push(text), onClose: () => heard.push("lost"),
  });
  assert.deepEqual(heard, []); // not before the transport has returned
  await settled();
  channel.send("query");
  tell({ view: "b", text: "to another view" });
  tell({ view: "a", text: "reply" });
  channel.close();
  tell({ view: "a", text: "too late" });
  assert.deepEqual(heard, ["open", "reply"]);
  assert.deepEqual(sent, [{ view: "a", text: "query" }, { view: "a", isGone: true }]);
});
