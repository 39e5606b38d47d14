import assert from "node:assert/strict";
import { test } from "node:test";

import { store, stored } from "../../../src/c4mcts/page/static/js/browser-storage.js";
import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { pack, unpack } from "../../../src/c4mcts/page/static/js/storage.js";
import { readTree, writeTree } from "../../../src/c4mcts/page/static/js/tree-text.js";

/** @import { Kept } from "../../../src/c4mcts/page/static/js/storage.js" */

/**
 * @param {Partial<Kept>} fields
 * @returns {Kept}
 */
function state(fields = {}) {
  const tree = readTree('445(1"why?"2)3', new Game());
  return { mode: "review", tree, game: tree.line([3, 3, 0]), ply: 3, flipped: true, match: null, results: [], puzzle: 0,
    ...fields };
}

test("what is stored comes back", () => {
  const results = [{ begun: 5, seats: [null, { preset: "uct", visits: 100 }], winner: null }];
  const kept = pack(state({ results, puzzle: 17 }), 0);
  const found = unpack(kept, 0);
  assert.deepEqual([found.mode, found.ply, found.flipped, found.match], ["review", 3, true, null]);
  assert.deepEqual([found.puzzle, found.results, found.tree.id], [17, results, kept.id]);
  assert.equal(writeTree(found.tree), '445(1"why?"2)3');
  assert.deepEqual(found.game.moves, [3, 3, 0, 1]);
});

test("a start position comes back", () => {
  const start = { fen: "7/7/7/7/7/2xo3 x 7x6x4", columns: [[], [], [0], [1], [], [], []], turn: 0 };
  const tree = readTree("44", new Game(STANDARD, [], start));
  const found = unpack(pack(state({ tree, game: tree.game, ply: 1 }), 0), 0);
  assert.deepEqual(found.game.start, start);
  assert.deepEqual(found.game.columns[3], [1, 0, 1]);
});

test("what another version of the page has stored is refused", () => {
  assert.throws(() => unpack({ ...pack(state(), 0), version: 1 }, 0));
});

/**
 * A storage of the browser, which is full when it has two texts.
 *
 * @param {Record<string, string>} texts
 */
function storage(texts) {
  const setItem = (/** @type {string} */ name, /** @type {string} */ text) => {
    if (Object.keys(texts).length >= 2 && !(name in texts)) throw new Error("full");
    texts[name] = text;
  };
  const place = { setItem, getItem: (/** @type {string} */ name) => texts[name] ?? null,
    removeItem: (/** @type {string} */ name) => delete texts[name] };
  return /** @type {Storage} */ (/** @type {unknown} */ (place));
}

test("what can't be read is set aside, and the next storage is asked", () => {
  const [tab, all] = [{ a: "{", b: "" }, { a: "7" }];
  assert.deepEqual(stored("a", undefined, [storage(tab), storage(all)]), { found: 7, isUnread: true });
  assert.deepEqual([tab, all], [{ "a.unread": '"{"', b: "" }, { a: "7" }]);
  assert.deepEqual(stored("a", undefined, [storage(tab)]), { found: null, isUnread: false });
});

test("a full storage does not keep a text from the others", () => {
  const [full, all] = [{ b: "", c: "" }, {}];
  store("a", 7, [storage(full), storage(all)]);
  assert.deepEqual([full, all], [{ b: "", c: "" }, { a: "7" }]);
});
