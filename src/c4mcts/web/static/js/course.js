/**
 * Solves the other positions of a game for the graph, one after the other, where that is quick.
 *
 * @import { App } from "./app.js"
 * @import { Game, Rules } from "./game.js"
 */

const SECONDS = 0.4; // for each position
const BOARD_BITS = 64; // of the largest board that the solver is fast on

/**
 * Whether the solver is fast on boards of that size.
 *
 * @param {Rules} rules
 */
export function isSolvable({ width, height }) {
  return width * (height + 1) <= BOARD_BITS;
}

export class Course {
  #number = 0; // of the game; work for earlier games ends

  /**
   * @param {Pick<App, "store" | "connection">} app
   * @param {() => void} onChange called after each position that was solved
   */
  constructor(app, onChange) {
    this.app = app;
    this.onChange = onChange;
  }

  /**
   * Solve the positions of this game, the last ones first: they are the quickest.
   *
   * @param {Game} game
   */
  async fill(game) {
    const number = ++this.#number;
    const { store, connection } = this.app;
    if (!isSolvable(game.rules)) return;
    for (let ply = game.moves.length; ply >= 0; ply--) {
      const position = game.after(ply);
      const { score, isTried } = store.knowledge(position);
      if (position.outcome || score !== undefined || isTried) continue;
      const asked = connection.request({ action: "solve", ...position.query, columns: false, maxTime: SECONDS });
      const found = await asked.catch(() => null);
      if (number !== this.#number || found === null) return;
      store.learn(position, { isTried: true, ...(found.score !== null && { score: found.score }) });
      this.onChange();
    }
  }

  /** End after the position that is being solved. */
  stop() {
    this.#number++;
  }
}
