import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/web/static/js/game.js";
import { readTree, writeTree } from "../../../src/c4mcts/web/static/js/game-text.js";
import { clockOf, newMatch, played } from "../../../src/c4mcts/web/static/js/match.js";
import { pack, store, stored, unpack } from "../../../src/c4mcts/web/static/js/storage.js";

/** @import { Kept } from "../../../src/c4mcts/web/static/js/storage.js" */

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
  const found = unpack(pack(state(), 0), 0);
  assert.deepEqual([found.mode, found.ply, found.flipped, found.match], ["review", 3, true, null]);
  assert.equal(writeTree(found.tree), '445(1"why?"2)3');
  assert.deepEqual(found.game.moves, [3, 3, 0, 1]);
});

test("the puzzle comes back, and a text without one has none", () => {
  assert.equal(unpack(pack(state({ mode: "puzzles", puzzle: 17 }), 0), 0).puzzle, 17);
  assert.equal(unpack(pack(state(), 0).replace('"puzzle":0', '"puzzle":"17"'), 0).puzzle, 0);
});

test("a start position comes back", () => {
  const start = { fen: "7/7/7/7/7/2xo3 x 7x6x4", columns: [[], [], [0], [1], [], [], []], turn: 0 };
  const tree = readTree("44", new Game(STANDARD, [], start));
  const found = unpack(pack(state({ tree, game: tree.game, ply: 1 }), 0), 0);
  assert.deepEqual(found.game.start, start);
  assert.deepEqual(found.game.columns[3], [1, 0, 1]);
});

test("the clocks of a match stand still while the page is closed", () => {
  const match = played(newMatch(new Game(STANDARD, [3]), [null, { number: 2, name: "Novice" }], 60, 0), 3, 10_000);
  const found = unpack(pack(state({ match, game: match.game }), 15_000), 500_000).match;
  assert.ok(found);
  assert.deepEqual([clockOf(found, 0, 500_000), clockOf(found, 1, 500_000)], [55, 51]);
  assert.deepEqual([found.seats, found.begun, found.hint, found.game.moves], [match.seats, 0, null, [3, 3]]);
});

test("the results of the session come back", () => {
  const results = [{ begun: 5, seats: [null, { preset: "uct", visits: 100 }], winner: null }];
  assert.deepEqual(unpack(pack(state({ results }), 0), 0).results, results);
});

const SEATS = [null, { number: 1, name: "A" }];
const good = JSON.parse(pack(state({ match: newMatch(new Game(STANDARD, [3, 3]), SEATS, 60, 0) }), 0));

for (const [name, value] of [
  ["version", 1], ["mode", "chess"], ["rules", { ...STANDARD, width: 1e9 }], ["rules", null], ["start", {}],
  ["start", { fen: "", columns: Array(7).fill(Array(1e6).fill(0)), turn: 0 }], ["tree", "44444444"], ["tree", 5],
  ["line", [3, 3, 5]], ["line", ["3"]], ["line", null], ["ply", "2"], ["match", {}], ["match", 5],
  ["match", { ...good.match, moves: [0] }], ["match", { ...good.match, seats: [null] }],
  ["match", { ...good.match, left: [1, "a"] }], ["match", { ...good.match, left: [1] }],
  ["match", { ...good.match, hint: 9 }], ["match", { ...good.match, seats: [null, { number: 11, name: "A" }] }],
  ["match", { ...good.match, seats: [null, { preset: 5, visits: 1 }] }], ["match", { ...good.match, begun: "x" }],
  ["results", null], ["results", [{ begun: 1, seats: SEATS, winner: 2 }]],
  ["match", { ...good.match, resigned: 5 }],
]) {
  test(`a wrong ${name}, ${JSON.stringify(value).slice(0, 40)}, is refused`, () => {
    assert.ok(unpack(JSON.stringify(good), 0).match);
    assert.throws(() => unpack(JSON.stringify({ ...good, [/** @type {string} */ (name)]: value }), 0));
  });
}

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
  assert.deepEqual(stored("a", JSON.parse, [storage(tab), storage(all)]), { found: 7, isUnread: true });
  assert.deepEqual([tab, all], [{ "a.unread": "{", b: "" }, { a: "7" }]);
  assert.deepEqual(stored("a", JSON.parse, [storage(tab)]), { found: null, isUnread: false });
});

test("a full storage does not keep a text from the others", () => {
  const [full, all] = [{ b: "", c: "" }, {}];
  store("a", "7", [storage(full), storage(all)]);
  assert.deepEqual([full, all], [{ b: "", c: "" }, { a: "7" }]);
});
