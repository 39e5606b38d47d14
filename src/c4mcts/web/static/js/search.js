/** The search of the position on the board, and beside it the solver: one of each at a time, stale replies dropped. */

import { isSolvable } from "./course.js";

const REPORT_SECONDS = 0.07;
const SOLVER_SECONDS = 3;
export const NO_LIMIT = 0; // settings.seconds: as long as the server allows

export class LiveSearch {
  #number = 0; // of the position; replies to earlier ones are dropped
  #search = null;
  #solver = null;

  /** onChange: called with this search after each change of `game`, `reply`, `solution`, `isRunning` and `error`. */
  constructor(app, onChange) {
    this.app = app;
    this.onChange = onChange;
    this.clear(app.store.shown);
  }

  /** Forget the results; game: the position of the next ones. */
  clear(game) {
    Object.assign(this, { game, reply: null, solution: null, isRunning: false, error: null });
  }

  /** Search another position, if the search is on; otherwise only end that of the old one. */
  follow(game) {
    this.clear(game);
    this.#restart();
  }

  /** Start, or go on in the tree of the last search. */
  start() {
    this.error = null;
    this.#restart();
  }

  /** End the search; its result stays. */
  stop() {
    this.close();
    this.isRunning = false;
    this.onChange(this);
  }

  /** End the search, and change nothing any more. */
  close() {
    this.#number++;
    this.#end();
  }

  async #restart() {
    const number = ++this.#number;
    const isStale = () => number !== this.#number;
    const { settings } = this.app.store.state;
    this.isRunning = settings.isOn && this.game.outcome === null;
    this.onChange(this);
    await this.#end(); // so that the next search can have its tree
    if (isStale() || !this.isRunning) return;
    try {
      const { limits } = await this.app.server();
      if (isStale()) return;
      this.#solve(isStale, limits);
      await this.#analyze(isStale, settings, limits);
    } catch (error) {
      if (!isStale()) this.error = error.message;
    }
    if (isStale()) return;
    this.isRunning = false;
    this.onChange(this);
  }

  async #analyze(isStale, settings, limits) {
    const take = (reply) => {
      if (isStale()) return;
      this.reply = reply;
      this.app.store.learn(this.game, { root: reply.rootInfo });
      this.onChange(this);
    };
    const query = {
      action: "analyze",
      ...this.game.query,
      preset: settings.preset,
      threads: Math.min(settings.threads, limits.threads),
      maxTime: Math.min(settings.seconds === NO_LIMIT ? Infinity : settings.seconds, limits.seconds),
      reportDuringSearchEvery: REPORT_SECONDS,
      reuseTree: true,
    };
    this.#search = this.app.connection.stream(query, take);
    take(await this.#search.done);
  }

  async #solve(isStale, limits) {
    if (!isSolvable(this.game.rules)) return;
    const kept = this.app.store.knowledge(this.game).solution;
    if (!kept) {
      const query = { action: "solve", ...this.game.query, maxTime: Math.min(SOLVER_SECONDS, limits.seconds) };
      this.#solver = this.app.connection.stream(query);
    }
    const found = kept ?? (await this.#solver.done.catch(() => null));
    if (isStale() || found === null || found.score == null) return;
    this.solution = found;
    this.app.store.learn(this.game, { solution: found, score: found.score });
    this.onChange(this);
  }

  async #end() {
    await Promise.all([this.#search?.stop(), this.#solver?.stop()]);
  }
}
