/**
 * The engine of an exported page: a worker in which Pyodide runs the package c4mcts. Its clients are the page or, if it
 * is a SharedWorker, the frames that share it.
 *
 * A client sends queries as JSON and is posted replies as JSON, both as texts; null says that it has gone. Until the
 * engine is ready it posts Progress, at last with `isReady`; a Failure is the end. export.py puts VERSION in front of
 * it, which differs if a file of the engine does.
 */

import { removeSnapshots, Snapshot } from "./snapshot.js";

/** @typedef {{ loaded: number, isReady: boolean }} Progress loaded: in bytes. */
/** @typedef {{ failure: string }} Failure For the user: what went wrong. */

const BINARY = "pyodide.asm.wasm";
const BUNDLES = ["numpy.bundle", "c4mcts.bundle"]; // archives of Python modules: tar, compressed with gzip
const BLOCK = 512; // of a tar
const PATIENCE = 1000; // milliseconds
const IMPORTED_EARLY = // for the snapshot: of Python's library what NumPy and c4mcts import
  "ctypes, dataclasses, datetime, decimal, hashlib, html, json, pickle, platform, queue, secrets, statistics";

/** `any`: Pyodide's, and a worker has another postMessage than a page. */
const scope = /** @type {any} */ (globalThis);
const fetchUncounted = fetch;
/** @type {Set<MessagePort>} */
const clients = new Set();
let loaded = 0;
let failure = ""; // why this engine has ended

/** @type {((post: (text: string) => void) => any) | null} `any`: a Session of Python */
let newSession = null; // until Python has started

scope.onmessage = scope.onconnect = join;
scope.fetch = (/** @type {string | URL | Request} */ request, /** @type {RequestInit} */ options) =>
  (nameOf(request) === BINARY ? Promise.resolve(new Response()) : fetchCounted(request, options)); // Pyodide's
addEventListener("error", (event) => fail(event.message));
addEventListener("unhandledrejection", (event) => fail(event.reason));
start().catch(fail);

async function start() {
  compileEarly();
  const bundles = BUNDLES.map(readBundle);
  bundles.forEach((bundle) => bundle.catch(() => {})); // waited for below
  const python = await startPython({
    /**
     * `any`: Emscripten's file system
     *
     * @param {any} files
     * @param {{ sitePackages: string }} folders
     */
    async fsInit(files, { sitePackages }) {
      for (const bundle of await Promise.all(bundles)) unpack(bundle, files, sitePackages);
    },
  });
  python._api.on_fatal = fail;
  newSession = python.pyimport("c4mcts.page.worker").start;
  clients.forEach(serve);
}

/** Load and compile the binary while the snapshot is read; Pyodide would begin later. */
function compileEarly() {
  const module = WebAssembly.compileStreaming(fetchCounted(address(BINARY)));
  module.catch(() => {}); // waited for below
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const compiled = await module;
    return { module: compiled, instance: await WebAssembly.instantiate(compiled, imports) };
  };
}

/** @param {MessageEvent} event with the port of a client */
function join({ ports: [client] }) {
  clients.add(client);
  if (failure) part(client);
  else if (newSession) serve(client);
}

/** @param {MessagePort} client is told that this is the end; after the last has gone it is */
function part(client) {
  client.onmessage = () => {
    clients.delete(client);
    if (!clients.size) scope.close();
  };
  client.postMessage({ failure });
}

/** @param {MessagePort} client */
function serve(client) {
  const session = newSession?.((text) => client.postMessage(text));
  client.onmessage = ({ data }) => (data === null ? session.close() : session.receive(data));
  client.postMessage({ loaded, isReady: true });
}

/**
 * Python, from the snapshot or, if there is none that fits, as at the first visit, which makes one. The first of two
 * engines leaves that to the second, since the user waits for it.
 *
 * @param {object} options of Pyodide
 */
async function startPython(options) {
  const snapshot = new Snapshot(VERSION);
  const reading = snapshot.read();
  const { loadPyodide } = await import(address("pyodide.mjs"));
  const stored = await reading;
  if (stored) {
    try {
      const python = await loadPyodide({ ...options, _loadSnapshot: stored });
      delete python._api.config._loadSnapshot; // 21 MB
      python.runPython("import random; random.seed()"); // otherwise each visit would draw the same numbers
      return python;
    } catch {
      await removeSnapshots();
      return loadPyodide(options);
    }
  }
  if (!snapshot.canBeStored || scope.name === "first") return loadPyodide(options);
  const python = await loadPyodide({ ...options, _makeSnapshot: true });
  python.runPython(`import ${IMPORTED_EARLY}`);
  snapshot.store(() => python.makeMemorySnapshot());
  return python;
}

/**
 * The end waits for the snapshots no longer than a moment.
 *
 * @param {unknown} error
 */
async function fail(error) {
  const { message = `${error}` } = /** @type {Error} */ (error ?? {});
  await Promise.race([removeSnapshots(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  failure = message.trimEnd().split("\n").at(-1) ?? ""; // of a traceback of Python the last line
  clients.forEach(part);
}

/** @param {string} name */
function address(name) {
  return new URL(name, import.meta.url).href;
}

/**
 * Like fetch, but what is loaded counts, and what can't be loaded is the end: Pyodide would wait forever.
 *
 * @param {string | URL | Request} request
 * @param {RequestInit} [options]
 */
async function fetchCounted(request, options) {
  const name = nameOf(request);
  const response = await fetchUncounted(request, options).catch(() => null);
  if (!response?.ok) {
    const error = new Error(`${name} can’t be loaded${response ? `: ${response.status} ${response.statusText}` : ""}`);
    fail(error);
    throw error;
  }
  count(response.clone()).catch(() => {}); // the reader of the response gets the error
  return response;
}

/** @param {string | URL | Request} request its file */
function nameOf(request) {
  return new URL(request instanceof Request ? request.url : request).pathname.split("/").at(-1);
}

/** @param {Response} response */
async function count({ body }) {
  const reader = body?.getReader();
  for (let part; (part = await reader?.read()) && part.value;) {
    loaded += part.value.length;
    clients.forEach((client) => client.postMessage({ loaded, isReady: false }));
  }
}

/** @param {string} name */
async function readBundle(name) {
  const { body } = await fetchCounted(address(name));
  return new Uint8Array(await new Response(body?.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

/**
 * Write the files of a tar into a folder.
 *
 * @param {Uint8Array} tar
 * @param {any} files `any`: Emscripten's file system
 * @param {string} folder
 */
function unpack(tar, files, folder) {
  const text = (/** @type {number} */ start, /** @type {number} */ length) =>
    new TextDecoder().decode(tar.subarray(start, start + length)).split("\0")[0];
  for (let at = 0; tar[at]; ) { // a block of zeros is the end
    const size = parseInt(text(at + 124, 12), 8);
    const path = [folder, text(at + 345, 155), text(at, 100)].filter(Boolean).join("/"); // a long name has two parts
    const content = tar.slice(at + BLOCK, at + BLOCK + size);
    files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    files.writeFile(path, content, { canOwn: true });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}
