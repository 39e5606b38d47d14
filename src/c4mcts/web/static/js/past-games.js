/**
 * The games that were on the board, finished or not, newest first: the browser keeps them as lines of a file.
 *
 * @import { GameTree } from "./game-tree.js"
 * @import { Game } from "./game.js"
 * @import { State, Store } from "./store.js"
 */

import { splitMoves, writeGame } from "./game-text.js";
import { store as keepText, stored, storages } from "./storage.js";

/** @typedef {{ id: string, line: string }} PastGame id: the same while a game goes on */

const NAME = "c4mcts.games";
const MOST = 1000;

export class PastGames {
  /** @type {WeakMap<Game, string>} */
  #ids = new WeakMap(); // by the start positions of the games, which differ for each game

  /**
   * @param {Store} store whose games are kept
   * @param {() => void} onFull called when there is no more space
   */
  constructor(store, onFull) {
    this.onFull = onFull;
    const line = writeGame(store.state);
    const known = pastGames().find((game) => game.line === line); // the page was loaded again
    if (known) this.#ids.set(store.state.tree.start, known.id);
    store.subscribe((state, before) => {
      if (state.tree !== before.tree || state.match !== before.match) this.#keep(state);
    });
  }

  /**
   * @param {GameTree} tree
   * @param {PastGame} past
   */
  resume(tree, { id }) {
    this.#ids.set(tree.start, id);
  }

  /** @param {Readonly<State>} state */
  #keep(state) {
    const { start, root } = state.tree;
    if (root.children.length === 0) return;
    const id = this.#ids.get(start) ?? `${Date.now()}-${Math.random()}`;
    this.#ids.set(start, id);
    const line = writeGame(state);
    const games = pastGames(); // other tabs have some, too
    const same = games.find((game) => game.id === id);
    if (same && splitMoves(same.line)[0] === splitMoves(line)[0] && !state.match) return; // only looked at
    const list = [{ id, line }, ...games.filter((game) => game !== same)].slice(0, MOST);
    if (!keepText(NAME, JSON.stringify(list), storages().slice(-1))) this.onFull();
  }
}

/** @returns {PastGame[]} newest first */
export function pastGames() {
  return stored(NAME, JSON.parse, storages().slice(-1)).found ?? [];
}
