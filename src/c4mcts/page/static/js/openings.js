/**
 * The opening book: what each move leads to, how many replies then hold, and the name of the opening.
 *
 * @import { App } from "./app.js"
 * @import { Game } from "./game.js"
 * @import { Opening, OpeningMove } from "protocol"
 */

import { Latest } from "./connection.js";
import { button, h, headRow, setText, table } from "./dom.js";
import { isStandard } from "./game.js";
import { counted, fill, texts } from "./texts.js";
import { proofOf, proven } from "./verdict.js";

const TEXTS = texts.openings;

export class Openings {
  #latest = new Latest(); // position

  /** @type {Game | null} */
  #game = null; // the one shown, or asked for

  #name = h("b", {});
  #text = h("span", {});
  #limits = h("p", { class: "soft small" });
  #body = h("tbody", {});

  /**
   * @param {App} app
   * @param {(line: number[] | null) => void} onLine called with the move under the pointer, or null
   */
  constructor(app, onLine) {
    this.app = app;
    this.onLine = onLine;
    const head = headRow([TEXTS.move, TEXTS.result, TEXTS.replies, TEXTS.leadsTo], "left");
    this.table = table(TEXTS.caption, head, this.#body,
      { class: "table openings", onpointerleave: () => onLine(null) });
    const content = h("div", { class: "openings-box" },
      h("p", { class: "opening" }, this.#name, " ", this.#text), this.table, this.#limits);
    this.element = h("details", { id: "openings", open: app.store.state.settings.openings, ontoggle: () => {
      if (this.element.open !== app.store.state.settings.openings) app.store.set({ openings: this.element.open });
      this.follow(app.store.shown);
    } }, h("summary", {}, TEXTS.title), content);
  }

  /** @param {Game} game that is looked up, if the book is for the board and open, and it is another position */
  follow(game) {
    this.element.hidden = !isStandard(game.rules);
    if (this.element.hidden || !this.element.open || this.#game?.key === game.key) return;
    this.#game = game;
    this.#ask(game);
  }

  /** Look up the position again: the last answer may have been an error. */
  restart() {
    this.#game = null;
    this.follow(this.app.store.shown);
  }

  /** Show no answer from now on. */
  close() {
    this.#latest.begin();
  }

  /** @param {Game} game */
  #ask(game) {
    this.#latest.begin();
    if (game.outcome) return this.#show(null, TEXTS.over);
    this.#show(null, "…");
    this.#latest.ask(this.app.connection.stream({ action: "opening", ...game.query }),
      (reply) => this.#show(reply, reply.moves.length < game.legalColumns.length ? TEXTS.end : ""),
      (problem) => this.#show(null, problem));
  }

  /**
   * @param {Opening | null} reply
   * @param {string} limits
   */
  #show(reply, limits) {
    const named = reply?.opening ?? null;
    setText(this.#name, named ? `${nameOf(named.name)}.` : "");
    const isHere = texts.language === "en" && named?.ply === this.#game?.discs; // Python's sentences are English
    setText(this.#text, named && isHere ? named.text : "");
    setText(this.#limits, limits);
    const rows = ranked(reply?.moves ?? []).map((move) => this.#row(move));
    this.table.hidden = rows.length === 0;
    this.#body.replaceChildren(...rows);
  }

  /** @param {OpeningMove} move */
  #row(move) {
    const show = () => this.onLine([move.move]);
    const play = button(`${move.move + 1}`, () => this.app.play(move.move), { class: "move",
      title: fill(TEXTS.play, { move: move.move + 1 }), onfocus: show, onblur: () => this.onLine(null) });
    return h("tr", { onpointerenter: show }, h("th", { scope: "row" }, play),
      this.#result(move), h("td", {}, repliesOf(move)), h("td", { class: "leads" }, nameOf(move.name)));
  }

  /** @param {OpeningMove} move whose result, if it is a first move, is proven, and leads to the plan to win */
  #result({ move, score, distance }) {
    const result = resultOf({ score, distance });
    if (this.#game?.discs !== 0) return h("td", { class: proofOf(score) }, result);
    const { store } = this.app;
    const show = () => {
      store.set({ book: move === 3 ? 0 : -1 - Math.min(move, 6 - move) }); // of mirror images one has a plan
      store.switchTo("puzzles");
      store.update({ view: 1 });
    };
    return h("td", { class: `proven ${proofOf(score)}` }, score === 0 ? h("span", { title: TEXTS.provenDraw }, result)
      : button(result, show, { class: "quiet", title: TEXTS.proven }));
  }
}

/** @param {Pick<OpeningMove, "score" | "distance">} move as "win in 41" */
export function resultOf({ score, distance }) {
  return proven({ proof: proofOf(score), distance, bound: "exact" });
}

/**
 * How many of the opponent's replies keep the result: "1 of 7 wins".
 *
 * @param {Pick<OpeningMove, "score" | "replies" | "holding">} move
 */
export function repliesOf({ score, replies, holding }) {
  if (replies === 0 || holding === null) return "–";
  if (score > 0) return TEXTS.allLose;
  return counted(TEXTS[score < 0 ? "winning" : "drawing"], holding, { replies });
}

/** @param {readonly OpeningMove[]} moves */
export function ranked(moves) {
  return [...moves].sort((one, other) => other.score - one.score);
}

/** @param {string | null} name */
function nameOf(name) {
  return name === null ? "" : TEXTS.names[/** @type {keyof typeof TEXTS.names} */ (name)];
}
