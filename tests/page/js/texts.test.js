import assert from "node:assert/strict";
import { test } from "node:test";

import { catalogueOf } from "../../../src/c4mcts/page/static/js/catalogue.js";
import { LANGUAGES, counted, fill, languageOf, texts } from "../../../src/c4mcts/page/static/js/texts.js";

/** All languages by their names. */
const ALL = new Map(await Promise.all(LANGUAGES.map(async (language) =>
  /** @type {const} */ ([language, await catalogueOf(language)]))));

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

/**
 * The places of a text.
 *
 * @param {string} text
 */
function placesOf(text) {
  return [...new Set(text.match(/\{\w+\}/g))].sort();
}

for (const [language, found] of ALL) {
  test(`${language}: each text says something, and its braces are places`, () => {
    assert.equal(found.language, language);
    assert.ok(listed(found).length > 400);
    for (const [name, text] of listed(found)) {
      assert.match(text, /\p{L}/u, name);
      assert.equal(text.replaceAll(/\{[a-z]\w*\}/gi, "").search(/[{}]/), -1, name);
    }
  });

  test(`${language}: the same texts as in English, with the same places`, () => {
    const places = (/** @type {object} */ group) => listed(group).map(([name, text]) => [name, placesOf(text)]);
    assert.deepEqual(Object.fromEntries(places(found)), Object.fromEntries(places(texts)));
  });

  test(`${language}: a thing has one name, and a name is of one thing`, () => {
    const { compare, header, insights, presetNames } = found;
    for (const name of [presetNames.uct, presetNames.strong]) assert.match(compare.presets, new RegExp(name, "i"));
    assert.notEqual(insights.title, header.review);
  });

  test(`${language}: a number and its unit are not parted`, () => assert.doesNotMatch(found.analyse.megabytes, / /));

  test(`${language}: both forms of a text have the same places`, () => {
    const { counts, openings } = found;
    for (const [one, more] of [...Object.values(counts), openings.winning, openings.drawing]) {
      assert.deepEqual(placesOf(one), placesOf(more));
    }
  });
}

test("undo is not called as cancel is", () => {
  for (const [language, { toolbar, editor, dialogs, header }] of ALL) {
    /** @type {string[]} */
    const cancels = [dialogs.cancel, header.cancel];
    for (const { undo } of [toolbar, editor]) assert.ok(!cancels.includes(undo), language);
  }
});

test("no text was left in English", () => {
  const english = new Map(listed(texts));
  const isSentence = (/** @type {string} */ text) => text.split(" ").length > 3;
  for (const [language, found] of ALL) {
    if (language === "en") continue;
    const same = listed(found).filter(([name, text]) => isSentence(text) && english.get(name) === text);
    assert.deepEqual(same.filter(([name]) => !name.startsWith("match.")), [], language);
  }
});

test("the first language that the page has is chosen, or else English", () => {
  const cases = [["auto", "de-AT", "en"], ["auto", "it", "FR-ca", "de"], ["es", "de"], ["auto", "it"], ["auto"]];
  assert.deepEqual(cases.map(languageOf), ["de", "fr", "es", "en", "en"]);
});
