/**
 * The state of the page, in one place. Data flows one way: a mode or a control calls a method of the store, the store
 * tells its subscribers, and these show the new state.
 *
 * @import { Match } from "./match.js"
 * @import { RootInfo, Solution } from "./protocol.js"
 * @import { Settings } from "./settings.js"
 */

import { Game } from "./game.js";

/** @typedef {"analyse" | "play" | "learn" | "review"} ModeName */
/**
 * The content of the page. Immutable: an update makes a new state.
 *
 * @typedef {object} State
 * @property {ModeName} mode
 * @property {Game} game with all its moves
 * @property {number} ply the number of them on the board
 * @property {boolean} flipped whether the first player has the red discs
 * @property {Settings} settings
 * @property {Match | null} match the game against a level, if one has begun
 */
/**
 * Called after each change, in the order of the changes.
 *
 * @callback Subscriber
 * @param {Readonly<State>} state
 * @param {Readonly<State>} before
 * @returns {void}
 */
/**
 * The knowledge about a position.
 *
 * @typedef {object} Knowledge
 * @property {RootInfo} [root] of its last search
 * @property {Solution} [solution] with the scores of the columns
 * @property {number} [score] the solver's
 * @property {boolean} [isTried] whether the solver was asked for the score
 */

const KEPT = 2000; // positions with stored knowledge

export class Store {
  /** @type {Readonly<State>} */
  #state;

  /** @type {Set<Subscriber>} */
  #subscribers = new Set();

  /** @type {[state: Readonly<State>, before: Readonly<State>][]} */
  #changes = []; // of which subscribers have not been told

  /** @type {Map<string, Readonly<Knowledge>>} */
  #known = new Map(); // by the key of the game

  /** @param {Readonly<Settings>} settings */
  constructor(settings) {
    this.#state = Object.freeze({ mode: "analyse", game: new Game(), ply: 0, flipped: false, settings, match: null });
  }

  get state() {
    return this.#state;
  }

  /**
   * Change some fields, and tell all subscribers. A change made by a subscriber is announced after this one.
   *
   * @param {Partial<State>} fields
   */
  update(fields) {
    const before = this.#state;
    this.#state = Object.freeze({ ...before, ...fields });
    this.#changes.push([this.#state, before]);
    if (this.#changes.length === 1) this.#tell();
  }

  #tell() {
    try {
      for (const change of this.#changes) { // which grows meanwhile
        for (const subscriber of [...this.#subscribers]) subscriber(...change);
      }
    } finally {
      this.#changes = [];
    }
  }

  /**
   * Call a function after each change; returns a function that unsubscribes it.
   *
   * @param {Subscriber} subscriber
   */
  subscribe(subscriber) {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** The game up to the position on the board. */
  get shown() {
    return this.#state.game.after(this.#state.ply);
  }

  /**
   * The knowledge about a position.
   *
   * @param {Game} game
   * @returns {Readonly<Knowledge>}
   */
  knowledge(game) {
    return this.#known.get(game.key) ?? {};
  }

  /**
   * Store knowledge about a position. Subscribers are not called.
   *
   * @param {Game} game
   * @param {Knowledge} fields
   */
  learn(game, fields) {
    const { key } = game;
    const known = { ...this.#known.get(key), ...fields };
    this.#known.delete(key);
    this.#known.set(key, known);
    if (this.#known.size <= KEPT) return;
    const [oldest] = this.#known.keys(); // the one not touched for longest
    this.#known.delete(oldest);
  }

  /**
   * Change some settings.
   *
   * @param {Partial<Settings>} fields
   */
  set(fields) {
    this.update({ settings: Object.freeze({ ...this.#state.settings, ...fields }) });
  }

  /**
   * Put another game on the board, at its end or after some of its moves.
   *
   * @param {Game} game
   */
  load(game, ply = game.moves.length) {
    this.update({ game, ply });
  }

  /**
   * Go to the position after some of the moves; beyond either end, to the end.
   *
   * @param {number} ply
   */
  go(ply) {
    const { game } = this.#state;
    this.update({ ply: Math.max(0, Math.min(game.moves.length, ply)) });
  }

  /**
   * Play a column on the board; later moves are dropped, unless the next one is the same. RangeError.
   *
   * @param {number} column
   */
  play(column) {
    const { game, ply } = this.#state;
    const next = this.shown.play(column);
    this.update(game.moves[ply] === column ? { ply: ply + 1 } : { game: next, ply: ply + 1 });
  }
}
