/**
 * Two engines as one, for a page in whose browser they run: searches in the first, what else takes time in the second,
 * so that neither waits for the other.
 *
 * @import { Channel, Listener, Transport } from "./connection.js"
 * @import { Message } from "./protocol.js"
 */

/** @type {unknown[]} */
const SEPARATE = ["solve", "play", "review", "steps"]; // they need no tree of a search

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
  /** @type {Map<string, Message>} */
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
