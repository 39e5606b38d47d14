/**
 * A lecture: pages that follow a lecturer's page. It sends where it is, and the replies that it gets from the engine;
 * the pages that follow ask no engine, but take the replies to the same questions. The server passes the messages on
 * (http/lecture.py).
 *
 * @import { State } from "./store.js"
 * @import { Transport } from "./connection.js"
 */

import { RequestError } from "./connection.js";
import { writeHash } from "./notation.js";
import { texts } from "./texts.js";

const EVERY = 200; // milliseconds between two messages of the same kind
const SLOTS = 20; // replies that are kept for pages that come later

/** @typedef {Pick<State, "settings" | "view" | "place"> & { hash: string }} Whereabouts */

/** The name of the lecture that this page follows; null: none. */
export const followed = new URLSearchParams(location.search).get("follow");

export class Lecture {
  #key = ""; // with which this page speaks; "": it does not

  /** @type {Map<string, string>} */
  #slots = new Map(); // of the last questions

  /** @type {Map<string, string>} */
  #last = new Map(); // messages, by slot

  /** @type {Set<string>} */
  #unsent = new Set(); // slots

  /**
   * A transport whose replies the lecture gets, too.
   *
   * @param {Transport} transport
   * @returns {Transport}
   */
  listenTo(transport) {
    return (listener) => {
      /** @type {Map<unknown, string>} */
      const asked = new Map(); // by id
      const channel = transport({ ...listener, onOpen: () => {
        listener.onOpen();
        if (this.#key) this.begin().catch(() => {}); // what was lost, and a new server has nothing
      }, onReply: (reply) => {
        const question = asked.get(reply.id);
        if (question && reply.error === undefined) this.#put(this.#slotOf(question), { question, reply });
        listener.onReply(reply);
      } });
      return { ...channel, send: (query) => {
        asked.set(query.id, questionOf(query));
        channel.send(query);
      } };
    };
  }

  /** @param {Readonly<State>} state */
  say({ settings, view, place, ...state }) {
    this.#put("state", { hash: writeHash(state), settings, view, place });
  }

  /** Begin, or go on; returns the name of the lecture. RequestError. */
  async begin() {
    this.#key ||= [...crypto.getRandomValues(new Uint8Array(16))].join("-");
    for (const slot of this.#last.keys()) if (slot !== "state") this.#send(slot);
    const reply = await this.#send("state");
    if (!reply?.ok) throw new RequestError(texts.connection.noAnswer);
    return reply.text();
  }

  /** @param {string} question */
  #slotOf(question) {
    if (question.includes('"query_version"')) return "facts"; // which each page asks for at first
    const slot = this.#slots.get(question) ?? `${this.#slots.size < SLOTS ? this.#slots.size
      : this.#slots.values().next().value}`;
    for (const [old, taken] of this.#slots) if (taken === slot) this.#slots.delete(old);
    this.#slots.set(question, slot);
    return slot;
  }

  /**
   * @param {string} slot
   * @param {object} message
   */
  #put(slot, message) {
    this.#last.set(slot, JSON.stringify(message));
    if (!this.#key || this.#unsent.has(slot)) return;
    this.#unsent.add(slot);
    setTimeout(() => {
      this.#unsent.delete(slot);
      this.#send(slot);
    }, EVERY);
  }

  /** @param {string} slot whose message is sent; null if the server does not answer */
  #send(slot) {
    return fetch(`lecture?key=${this.#key}&slot=${slot}`, { method: "POST", body: this.#last.get(slot) })
      .catch(() => null);
  }
}

/**
 * A transport to a lecture: the replies to the questions are those that the lecturer's page got.
 *
 * @param {string} name
 * @param {(found: Whereabouts) => void} onState called with where the lecturer is
 * @returns {Transport}
 */
export function lectureOf(name, onState) {
  return (listener) => {
    const source = new EventSource(`lecture/${encodeURIComponent(name)}`);
    /** @type {Map<unknown, string>} */
    const asked = new Map(); // questions without their last reply, by id
    /** @type {Map<string, { isDuringSearch?: boolean }>} */
    const replies = new Map(); // by question
    const answer = (/** @type {string} */ question) => {
      const reply = replies.get(question);
      for (const [id, each] of asked) {
        if (!reply || each !== question) continue;
        if (!reply.isDuringSearch) asked.delete(id);
        listener.onReply({ ...reply, id });
      }
    };
    source.onopen = () => {
      source.onopen = null;
      listener.onOpen();
    };
    source.onmessage = ({ data }) => {
      const { question, reply, ...found } = JSON.parse(data);
      if (!question) return onState(found);
      replies.set(question, reply);
      answer(question);
    };
    return {
      send(query) {
        const question = questionOf(query);
        if (query.action !== "terminate") asked.set(query.id, question);
        queueMicrotask(() => (query.action === "terminate"
          ? asked.delete(query.terminateId) && listener.onReply({ id: query.terminateId, noResults: true })
          : answer(question)));
      },
      close: () => source.close(),
    };
  };
}

/** @param {object} query without its id */
function questionOf(query) {
  return JSON.stringify({ ...query, id: undefined });
}
