/**
 * Ways to a server of the protocol; connection.js describes their interface.
 *
 * @import { Channel, Transport } from "./connection.js"
 * @import { Engine } from "./start.js"
 * @import { Message } from "protocol"
 */

import { fill, texts } from "./texts.js";

const TEXTS = texts.transports;
/** @type {unknown[]} */
const SEPARATE = ["solve", "play", "review", "steps"]; // they need no tree of a search
const PAUSE = 1000; // milliseconds before the second engine starts

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
 * An engine in the browser for each conversation. If it fails, it is for the user to start another.
 *
 * @param {() => Engine} newEngine
 * @param {(loaded: number) => void} [onProgress] called with the number of bytes loaded so far
 * @returns {Transport}
 */
export function webWorker(newEngine, onProgress = () => {}) {
  return (listener) => {
    const engine = newEngine();
    const { port } = engine;
    let isOver = false;
    const end = () => {
      isOver = true;
      port.onmessage = null;
      engine.end();
    };
    const fail = (/** @type {string} */ reason, isFinal = true) => {
      if (isOver) return;
      end();
      listener.onClose(fill(TEXTS.failed, { reason: reason && `: ${reason}` }), isFinal);
    };
    engine.failure.then(({ reason, isFinal }) => fail(reason || TEXTS.notLoaded, isFinal));
    port.onmessage = ({ data }) => {
      if (typeof data === "string") listener.onReply(JSON.parse(data));
      else if (data.failure !== undefined) fail(data.failure.replace(/\.$/, ""));
      else if (data.isReady) listener.onOpen();
      else onProgress(data.loaded);
    };
    return { send: (query) => port.postMessage(JSON.stringify(query)), close: end };
  };
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
 * The second engine starts a moment after the first is ready, which has answered the first questions by then. Until it
 * is ready, too, and if it fails, the first does everything.
 *
 * @param {Transport} first
 * @param {Transport} second
 * @returns {Transport}
 */
export function enginePair(first, second) {
  return (listener) => {
    /** @type {Map<string | number, Message>} */
    const asked = new Map(); // queries of the second engine without their last reply, by id
    /** @type {Channel | null} */
    let helper = null;
    let isReady = false; // the second
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const start = () => (helper = second({
      onOpen: () => (isReady = true),
      onReply(reply) {
        if (!reply.isDuringSearch) asked.delete(reply.id);
        listener.onReply(reply);
      },
      onClose() {
        isReady = false;
        helper = null;
        for (const query of asked.values()) main.send(query);
        asked.clear();
      },
    }));
    const end = () => {
      clearTimeout(timer);
      isReady = false;
      helper?.close();
      helper = null;
    };
    const main = first({
      onOpen() {
        listener.onOpen();
        timer = setTimeout(start, PAUSE);
      },
      onReply: listener.onReply,
      onClose(...reason) {
        end();
        listener.onClose(...reason);
      },
    });
    const takes = (/** @type {Message} */ query) => (query.action === "terminate" ? asked.has(query.terminateId)
      : isReady && SEPARATE.includes(query.action));
    return {
      send(query) {
        if (!takes(query)) return main.send(query);
        if (query.action !== "terminate") asked.set(query.id, query);
        helper?.send(query);
      },
      close() {
        end();
        main.close();
      },
    };
  };
}
