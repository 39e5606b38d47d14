import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { DEFAULTS, concernSearches, loadSettings, saveSettings } from "../../../src/c4mcts/page/static/js/settings.js";

/** Keep one text, as the browser does. */
function storage(/** @type {string | null} */ text = null) {
  const setItem = (/** @type {string} */ _, /** @type {string} */ value) => (text = value);
  provide(() => ({ getItem: () => text, setItem, removeItem: () => (text = null) }));
}

/** @param {() => object} get gives the storages, or throws as a browser that has none */
function provide(get) {
  for (const name of ["sessionStorage", "localStorage"]) {
    Object.defineProperty(globalThis, name, { get, configurable: true });
  }
}

afterEach(() => provide(() => {
  throw new Error("not allowed");
}));

test("what was saved is loaded", () => {
  storage();
  assert.deepEqual(loadSettings(), DEFAULTS);
  saveSettings({ ...DEFAULTS, preset: "uct", seconds: 30, isOn: false }, DEFAULTS);
  assert.deepEqual(loadSettings(), { ...DEFAULTS, preset: "uct", seconds: 30, isOn: false });
});

test("what another tab has changed stays", () => {
  storage();
  const here = loadSettings();
  saveSettings({ ...DEFAULTS, theme: "dark", seconds: 30 }, DEFAULTS);
  saveSettings({ ...here, seconds: 60 }, here);
  assert.deepEqual(loadSettings(), { ...DEFAULTS, theme: "dark", seconds: 60 });
});

for (const text of ["", "{", "null", "7", '"strong"', "[1, 2]", '{"preset": 3, "unknown": 1, "isOn": "yes"}']) {
  test(`${text} in the storage is as if nothing was there`, () => {
    storage(text);
    assert.deepEqual(loadSettings(), DEFAULTS);
  });
}

test("settings work without a storage", () => {
  saveSettings({ ...DEFAULTS, seconds: 30 }, DEFAULTS);
  assert.deepEqual(loadSettings(), DEFAULTS);
});

test("only settings of searches concern searches", () => {
  assert.ok(concernSearches({ ...DEFAULTS, seconds: 30 }, DEFAULTS));
  assert.ok(concernSearches({ ...DEFAULTS, isOn: false }, DEFAULTS));
  assert.ok(!concernSearches({ ...DEFAULTS, theme: "dark", level: 9, clock: 60 }, DEFAULTS));
});
