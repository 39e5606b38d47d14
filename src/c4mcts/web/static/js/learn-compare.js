/**
 * Two searches side by side: the same position and random numbers, two settings.
 *
 * @import { App } from "./app.js"
 * @import { Choice, SideName } from "./compare-side.js"
 * @import { Running } from "./connection.js"
 * @import { Analysis, Solution } from "./protocol.js"
 * @import { State } from "./store.js"
 */

import { COUNTS, Side } from "./compare-side.js";
import { exactOf } from "./compare-words.js";
import { isSolvable } from "./course.js";
import { h, setText } from "./dom.js";
import { messageOf } from "./format.js";
import { ghostsOf } from "./moves.js";
import { texts } from "./texts.js";

const TEXTS = texts.learnCompare;
const SECONDS = 10; // for each search
const SOLVER_SECONDS = 3;
/** @type {SideName[]} */
const NAMES = ["A", "B"];
/** @type {Choice} */
const UCT = { preset: "uct", exploration: "", rollout: "" };
/** @type {[text: string, choices: [Choice, Choice]][]} */
const PAIRS = [
  [TEXTS.factors, [{ ...UCT, exploration: "0.3" }, { ...UCT, exploration: "3" }]],
  [TEXTS.rollouts, [{ ...UCT, rollout: "random" }, { ...UCT, rollout: "safe" }]],
  [TEXTS.presets, [UCT, { ...UCT, preset: "strong" }]],
];

export class Comparison {
  #number = 0; // of the comparison; replies to earlier ones are dropped

  /** @type {Running<Analysis> | null} */
  #running = null;

  /** @type {Solution | null} */
  #solution = null;

  /** @type {number | null} */
  #seed = null; // null: drawn by the server

  #problem = h("p", { class: "error", role: "alert", hidden: true });
  #exact = h("p", { class: "compare-exact" });

  /**
   * @param {App} app
   * @param {HTMLElement} place
   */
  constructor(app, place) {
    this.app = app;
    this.sides = NAMES.map((name) => new Side(app, name, () => this.request()));
    const pairs = PAIRS.map(([text, choices]) =>
      h("button", { type: "button", onclick: () => this.#choose(choices) }, text));
    const luck = h("button", { type: "button", id: "compare-again", title: TEXTS.againTitle,
      onclick: () => {
        this.#seed = null;
        this.request();
      } }, TEXTS.again);
    place.append(h("h1", {}, TEXTS.title),
      h("p", { class: "soft" }, TEXTS.about),
      h("div", { class: "row", role: "group", "aria-label": TEXTS.settings }, ...pairs, luck),
      this.#exact, this.#problem, h("div", { class: "compare" }, ...this.sides.map((side) => side.element)));
    this.request();
  }

  /** @param {[Choice, Choice]} choices */
  #choose(choices) {
    this.sides.forEach((side, index) => side.choose(choices[index]));
    this.request();
  }

  /** Search the position on the board with both settings. */
  async request() {
    const mine = ++this.#number;
    const isStale = () => mine !== this.#number;
    const game = this.app.store.shown;
    this.#clear(game.rules.width);
    await this.#running?.stop();
    if (isStale()) return;
    if (game.outcome) return this.#fail(TEXTS.over);
    try {
      const { limits } = await this.app.connection.facts();
      if (isStale()) return;
      this.#solve(isStale, Math.min(SOLVER_SECONDS, limits.seconds));
      for (const [index, count] of COUNTS.entries()) {
        for (const side of this.sides) {
          this.#running = this.app.connection.stream({ action: "analyze", ...game.query, ...side.query,
            maxVisits: count, maxTime: Math.min(SECONDS, limits.seconds),
            ...(this.#seed !== null && { seed: this.#seed }) });
          const reply = await this.#running.done;
          if (isStale()) return;
          this.#seed = reply.rootInfo.seed;
          side.take(index, reply, this.#solution);
        }
      }
      this.#end();
    } catch (error) {
      if (!isStale()) this.#fail(messageOf(error));
    }
  }

  /**
   * @param {() => boolean} isStale
   * @param {number} maxTime
   */
  async #solve(isStale, maxTime) {
    const { store, connection } = this.app;
    const game = store.shown;
    if (!isSolvable(game.rules)) return;
    const known = store.knowledge(game).solution;
    const found = known ?? await connection.request({ action: "solve", ...game.query, maxTime }).catch(() => null);
    if (isStale() || found === null || found.score === null) return;
    this.#solution = found;
    store.learn(game, { solution: found, score: found.score });
    setText(this.#exact, exactOf(found));
    for (const side of this.sides) side.show(found);
  }

  /** Show both moves on the board, and tell them. */
  #end() {
    const game = this.app.store.shown;
    const [one, other] = this.sides.map((side) => side.move);
    const discs = one === other ? [{ move: one, text: "AB" }] : [{ move: one, text: "A" }, { move: other, text: "B" }];
    this.app.board.setGhosts(discs.flatMap(({ move, text }) => (move === null ? []
      : ghostsOf(game, [move], 1).map((ghost) => ({ ...ghost, text })))));
    const words = this.sides.map((side) => `${side.name}: ${side.words}`);
    this.app.announce([...words, exactOf(this.#solution)].join(" "));
  }

  /** @param {string} text */
  #fail(text) {
    this.#problem.hidden = false;
    setText(this.#problem, text);
  }

  /** @param {number} width of the board */
  #clear(width) {
    this.#problem.hidden = true;
    this.#solution = null;
    setText(this.#exact, "");
    this.app.board.setGhosts([]);
    for (const side of this.sides) side.clear(width);
  }

  onKey() {
    return false;
  }

  /**
   * @param {Readonly<State>} state
   * @param {Readonly<State>} before
   */
  onState(state, before) {
    if (state.game !== before.game || state.ply !== before.ply) this.request();
    else if (state.flipped !== before.flipped) this.#end();
  }

  onConnect() {
    this.request();
  }

  unmount() {
    this.#number++;
    this.#running?.stop();
    this.app.board.setGhosts([]);
  }
}
