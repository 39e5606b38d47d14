/**
 * The search of the position on the board and the solver, one of each at a time, stale replies dropped; and the solver
 * for the other positions of the game.
 *
 * @import { App } from "./app.js"
 * @import { Running } from "./connection.js"
 * @import { Game, Rules } from "./game.js"
 * @import { Analysis, Solution } from "protocol"
 * @import { Settings } from "./settings.js"
 */

import { Latest } from "./connection.js";
import { messageOf } from "./format.js";
import { hasNetwork, isStandard } from "./game.js";
import { emptyCells, solutionWithout } from "./moves.js";
import { texts } from "./texts.js";

const REPORT_SECONDS = 0.07;
const SOLVER_SECONDS = 3;
export const NO_LIMIT = 0; // settings.seconds: as long as the server allows
const COURSE_SECONDS = 0.4; // for each of the other positions
const BOARD_BITS = 64; // of the largest board that the solver is fast on

export class LiveSearch {
  #latest = new Latest(); // position

  /** @type {Running<Analysis> | null} */
  #search = null;

  /** @type {Running<Solution> | null} */
  #solver = null;

  /** @type {Map<string, Promise<boolean>>} */
  #lines = new Map(); // that the solver is asked for, by the position after their first move

  /** @type {Analysis | null} */
  reply = null; // the last report

  /** @type {ReadonlySet<number>} */
  without = new Set(); // columns that must not be played, in this position

  isRunning = false;

  /** @type {string | null} */
  error = null;

  /**
   * @param {Pick<App, "store" | "connection">} app
   * @param {() => void} onChange called after each change of `game`, `reply`, `solution`, `isRunning` and `error`
   * @param {"preset" | "treePreset"} preset the setting that has it
   */
  constructor(app, onChange, preset = "preset") {
    this.app = app;
    this.preset = preset;
    this.onChange = onChange;
    this.game = app.store.shown;
  }

  /** The columns that may be played. */
  get columns() {
    return this.game.legalColumns.filter((column) => !this.without.has(column));
  }

  /** The solver's answer, among the moves that may be played. */
  get solution() {
    const { solution } = this.app.store.knowledge(this.game);
    return solution ? solutionWithout(solution, this.without, emptyCells(this.game)) : null;
  }

  /** @param {Game} game to be solved and, if the search is on, searched */
  follow(game) {
    this.game = game;
    this.without = new Set();
    this.reply = this.error = null;
    this.#restart();
  }

  /** @param {number} column to search without, or with it again; one of the others must remain */
  leaveOut(column) {
    const without = new Set(this.without);
    if (!without.delete(column)) without.add(column);
    this.without = without;
    this.reply = null;
    this.start();
  }

  /** Start, or continue in the tree of the last search. */
  start() {
    this.error = null;
    this.#restart();
  }

  /** End the search; its result stays. */
  stop() {
    this.close();
    this.isRunning = false;
    this.onChange();
  }

  /** End the search, and change nothing from then on. */
  close() {
    this.#latest.begin();
    this.#end();
  }

  async #restart() {
    const isStale = this.#latest.begin();
    const { settings } = this.app.store.state;
    this.isRunning = settings.isOn && this.game.outcome === null;
    this.onChange();
    await this.#end(); // so that the next search can have its tree
    if (isStale() || this.game.outcome) return;
    try {
      const { limits } = await this.app.connection.facts();
      if (isStale()) return;
      this.#solve(isStale);
      if (!this.isRunning) return;
      await this.#analyze(isStale, settings, limits.threads);
    } catch (error) {
      if (!isStale()) this.error = messageOf(error);
    }
    if (isStale()) return;
    this.isRunning = false;
    this.onChange();
  }

  /**
   * @param {() => boolean} isStale
   * @param {Readonly<Settings>} settings
   * @param {number} mostThreads
   */
  async #analyze(isStale, settings, mostThreads) {
    const take = (/** @type {Analysis} */ reply) => {
      if (isStale()) return;
      this.reply = reply;
      if (!this.without.size) this.app.store.learn(this.game, { root: reply.rootInfo });
      this.onChange();
    };
    const allowMoves = /** @type {[number, ...number[]]} */ (this.columns);
    this.#search = this.app.connection.stream({
      action: "analyze",
      ...this.game.query,
      ...(this.without.size && { allowMoves }),
      preset: presetOn(this.game.rules, settings[this.preset]),
      threads: Math.min(settings.threads, mostThreads),
      maxTime: settings.seconds === NO_LIMIT ? Infinity : settings.seconds,
      reportDuringSearchEvery: REPORT_SECONDS,
      reuseTree: true,
    }, take);
    take(await this.#search.done);
  }

  /** @param {() => boolean} isStale */
  async #solve(isStale) {
    if (!isSolvable(this.game.rules)) return;
    const found = this.app.store.knowledge(this.game).solution ?? (await this.#ask().catch(() => null));
    if (isStale() || found === null || found.score === null) return;
    this.#learn(found);
    if (found.pv.length) return;
    const line = await this.#ask({ columns: false, includePv: true }).catch(() => null);
    if (!isStale() && line) this.#learn({ ...found, pv: line.pv, zugzwang: line.zugzwang });
  }

  /** @param {number} column with which the line of best play begins, if `findLine` has found it */
  lineOf(column) {
    return this.app.store.knowledge(this.game).lines?.get(column) ?? null;
  }

  /**
   * Ask the solver for the line of best play that begins with a move; returns whether it was found.
   *
   * @param {number} column
   */
  findLine(column) {
    const { key } = this.game.play(column);
    const found = this.#lines.get(key) ?? this.#findLine(column).finally(() => this.#lines.delete(key));
    this.#lines.set(key, found);
    return found;
  }

  /** @param {number} column */
  async #findLine(column) {
    const { game } = this;
    const later = game.play(column);
    if (!isSolvable(game.rules) || later.outcome) return false;
    const found = await this.app.connection.request({ action: "solve", ...later.query, columns: false,
      includePv: true, maxTime: SOLVER_SECONDS }).catch(() => null);
    if (!found?.pv.length) return false;
    const { lines } = this.app.store.knowledge(game);
    this.app.store.learn(game, { lines: new Map([...lines ?? [], [column, [column, ...found.pv]]]) });
    return true;
  }

  /** @param {Solution} solution */
  #learn(solution) {
    this.app.store.learn(this.game, { solution, score: solution.score ?? undefined });
    this.onChange();
  }

  /** @param {{ columns?: boolean, includePv?: boolean }} [keys] */
  #ask(keys = {}) {
    this.#solver = this.app.connection.stream({ action: "solve", ...this.game.query, ...keys,
      maxTime: SOLVER_SECONDS });
    return this.#solver.done;
  }

  async #end() {
    await Promise.all([this.#search?.stop(), this.#solver?.stop()]);
  }
}

/** @param {Rules} rules of a board: on small ones the solver is fast */
export function isSolvable({ width, height }) {
  return width * (height + 1) <= BOARD_BITS;
}

/**
 * The preset that searches on a board: the one that was chosen, or "strong" if that is not for the board or is unknown.
 *
 * @param {Rules} rules
 * @param {string} preset
 */
export function presetOn(rules, preset) {
  const isFor = preset === "network" ? hasNetwork(rules) : preset === "perfect" ? isStandard(rules) // for its book
    : preset in texts.presetNames;
  return isFor ? preset : "strong";
}

export class Course {
  #latest = new Latest(); // game

  /**
   * @param {Pick<App, "store" | "connection">} app
   * @param {() => void} onChange called after each position that was solved
   */
  constructor(app, onChange) {
    this.app = app;
    this.onChange = onChange;
  }

  /** @param {Game} game whose positions are solved, the last ones first: they are the quickest */
  async fill(game) {
    const isStale = this.#latest.begin();
    const { store, connection } = this.app;
    if (!isSolvable(game.rules)) return;
    for (let ply = game.moves.length; ply >= 0; ply--) {
      const position = game.after(ply);
      const { score, isTried } = store.knowledge(position);
      if (position.outcome || score !== undefined || isTried) continue;
      const asked = connection.request({ action: "solve", ...position.query, columns: false, maxTime: COURSE_SECONDS });
      const found = await asked.catch(() => null);
      if (isStale() || found === null) return;
      store.learn(position, { isTried: true, ...(found.score !== null && { score: found.score }) });
      this.onChange();
    }
  }

  /** End after the position that is being solved. */
  stop() {
    this.#latest.begin();
  }
}
