// What widget/__init__.py puts before its loader.js.

/** [name, text] of the page's modules, those first that import no others. */
declare const MODULES: [name: string, text: string][];
declare const STYLE: string;

// What web/export.py puts before service-worker.js: hashes by path.
declare const FILES: Record<string, string>;

// What it puts before engine.js: a digest of the engine's files.
declare const VERSION: string;
