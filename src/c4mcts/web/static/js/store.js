/** The state of the page, in one place. Whoever shows a part of it subscribes. */

import { Game } from "./game.js";

const KEPT = 2000; // positions of which something is known

/**
 * State: mode ("analyse", "play", "learn" or "review"); game, with all its moves; ply, how many of them are on the
 * board; flipped, whether the first player has the red discs; settings, see settings.js; match, the game against a
 * level, see match.js, or null.
 */
export class Store {
  #subscribers = new Set();

  #known = new Map();

  constructor(settings) {
    this.state = Object.freeze({ mode: "analyse", game: new Game(), ply: 0, flipped: false, settings, match: null });
  }

  /** Change some fields, and tell all subscribers: (state, state before). A subscriber may change it again. */
  update(fields) {
    const before = this.state;
    this.state = Object.freeze({ ...before, ...fields });
    for (const subscriber of [...this.#subscribers]) subscriber(this.state, before);
  }

  /** Call a function after each change; returns a function that ends that. */
  subscribe(subscriber) {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** The game as far as it is on the board. */
  get shown() {
    return this.state.game.after(this.state.ply);
  }

  /**
   * What is known of a position, with some of: root, the rootInfo of its last search; solution, the reply of the solver;
   * score, the solver's; isTried, whether the solver was asked.
   */
  knowledge(game) {
    return this.#known.get(game.key) ?? {};
  }

  /** Keep what has become known of a position. Subscribers are not told. */
  learn(game, fields) {
    const { key } = game;
    const known = { ...this.#known.get(key), ...fields };
    this.#known.delete(key);
    this.#known.set(key, known);
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value); // the one not touched for longest
  }

  /** Put another game on the board, at its end or after so many moves. */
  load(game, ply = game.moves.length) {
    this.update({ game, ply });
  }

  /** Go to the position after so many moves. */
  go(ply) {
    const { game } = this.state;
    this.update({ ply: Math.max(0, Math.min(game.moves.length, ply)) });
  }

  /** Play a column on the board; later moves are dropped, unless the next one is the same. RangeError. */
  play(column) {
    const { game, ply } = this.state;
    const next = this.shown.play(column);
    this.update(game.moves[ply] === column ? { ply: ply + 1 } : { game: next, ply: ply + 1 });
  }
}
