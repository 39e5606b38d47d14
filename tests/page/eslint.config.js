import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";
import { defineConfig } from "eslint/config";
import globals from "globals";

import { ownTexts } from "./own-texts.js";

/** What no user reads: names of the protocol, classes, selectors, code. */
const ALLOWED = ["odd threat", "missed win", "full board", "filled visits", "winning lit", "light dark", "icon primary",
  "edge path 0", "button, summary, a", "input, select, textarea, [contenteditable]",
  '<iframe src="0" width="0" height="0" loading="lazy" title="Connect-4"></iframe>'];

export default defineConfig([
  {
    files: ["**/*.js"],
    extends: [js.configs.recommended],
    plugins: { "@stylistic": stylistic },
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@stylistic/max-len": ["error", { code: 120 }],
      "no-unused-vars": "error",
      eqeqeq: ["error", "always", { null: "ignore" }], // x == null: null or undefined
      "prefer-const": "error",
    },
  },
  {
    files: ["src/c4mcts/page/static/js/*.js"],
    plugins: { page: { rules: { "own-texts": ownTexts } } },
    rules: { "page/own-texts": ["error", ALLOWED] },
  },
  {
    files: ["tests/page/**"],
    languageOptions: { globals: globals.node },
  },
  {
    files: ["src/c4mcts/page/widget/loader.js"],
    languageOptions: { globals: { START: "readonly", STYLE: "readonly" } }, // __init__.py puts them before it
  },
  {
    files: ["src/c4mcts/page/site/service-worker.js"],
    languageOptions: { globals: { FILES: "readonly" } }, // export.py puts it before it
  },
  {
    files: ["src/c4mcts/page/site/engine.js"],
    languageOptions: { globals: { VERSION: "readonly" } },
  },
]);
