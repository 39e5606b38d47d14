/**
 * Requests with their replies, as docs/guide/protocol.md says, over any transport. A conversation that is lost is
 * restarted.
 *
 * @import { Message, Query, ReplyTo, ReportOf, ServerFacts, TerminateQuery } from "protocol"
 */

import { fullSentence, messageOf } from "./format.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.connection;

/**
 * A way to a server of the protocol: see transports.js. It is called for each conversation: at first, and again after
 * each loss.
 *
 * @callback Transport
 * @param {Listener} listener called with events, but not before the transport has returned
 * @returns {Channel}
 */
/**
 * @typedef {object} Listener
 * @property {() => void} onOpen the server can be reached; called once, before any reply
 * @property {(reply: any) => void} onReply called with each reply; `any`: from outside; what it holds depends on the
 *   query with its id
 * @property {(reason: string, isFinal?: boolean) => void} onClose the conversation is lost, or could not be begun;
 *   called once, at the end; the reason is a sentence for the user, or ""; isFinal: only the user may restart it
 */
/**
 * @typedef {object} Channel
 * @property {(query: Message) => void} send sends a query; called between onOpen and onClose only
 * @property {() => void} close ends the conversation, after which the listener is told nothing
 */
/**
 * A query on its way.
 *
 * @template Reply
 * @typedef {object} Running
 * @property {Promise<Reply>} done resolves with the last reply; rejects with a RequestError
 * @property {() => Promise<void>} stop ends the search, drops its reports, and resolves when the server has finished
 * with it
 */
/**
 * A query that has not had its last reply. `any`: the content of the replies depends on the query; see `stream`.
 *
 * @typedef {object} Asked
 * @property {(report: any) => void} onReport
 * @property {(reply: any) => void} resolve
 * @property {(error: RequestError) => void} reject
 */

const WAITS = [500, 1000, 2000, 5000]; // milliseconds before each new try

/** Tells the last of several questions from earlier ones, which are stopped, and whose answers are dropped. */
export class Latest {
  #number = 0;

  /** @type {() => unknown} */
  #stop = () => {}; // the last one

  /** Begin a question, or drop the last one; returns a function that says whether this has happened again since. */
  begin() {
    this.#stop();
    this.#stop = () => {};
    const number = ++this.#number;
    return () => number !== this.#number;
  }

  /**
   * Begin a question, and take its answer, or its error in words for the user, unless another one has begun since.
   *
   * @template Answer
   * @param {Partial<Running<Answer>> & { done: Promise<Answer> } | ((isStale: () => boolean) => Promise<Answer>)} asked
   * @param {(answer: Answer) => void} take
   * @param {(problem: string) => void} fail
   */
  async ask(asked, take, fail) {
    const isStale = this.begin();
    if ("stop" in asked && asked.stop) this.#stop = asked.stop;
    try {
      const found = await (typeof asked === "function" ? asked(isStale) : asked.done);
      if (!isStale()) take(found);
    } catch (error) {
      if (!isStale()) fail(messageOf(error));
    }
  }
}

/** An error that the server replied with, as a sentence, or the loss of the connection. */
export class RequestError extends Error {}

export class Connection {
  /** @type {Transport} */
  #transport;

  /** @type {(isConnected: boolean, reason: string, isFinal: boolean) => void} */
  #onStatus;

  /** @type {Channel | null} */
  #channel = null; // null between two conversations

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer; // of the next try

  /** @type {Map<string, Asked>} */
  #asked = new Map(); // by id

  /** @type {Message[]} */
  #unsent = []; // queries that wait for a conversation

  /** @type {Promise<ServerFacts> | null} */
  #facts = null;

  #mostSeconds = Infinity; // of a query, as the server has said last
  #isOpen = false; // whether the server can be reached
  #tries = 0;
  #count = 0;

  /**
   * @param {Transport} transport
   * @param {(isConnected: boolean, reason: string, isFinal: boolean) => void} onStatus called with true when the server
   *   can be reached, and with false and a reason when it no longer can; isFinal: until `restart` is called
   */
  constructor(transport, onStatus = () => {}) {
    this.#transport = transport;
    this.#onStatus = onStatus;
    this.restart();
  }

  /**
   * Send a query, and wait for its last reply. RequestError.
   *
   * @template {Query} Q
   * @param {Q} query
   * @returns {Promise<ReplyTo<Q>>}
   */
  request(query) {
    if (!("maxTime" in query)) return this.stream(query).done;
    return this.facts().then(() => this.stream(query).done);
  }

  /**
   * Send a query; onReport gets the replies before the last one. It asks for no more time than the server allows, once
   * `facts` has said how much that is.
   *
   * @template {Query} Q
   * @param {Q} query
   * @param {(report: ReportOf<Q>) => void} onReport
   * @returns {Running<ReplyTo<Q>>}
   */
  stream(query, onReport = () => {}) {
    const id = this.#nextId();
    /** @type {Promise<ReplyTo<Q>>} */
    const done = new Promise((resolve, reject) => this.#asked.set(id, { onReport, resolve, reject }));
    done.catch(() => {}); // those who wait for it get the error
    this.#send(id, "maxTime" in query
      ? { ...query, maxTime: Math.min(query.maxTime ?? Infinity, this.#mostSeconds) } : query);
    const stop = async () => {
      const asked = this.#asked.get(id);
      if (asked) {
        asked.onReport = () => {};
        this.#send(this.#nextId(), { action: "terminate", terminateId: id });
      }
      await done.catch(() => {});
    };
    return { done, stop };
  }

  /** The abilities of the server; requested once per conversation. RequestError. */
  facts() {
    if (!this.#facts) {
      this.#facts = this.request({ action: "query_version" });
      this.#facts.then(({ limits }) => (this.#mostSeconds = limits.seconds), () => {}); // who asks gets the error
    }
    return this.#facts;
  }

  /** End the conversation for good. */
  close() {
    clearTimeout(this.#timer);
    this.#channel?.close();
    this.#forget().forEach((asked) => asked.reject(new RequestError(TEXTS.closed)));
  }

  #nextId() {
    return `${++this.#count}`;
  }

  /**
   * @param {string} id
   * @param {Query | TerminateQuery} query
   */
  #send(id, query) {
    const message = { id, ...query };
    if (this.#isOpen) this.#channel?.send(message);
    else this.#unsent.push(message);
  }

  /** Begin a conversation: at first, after a loss, and when the user wants it. */
  restart() {
    this.#channel = this.#transport({
      onOpen: () => this.#open(),
      onReply: (reply) => this.#receive(reply),
      onClose: (reason, isFinal = false) => this.#lose(reason || TEXTS.noAnswer, isFinal),
    });
  }

  #open() {
    this.#isOpen = true;
    this.#tries = 0;
    this.#unsent.splice(0).forEach((message) => this.#channel?.send(message));
    this.#onStatus(true, "", false);
  }

  /** @param {any} reply `any`: see Listener */
  #receive(reply) {
    const asked = this.#asked.get(reply.id);
    if (!asked) return; // to a terminate, or to a query that is forgotten
    if (reply.isDuringSearch) {
      asked.onReport(reply);
      return;
    }
    this.#asked.delete(reply.id);
    if (reply.error !== undefined) {
      asked.reject(new RequestError(fill(TEXTS.refused, { reason: fullSentence(reply.error) })));
    } else if (reply.noResults) asked.reject(new RequestError(TEXTS.noResult));
    else asked.resolve(reply);
  }

  /**
   * @param {string} reason
   * @param {boolean} isFinal
   */
  #lose(reason, isFinal) {
    const lost = this.#forget();
    this.#onStatus(false, reason, isFinal);
    lost.forEach((asked) => asked.reject(new RequestError(TEXTS.lost)));
    if (isFinal) return;
    this.#timer = setTimeout(() => this.restart(), WAITS[Math.min(this.#tries++, WAITS.length - 1)]);
  }

  /** Forget the conversation; returns the queries that will not get a reply. */
  #forget() {
    const lost = [...this.#asked.values()];
    this.#asked.clear();
    this.#unsent = [];
    this.#channel = null;
    this.#isOpen = false;
    this.#facts = null;
    return lost;
  }
}
