/**
 * What begins before the rest of the page is there: the engine of an exported page, in a Web Worker (site/engine.js).
 * index.html loads this module first, and it imports no other.
 */

/**
 * @typedef {object} Engine
 * @property {MessagePort} port which keeps the engine's messages until somebody listens
 * @property {Promise<{ reason: string, isFinal: boolean }>} failure resolves if the worker can't be loaded; isFinal:
 * whether the next one can't, either
 * @property {() => void} end
 */

/** Whether the page is within another one. */
export const isEmbedded = /[?&](embed|follow)=/.test(location.search);
document.documentElement.toggleAttribute("data-embedded", isEmbedded);

/** @type {HTMLMetaElement | null} */
const place = document.querySelector("meta[name=engine]");
/** Of an exported page; otherwise the engine is a server's. size: of its files in bytes. */
export const exported = place && { address: new URL(place.content, location.href).href,
  size: Number(place.dataset.size) };
/**
 * Of an exported page: the solver's scores of the columns in the first positions, which are shown before the engine is
 * there. They are listed by the moves: none, [0] to [6], [0, 0] to [6, 6], and so on.
 *
 * @type {Promise<number[][]>}
 */
export const scores = place ? fetch(new URL("../scores.json", import.meta.url)).then((response) => response.json())
  .catch(() => []) : Promise.resolve([]);
/** Whether there is one engine; otherwise a second one starts after the first, and stores the snapshot. */
export const isAlone = isEmbedded || navigator.hardwareConcurrency < 2;

let canShare = isEmbedded;
let tries = 0; // frames share the engine of the same try: one that has failed takes no more clients
let first = exported && newEngine("first");

/** The engine that has begun to start with the page, or, when that has failed, another one. */
export function firstEngine() {
  const engine = first ?? newEngine("first");
  first = null;
  return engine;
}

/** @param {"first" | "second"} name */
export function newEngine(name) {
  return (canShare ? sharedEngine() : null) ?? ownEngine(isAlone ? "alone" : name);
}

/**
 * The engine of all frames that another page has of this one. It has the policy that its server sends.
 *
 * @returns {Engine | null} null: the browser has none, or refuses it here
 */
function sharedEngine() {
  try {
    const worker = new SharedWorker(exported?.address ?? "", { type: "module", name: `${tries++}` });
    const end = () => worker.port.postMessage(null);
    addEventListener("pagehide", ({ persisted }) => persisted || end());
    return { port: worker.port, failure: failureOf(worker, () => (canShare = false)), end };
  } catch {
    return null;
  }
}

/**
 * It starts as a blob, since such a worker has the policy of its page (Content-Security-Policy); a file has none,
 * unless its server sends one.
 *
 * @param {string} name
 * @returns {Engine}
 */
function ownEngine(name) {
  const script = `import ${JSON.stringify(exported?.address)};`;
  const source = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(source, { type: "module", name });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(null, [port2]);
  return { port: port1, failure: failureOf(worker), end() {
    worker.terminate();
    URL.revokeObjectURL(source);
  } };
}

/**
 * @param {AbstractWorker} worker
 * @param {() => void} [onFailure]
 * @returns {Engine["failure"]}
 */
function failureOf(worker, onFailure) {
  return new Promise((resolve) => (worker.onerror = (event) => {
    event.preventDefault();
    onFailure?.();
    resolve({ reason: /** @type {ErrorEvent} */ (event).message ?? "", isFinal: !onFailure });
  }));
}
