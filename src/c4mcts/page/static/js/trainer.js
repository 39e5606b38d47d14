/**
 * A trainer asks for moves, one question after the other: of puzzles, of openings, of mistakes in the user's games. It
 * refutes wrong moves, and shows what is right.
 *
 * The game of the other modes stays as it is: the position of a question is not part of it.
 *
 * @import { App, Mode } from "./app.js"
 * @import { Child } from "./dom.js"
 * @import { Game } from "./game.js"
 * @import { Ghost } from "./moves.js"
 * @import { Boxes } from "./progress.js"
 * @import { Solution, Threat } from "protocol"
 */

import { solverOf } from "./combination.js";
import { Latest } from "./connection.js";
import { mayReplace } from "./dialogs.js";
import { button, h, setAttributeIf, setText, terms } from "./dom.js";
import { Explanation } from "./explanation.js";
import { columns, whole } from "./format.js";
import { Game as Position } from "./game.js";
import { ghostsOf } from "./moves.js";
import { note } from "./positions.js";
import { isDue } from "./progress.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.trainer;
const WAIT = ["…"]; // said until the answer is here
const [LINE_GHOSTS, REFUTATION_GHOSTS] = [9, 4];

/** @typedef {{ name: string, position: Game, line: readonly number[] }} Look What is to be seen after the answer. */
/**
 * @typedef {object} Verdict
 * @property {"right" | "again" | "wrong"} kind again: another move is asked for, but this one was no mistake
 * @property {readonly string[]} [words] paragraphs; none for a wrong move, which the solver refutes
 * @property {Game} [position] on the board from now on
 * @property {() => Promise<Question | null>} [next] what is asked then, perhaps after a reply; null: all is answered
 */
/**
 * @typedef {object} Question
 * @property {Game} position
 * @property {(isOver: boolean) => string} title
 * @property {(isOver: boolean) => string} [about]
 * @property {readonly string[]} [words] said with the question, instead of what was said before
 * @property {readonly Ghost[]} [ghosts] on the board at first
 * @property {(column: number) => Promise<Verdict>} judge
 * @property {() => Promise<readonly string[]>} solution in words
 * @property {readonly Look[]} looks the line of best play first
 * @property {Threat | null} [zugzwang] see Explanation.follow
 * @property {boolean} [goesOn] whether the move is to be played, too, after the solution was shown
 */
/**
 * What is trained.
 *
 * @typedef {object} Source
 * @property {string} title while nothing is asked yet
 * @property {string} next what the button says that goes on
 * @property {string} [end] the title when all is answered
 * @property {(isNext: boolean, isStale: () => boolean) => Promise<Question | null>} ask null: there is none; isNext:
 *   whether the user is done with the last question; isStale: whether nobody waits for this one any more
 * @property {(isRight: boolean) => void} tried called after the first try at each question
 * @property {() => readonly (readonly [name: string, text: Child])[]} numbers how the user does
 * @property {() => string} [show] what the button of the solution says
 * @property {readonly Child[]} [controls] below the numbers
 * @property {Mode["onState"]} [onState]
 */

export class Trainer {
  #latest = new Latest(); // question
  #moves = new Latest(); // of the user

  /** @type {Question | null} */
  #question = null;

  #isOver = false; // whether the solution has been found or shown
  #isFirst = true; // whether the next try is the first at the question
  #isAsking = false; // whether the next question is on its way
  #title = h("h1", {});
  #about = h("p", { class: "soft" });
  #said = h("div", { class: "now-text puzzle-answer", role: "status" });
  #numbers = h("dl", { class: "facts puzzle-facts" });
  #looks = h("div", { class: "row", hidden: true });

  game = new Position(); // on the board

  /**
   * @param {App} app
   * @param {HTMLElement} place
   * @param {Source} source
   */
  constructor(app, place, source) {
    this.app = app;
    this.source = source;
    this.solve = solverOf(app.connection);
    this.explanation = new Explanation(app);
    this.explanation.element.hidden = true;
    this.show = button(TEXTS.show, () => this.#reveal(), { id: "show", hidden: true });
    this.next = button(source.next, () => {
      note("");
      this.begin(true);
    }, { id: "next", title: TEXTS.nextTitle });
    const analyse = button(texts.header.analyse, () => this.#analyse(), { id: "analyse", title: TEXTS.analyseTitle });
    place.replaceChildren(h("div", { class: "puzzle" }, this.#title, this.#about, this.#said, this.#looks,
      h("div", { class: "row" }, this.show, this.next, analyse), this.#numbers, ...source.controls ?? [],
      this.explanation.element));
    setText(this.#title, source.title);
    this.begin();
  }

  /** @param {boolean} isNext whether the user is done with the last question */
  begin(isNext = false) {
    this.say(WAIT);
    this.#ask(async (isStale) => {
      const found = await this.source.ask(isNext, isStale);
      if (isStale()) return null;
      this.say([]);
      this.next.hidden = found === null; // there is nothing to ask for
      return found;
    });
  }

  /** @param {(isStale: () => boolean) => Promise<Question | null>} following asks; null: all is answered */
  #ask(following) {
    this.#isAsking = true;
    this.#latest.ask(following, (found) => this.#begin(found), (problem) => this.say([problem], "wrong"));
  }

  /** @param {Question | null} found */
  #begin(found) {
    this.#question = found;
    this.#isAsking = false;
    this.#isFirst = true;
    this.#isOver = found === null;
    if (found?.words) this.say(found.words, "right");
    if (found) this.#show(found.position, []);
    else this.next.focus();
    this.#draw();
    if (found) this.app.announce(`${this.#title.textContent}. ${this.#about.textContent}`);
  }

  #draw() {
    const [found, isOver] = [this.#question, this.#isOver];
    setText(this.#title, found?.title(isOver) ?? this.source.end ?? this.source.title);
    setText(this.#about, found?.about?.(isOver) ?? "");
    setText(this.show, this.source.show?.() ?? TEXTS.show);
    this.show.hidden = isOver;
    this.next.classList.toggle("primary", isOver);
    this.#numbers.replaceChildren(...terms(this.source.numbers()));
    this.#looks.hidden = !found || !isOver;
    this.explanation.element.hidden = !found || !isOver;
    this.explanation.follow(found && isOver ? this.game : null,
      this.game === found?.looks[0]?.position ? found.zugzwang ?? null : null);
  }

  /**
   * @param {Game} position on the board
   * @param {readonly number[]} line from it
   */
  #show(position, line) {
    this.game = position;
    this.app.drawBoard();
    const ghosts = !line.length && !this.#isOver && this.#question?.ghosts;
    this.app.board.setGhosts([...ghosts || ghostsOf(position, line, LINE_GHOSTS)]);
  }

  /** @param {number} index of what is looked at after the answer */
  #look(index) {
    const looks = this.#question?.looks ?? [];
    this.#looks.replaceChildren(...looks.map(({ name }, at) => {
      const each = button(name, () => this.#look(at));
      setAttributeIf(each, "aria-pressed", "true", at === index);
      return each;
    }));
    if (looks[index]) this.#show(looks[index].position, looks[index].line);
    this.#draw();
  }

  /**
   * @param {readonly string[]} words paragraphs
   * @param {"right" | "wrong" | ""} name of the class of the first
   */
  say(words, name = "") {
    this.#said.replaceChildren(...words.map((text, index) => h("p", { class: index ? "small" : name }, text)));
  }

  /** @param {number} column */
  async onColumn(column) {
    const [mine, position] = [this.#question, this.game];
    if (!mine || this.#isOver || this.#isAsking || this.app.refuses(position, column)) return;
    const isStale = this.#moves.begin();
    this.say(WAIT);
    const found = await mine.judge(column);
    if (isStale() || mine !== this.#question || this.#isOver || position !== this.game) return;
    if (found.kind === "again") return this.say(found.words ?? []);
    this.#try(found.kind === "right");
    if (found.kind === "wrong") return this.#refute(mine, column, isStale);
    if (found.position) this.#show(found.position, []);
    if (!found.next) return this.#finish(found.words ?? [], "right");
    this.say(found.words ?? [], "right");
    this.#draw();
    this.#ask(found.next);
  }

  /** @param {boolean} isRight */
  #try(isRight) {
    if (this.#isFirst) this.source.tried(isRight);
    this.#isFirst = false;
  }

  /**
   * @param {Question} mine
   * @param {number} column
   * @param {() => boolean} isStale whether there is a later move
   */
  async #refute(mine, column, isStale) {
    this.#draw();
    const found = await this.solve(mine.position.play(column));
    if (mine !== this.#question || this.#isOver || isStale()) return;
    this.#show(mine.position, [column, ...found?.pv ?? []].slice(0, REFUTATION_GHOSTS));
    this.say([fill(TEXTS.wrong, { refutation: refutationOf(column, found) })], "wrong");
  }

  async #reveal() {
    const mine = this.#question;
    if (!mine) return;
    this.say(WAIT);
    const words = await mine.solution();
    if (mine !== this.#question || this.#isOver) return;
    this.#try(false);
    if (!mine.goesOn) return this.#finish(words);
    this.#show(mine.position, mine.looks[0].line);
    this.say(words);
    this.#draw();
  }

  /**
   * @param {readonly string[]} words
   * @param {"right" | ""} name of their class
   */
  #finish(words, name = "") {
    this.#isOver = true;
    this.say(words, name);
    this.#look(this.game.outcome ? -1 : 0); // a win on the board stays there
    this.next.focus();
  }

  async #analyse() {
    const { game } = this;
    if (await mayReplace(this.app)) this.app.store.load(game);
  }

  /** @param {string} key */
  onKey(key) {
    if (key === "n") this.begin(true);
    return key === "n";
  }

  /** @type {Mode["onState"]} */
  onState(state, before) {
    this.source.onState?.(state, before);
    if (this.#question) this.#draw();
  }

  onConnect() {
    if (!this.#question) this.begin();
  }

  unmount() {
    this.#latest.begin();
    this.#question = null;
    this.explanation.follow(null);
  }
}

/**
 * Of the repetition of some positions: how many are known, and how many are due.
 *
 * @param {Boxes} boxes
 * @param {readonly string[]} positions
 * @returns {[name: string, text: string][]}
 */
export function boxNumbers(boxes, positions) {
  const known = positions.filter((position) => (boxes[position]?.[0] ?? 0) > 0);
  const due = positions.filter((position) => isDue(boxes, position, Date.now()));
  return [[texts.books.known, whole(known.length)], [texts.books.due, whole(due.length)]];
}

/**
 * What is said of a move that nothing is known about, since the solver did not answer.
 *
 * @param {number} column
 * @returns {Verdict}
 */
export function notJudged(column) {
  return { kind: "again", words: [fill(TEXTS.notJudged, { column: column + 1 })] };
}

/**
 * @param {number} column
 * @param {Solution | null} reply the solver's for the position after it; null if it is not known
 */
export function refutationOf(column, reply) {
  if (reply === null || reply.score === null) return fill(TEXTS.notTheMove, { column: column + 1 });
  if (reply.score === 0) return fill(TEXTS.onlyDraws, { column: column + 1, columns: columns(reply.pv.slice(0, 1)) });
  const moves = counted(texts.counts.moves, (reply.distance ?? 0) + 1); // with the move itself
  return fill(TEXTS.loses, { column: column + 1, moves, columns: columns(reply.pv.slice(0, 1)) });
}
