/**
 * Two searches side by side: the same position and random numbers, two settings.
 *
 * @import { App, Mode } from "./app.js"
 * @import { Running } from "./connection.js"
 * @import { Analysis, RolloutPolicy, Solution } from "protocol"
 */

import { Latest } from "./connection.js";
import { button, h, headRow, problemLine, setStyle, setText, showText, table } from "./dom.js";
import { explorationField, menu, presetField } from "./fields.js";
import { listed, messageOf, percent, sentence, value, whole } from "./format.js";
import { ghostsOf } from "./moves.js";
import { isSolvable } from "./search.js";
import { isOtherPosition } from "./store.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.compare;
const FIELDS = texts.searchFields;
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
/** @type {[value: RolloutPolicy | "", text: string][]} */
const ROLLOUTS = [["", FIELDS.ofPreset], ["random", FIELDS.random], ["decisive", FIELDS.decisive],
  ["safe", FIELDS.safe]];
const COUNTS = [20, 200, 2_000, 20_000]; // simulations
/** @type {Record<Mark, [sign: string, words: string, name: string]>} */
const MARKS = {
  best: ["✓", TEXTS.best, "win"],
  holds: ["=", TEXTS.holds, "draw"],
  fails: ["✗", TEXTS.fails, "loss"],
};

/** @typedef {"A" | "B"} SideName */
/** @typedef {{ preset: string, exploration: string, rollout: RolloutPolicy | "" }} Choice exploration: as typed */

/** @typedef {"best" | "holds" | "fails"} Mark */

export class Comparison {
  #latest = new Latest(); // comparison

  /** @type {Running<Analysis> | null} */
  #running = null;

  /** @type {Solution | null} */
  #solution = null;

  /** @type {number | null} */
  #seed = null; // null: drawn by the server

  #problem = problemLine();
  #exact = h("p", { class: "compare-exact" });

  /**
   * @param {App} app
   * @param {HTMLElement} place
   */
  constructor(app, place) {
    this.app = app;
    this.sides = NAMES.map((name) => new Side(app, name, () => this.request()));
    const pairs = PAIRS.map(([text, choices]) => button(text, () => {
      this.sides.forEach((side, index) => side.choose(choices[index]));
      this.request();
    }));
    const luck = button(TEXTS.again, () => {
      this.#seed = null;
      this.request();
    }, { id: "compare-again", title: TEXTS.againTitle });
    place.append(h("h1", {}, TEXTS.title),
      h("p", { class: "soft" }, TEXTS.about),
      h("div", { class: "row", role: "group", "aria-label": TEXTS.settings }, ...pairs, luck),
      this.#exact, this.#problem, h("div", { class: "compare" }, ...this.sides.map((side) => side.element)));
    this.request();
  }

  /** Search the position on the board with both settings. */
  async request() {
    const isStale = this.#latest.begin();
    const game = this.app.store.shown;
    this.#clear(game.rules.width);
    await this.#running?.stop();
    if (isStale()) return;
    if (game.outcome) return showText(this.#problem, TEXTS.over);
    try {
      await this.app.connection.facts(); // the searches keep to its limits
      if (isStale()) return;
      this.#solve(isStale);
      for (const [index, count] of COUNTS.entries()) {
        for (const side of this.sides) {
          this.#running = this.app.connection.stream({ action: "analyze", ...game.query, ...side.query,
            maxVisits: count, maxTime: SECONDS, ...(this.#seed !== null && { seed: this.#seed }) });
          const reply = await this.#running.done;
          if (isStale()) return;
          this.#seed = reply.rootInfo.seed;
          side.take(index, reply, this.#solution);
        }
      }
      this.#end();
    } catch (error) {
      if (!isStale()) showText(this.#problem, messageOf(error));
    }
  }

  /** @param {() => boolean} isStale */
  async #solve(isStale) {
    const { store, connection } = this.app;
    const game = store.shown;
    if (!isSolvable(game.rules)) return;
    const known = store.knowledge(game).solution;
    const asked = { action: /** @type {const} */ ("solve"), ...game.query, maxTime: SOLVER_SECONDS };
    const found = known ?? await connection.request(asked).catch(() => null);
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

  /** @param {number} width of the board */
  #clear(width) {
    showText(this.#problem, null);
    this.#solution = null;
    setText(this.#exact, "");
    this.app.board.setGhosts([]);
    for (const side of this.sides) side.clear(width);
  }

  /** @type {Mode["onState"]} */
  onState(state, before) {
    if (isOtherPosition(state, before)) this.request();
    else if (state.flipped !== before.flipped) this.#end();
  }

  onConnect() {
    this.request();
  }

  unmount() {
    this.#latest.begin();
    this.#running?.stop();
    this.app.board.setGhosts([]);
  }
}

/** One of the two searches: its settings, and what it plays. */
class Side {
  /** @type {(Analysis | null)[]} */
  #replies = []; // after each of COUNTS; null: not there yet

  #text = h("p", { class: "compare-words" });
  #body = h("tbody", {});

  /**
   * @param {App} app
   * @param {SideName} name
   * @param {() => void} onChange called when the user has changed the settings
   */
  constructor(app, name, onChange) {
    const { store } = app;
    const id = `compare-${name.toLowerCase()}`;
    const changed = () => {
      this.#keep();
      onChange();
    };
    this.name = name;
    this.store = store;
    this.preset = presetField(app, { id, value: store.state.settings[`preset${name}`], onChange: changed,
      onFacts: () => this.#offerRollouts() });
    this.exploration = explorationField(`${id}-c`, changed, TEXTS.factorC);
    this.rollout = menu(ROLLOUTS, store.state.settings[`rollout${name}`], changed, { id: `${id}-rollouts` });
    this.exploration.text = store.state.settings[`exploration${name}`];
    const head = headRow([TEXTS.simulations, TEXTS.plays, TEXTS.value, TEXTS.visits], "left");
    this.element = h("section", { class: "side", "aria-labelledby": `${id}-name` },
      h("h2", { id: `${id}-name` }, name),
      h("div", { class: "fields" }, this.preset.element, this.exploration.element,
        h("label", {}, FIELDS.rollouts, this.rollout.element)),
      this.exploration.problem, this.preset.about, this.#text,
      table(TEXTS.caption, head, this.#body, { class: "table compare-table" }));
  }

  /** @param {Choice} choice */
  choose({ preset, exploration, rollout }) {
    this.preset.value = preset;
    this.exploration.text = exploration;
    this.rollout.choose(rollout);
    this.#keep();
  }

  #offerRollouts() {
    this.rollout.element.disabled = !this.preset.hasRollouts;
  }

  /** Store the settings, for the next time. */
  #keep() {
    this.store.set({ [`preset${this.name}`]: this.preset.value, [`exploration${this.name}`]: this.exploration.text,
      [`rollout${this.name}`]: this.rollout.value() });
  }

  /** The keys of the query that choose the search. */
  get query() {
    const [exploration, rollout] = [this.exploration.value, this.preset.hasRollouts && this.rollout.value()];
    const overrideSettings = { ...(exploration !== null && { exploration }), ...(rollout && { rollout }) };
    return { preset: this.preset.value, overrideSettings };
  }

  /** The move that it plays after most simulations. */
  get move() {
    const reply = this.#replies.at(-1);
    return reply ? moveOf(reply) : null;
  }

  get words() {
    return courseOf(this.#replies);
  }

  /**
   * @param {number} index in COUNTS
   * @param {Analysis} reply
   * @param {Solution | null} solution
   */
  take(index, reply, solution) {
    this.#replies[index] = reply;
    this.show(solution);
  }

  /** @param {number} width of the board */
  clear(width) {
    this.preset.follow();
    this.#offerRollouts();
    this.#replies = COUNTS.map(() => null);
    this.#body.replaceChildren(...COUNTS.map((count) => {
      const bars = h("span", { class: "shares", "aria-hidden": "true" },
        ...Array.from({ length: width }, () => h("i", {})));
      const sign = h("span", { "aria-hidden": "true" });
      return h("tr", {}, h("th", { scope: "row" }, whole(count)),
        h("td", {}, h("b", {}, "…"), " ", sign, h("span", { class: "hidden" })),
        h("td", {}), h("td", {}, bars, h("span", { class: "hidden" })));
    }));
    this.show(null);
  }

  /** @param {Solution | null} solution */
  show(solution) {
    setText(this.#text, this.words);
    this.#replies.forEach((reply, index) => {
      if (!reply) return;
      const [, plays, mean, visits] = this.#body.rows[index].cells;
      const move = moveOf(reply);
      const mark = markOf(move, solution);
      const [sign, words, name] = mark ? MARKS[mark] : ["", "", ""];
      setText(plays.children[0], `${move + 1}`);
      setText(plays.children[1], sign);
      setText(plays.children[2], words);
      plays.className = name;
      plays.title = words;
      setText(mean, value(reply.rootInfo.winrate));
      const [bars, spoken] = visits.children;
      const shares = sharesOf(reply, bars.children.length);
      const most = Math.max(...shares);
      shares.forEach((share, column) =>
        setStyle(/** @type {HTMLElement} */ (bars.children[column]), "--part", most ? share / most : 0));
      setText(spoken, shares.map((share, column) => `${column + 1}: ${percent(share)}`).join(", "));
    });
  }
}

/** @param {Analysis} reply */
function moveOf({ moveInfos }) {
  return moveInfos[0].move;
}

/** @param {readonly (Analysis | null)[]} replies as "After 20 simulations it plays 3, after 2,000 it plays 4." */
export function courseOf(replies) {
  const parts = [];
  let last = -1;
  for (const [index, reply] of replies.entries()) {
    if (!reply) break;
    const move = moveOf(reply);
    const simulations = whole(COUNTS[index]);
    /** @type {string} */
    const count = parts.length ? simulations : fill(TEXTS.after, { simulations });
    if (move !== last) parts.push(fill(TEXTS.playsAfter, { count, move: move + 1 }));
    last = move;
  }
  if (!parts.length) return "";
  const always = parts.length === 1 && replies.every((reply) => reply) ? TEXTS.always : "";
  return sentence(`${parts.join(", ")}${always}.`);
}

/** @param {Solution | null} solution as "The exact best move is 4." */
export function exactOf(solution) {
  if (!solution || !solution.best.length) return "";
  return fill(solution.best.length === 1 ? TEXTS.exactMove : TEXTS.exactMoves, { columns: listed(solution.best) });
}

/**
 * Whether a move is best, or at least keeps the result; null without the solver's scores.
 *
 * @param {number} move
 * @param {Solution | null} solution
 * @returns {Mark | null}
 */
export function markOf(move, solution) {
  const score = solution?.columns?.[move] ?? null;
  if (!solution || solution.score === null || score === null) return null;
  if (solution.best.includes(move)) return "best";
  return Math.sign(score) === Math.sign(solution.score) ? "holds" : "fails";
}

/**
 * @param {Analysis} reply
 * @param {number} width
 */
export function sharesOf({ moveInfos }, width) {
  const total = moveInfos.reduce((sum, { visits }) => sum + visits, 0) || 1;
  return Array.from({ length: width }, (_, column) =>
    (moveInfos.find(({ move }) => move === column)?.visits ?? 0) / total);
}
