import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";
import { defineConfig } from "eslint/config";
import globals from "globals";

export default defineConfig([
  {
    files: ["**/*.js"],
    extends: [js.configs.recommended],
    plugins: { "@stylistic": stylistic },
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@stylistic/max-len": ["error", { code: 120 }],
      "max-lines": ["error", 250],
      "no-unused-vars": "error",
      eqeqeq: ["error", "always", { null: "ignore" }], // x == null: null or undefined
      "prefer-const": "error",
    },
  },
  {
    files: ["tests/web/**"],
    languageOptions: { globals: globals.node },
  },
  {
    files: ["src/c4mcts/widget/loader.js"],
    languageOptions: { globals: { MODULES: "readonly", STYLE: "readonly" } }, // __init__.py puts them before it
  },
  {
    files: ["src/c4mcts/web/site/service-worker.js"],
    languageOptions: { globals: { FILES: "readonly" } }, // export.py puts it before it
  },
]);
