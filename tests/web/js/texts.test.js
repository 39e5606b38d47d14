import assert from "node:assert/strict";
import { test } from "node:test";

import { counted, fill, texts } from "../../../src/c4mcts/web/static/js/texts.js";

/**
 * All texts with their names, those with two forms twice.
 *
 * @param {object} group
 * @param {string} name
 * @returns {[name: string, text: string][]}
 */
function listed(group, name = "") {
  return Object.entries(group).flatMap(([key, value]) =>
    (typeof value === "string" ? [/** @type {[string, string]} */ ([name + key, value])]
      : listed(value, `${name}${key}.`)));
}

test("values in their places", () => {
  assert.equal(fill("{one} and {other}, {one}", { one: 1, other: "$&" }), "1 and $&, 1");
});

test("texts for numbers", () => {
  const counts = [0, 1, 2, 1200].map((count) => counted(texts.counts.moves, count));
  assert.deepEqual(counts, ["0 moves", "1 move", "2 moves", "1,200 moves"]);
  assert.equal(counted(["{count} of {all} wins", "{count} of {all} win"], 1, { all: 7 }), "1 of 7 wins");
});

test("each text says something, and its braces are places", () => {
  assert.ok(listed(texts).length > 400);
  for (const [name, text] of listed(texts)) {
    assert.match(text, /\p{L}/u, name);
    assert.equal(text.replaceAll(/\{[a-z]\w*\}/gi, "").search(/[{}]/), -1, name);
  }
});

test("both forms of a text have the same places", () => {
  const places = (/** @type {string} */ text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [one, more] of [...Object.values(texts.counts), texts.openingWords.winning, texts.openingWords.drawing]) {
    assert.deepEqual(places(one), places(more));
  }
});
