// What widget/__init__.py puts before its loader.js.

declare const START: typeof import("../../src/c4mcts/page/static/js/notebook.js");
declare const STYLE: string;

// What web/export.py puts before service-worker.js: hashes by path.
declare const FILES: Record<string, string>;

// What it puts before engine.js: a digest of the engine's files.
declare const VERSION: string;
