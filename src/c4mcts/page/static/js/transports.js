/**
 * Ways to a server of the protocol; connection.js describes their interface.
 *
 * @import { Channel, Listener, Transport } from "./connection.js"
 * @import { Message } from "protocol"
 */

import { fill, texts } from "./texts.js";

const TEXTS = texts.transports;
/** @type {unknown[]} */
const SEPARATE = ["solve", "play", "review", "steps"]; // they need no tree of a search

/**
 * The model of an anywidget, as far as it is used here.
 *
 * @typedef {object} Model
 * @property {(name: string) => any} get `any`: the value of a trait
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(content: unknown) => void} send
 * @property {(name: string, listener: (message: any) => void) => void} on `any`: data sent by Python
 * @property {(name: string, listener: (message: any) => void) => void} off
 */

/**
 * A WebSocket for each conversation, one message in each frame.
 *
 * @param {string} address
 * @returns {Transport}
 */
export function webSocket(address) {
  return (listener) => {
    const socket = new WebSocket(address);
    socket.onopen = listener.onOpen;
    socket.onmessage = (event) => listener.onReply(JSON.parse(event.data));
    socket.onclose = (event) => listener.onClose(event.reason);
    return {
      send: (query) => socket.send(JSON.stringify(query)),
      close() {
        socket.onopen = socket.onmessage = socket.onclose = null;
        socket.close();
      },
    };
  };
}

/**
 * A Web Worker for each conversation, in which the engine runs: see site/engine.js. If it fails, it is for the user
 * to start another.
 *
 * It starts as a blob, since such a worker has the policy of its page (Content-Security-Policy); a file has none,
 * unless its server sends one.
 *
 * @param {string} address of its module
 * @param {(loaded: number) => void} [onProgress] called with the number of bytes loaded so far
 * @returns {Transport}
 */
export function webWorker(address, onProgress = () => {}) {
  return (listener) => {
    const source = URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" }));
    const worker = new Worker(source, { type: "module" });
    return listenTo(worker, worker, listener, onProgress, () => {
      worker.terminate();
      URL.revokeObjectURL(source);
    });
  };
}

/**
 * One Web Worker for all frames of the page that another page has, as far as the browser lets them share it; otherwise
 * each has its own. It has the policy that its server sends.
 *
 * @param {string} address of its module
 * @param {(loaded: number) => void} [onProgress] called with the number of bytes loaded so far
 * @returns {Transport}
 */
export function sharedWorker(address, onProgress = () => {}) {
  const own = webWorker(address, onProgress);
  return (listener) => {
    const worker = sharedWorkerAt(address);
    if (!worker) return own(listener);
    let channel = listenTo(worker.port, worker, listener, onProgress, () => worker.port.postMessage(null));
    worker.onerror = () => (channel = own(listener));
    addEventListener("pagehide", ({ persisted }) => persisted || channel.close());
    return { send: (query) => channel.send(query), close: () => channel.close() };
  };
}

/** @param {string} address */
function sharedWorkerAt(address) {
  try {
    return new SharedWorker(address, { type: "module" });
  } catch {
    return null; // there are none, or they are not allowed here
  }
}

/**
 * @param {Worker | MessagePort} port to the engine
 * @param {AbstractWorker} worker
 * @param {Listener} listener
 * @param {(loaded: number) => void} onProgress
 * @param {() => void} leave tells the engine that this is the end
 * @returns {Channel}
 */
function listenTo(port, worker, listener, onProgress, leave) {
  const end = () => {
    port.onmessage = worker.onerror = null;
    leave();
  };
  const fail = (/** @type {string} */ reason) => {
    end();
    listener.onClose(fill(TEXTS.failed, { reason: reason && `: ${reason}` }), true);
  };
  port.onmessage = ({ data }) => {
    if (typeof data === "string") listener.onReply(JSON.parse(data));
    else if (data.failure !== undefined) fail(data.failure.replace(/\.$/, ""));
    else if (data.isReady) listener.onOpen();
    else onProgress(data.loaded);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail(/** @type {ErrorEvent} */ (event).message ?? TEXTS.notLoaded);
  };
  return { send: (query) => port.postMessage(JSON.stringify(query)), close: end };
}

/**
 * The messages of a widget's model, which has several views: {view, text} to Python, {view, reply} back, and
 * {view, isGone} at the end. The model lives as long as the view, so a conversation is never lost.
 *
 * @param {Model} model
 * @param {string} view the name of this one
 * @returns {Transport}
 */
export function widgetModel(model, view) {
  return (listener) => {
    const receive = (/** @type {{ view: string, reply: unknown }} */ message) => {
      if (message.view === view) listener.onReply(message.reply);
    };
    model.on("msg:custom", receive);
    queueMicrotask(listener.onOpen);
    return {
      send: (query) => model.send({ view, text: JSON.stringify(query) }),
      close() {
        model.off("msg:custom", receive);
        model.send({ view, isGone: true });
      },
    };
  };
}

/**
 * The second engine starts when the first is ready. Until it is ready, too, and if it fails, the first does everything.
 *
 * @param {Transport} first
 * @param {Transport} second
 * @returns {Transport}
 */
export function enginePair(first, second) {
  return (listener) => {
    const helper = new Helper(second, listener);
    const main = first({
      onOpen() {
        listener.onOpen();
        helper.start(main);
      },
      onReply: listener.onReply,
      onClose(...reason) {
        helper.close();
        listener.onClose(...reason);
      },
    });
    return {
      send: (query) => (helper.takes(query) ? helper : main).send(query),
      close() {
        helper.close();
        main.close();
      },
    };
  };
}

/** The second engine of a pair. */
class Helper {
  /** @type {Map<string | number, Message>} */
  #asked = new Map(); // queries without their last reply, by id

  /** @type {Channel | null} */
  #channel = null;

  #isReady = false;

  /**
   * @param {Transport} transport
   * @param {Listener} listener
   */
  constructor(transport, listener) {
    this.transport = transport;
    this.listener = listener;
  }

  /** @param {Channel} main gets the queries of this engine if it fails */
  start(main) {
    this.#channel = this.transport({
      onOpen: () => (this.#isReady = true),
      onReply: (reply) => {
        if (!reply.isDuringSearch) this.#asked.delete(reply.id);
        this.listener.onReply(reply);
      },
      onClose: () => {
        this.#isReady = false;
        this.#channel = null;
        for (const query of this.#asked.values()) main.send(query);
        this.#asked.clear();
      },
    });
  }

  /** @param {Message} query */
  takes(query) {
    if (query.action === "terminate") return this.#asked.has(query.terminateId);
    return this.#isReady && SEPARATE.includes(query.action);
  }

  /** @param {Message} query */
  send(query) {
    if (query.action !== "terminate") this.#asked.set(query.id, query);
    this.#channel?.send(query);
  }

  close() {
    this.#isReady = false;
    this.#channel?.close();
    this.#channel = null;
  }
}
