/**
 * Learn from mistakes: at each mistake of a player the better move is to be found, in two tries; then the board shows
 * the line that should have been played, and how the move played is punished.
 *
 * @import { App } from "./app.js"
 * @import { Review, ReviewedMove } from "./protocol.js"
 */

import { button, h, setAttributeIf, setText } from "./dom.js";
import { colourName, columns, sentence } from "./format.js";
import { ghostsOf, proofOf } from "./moves.js";
import { note } from "./positions.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.betterMoves;
const TRIES = 2;
const LINE_GHOSTS = 8;
const USUAL = { best: TEXTS.isBest, keeps: TEXTS.isNotTheBestMove };
const WORDS = { // by the exact result before the mistake; keeps, fails: what a move does that is not the best
  unknown: { ...USUAL, question: TEXTS.whatIsBetter, does: TEXTS.isBetter, fails: TEXTS.isNotTheBestMove },
  win: { ...USUAL, question: TEXTS.howToWin, does: TEXTS.wins, best: TEXTS.isFastest, fails: TEXTS.doesNotWin },
  draw: { ...USUAL, question: TEXTS.howToHold, does: TEXTS.holdsTheDraw, fails: TEXTS.loses },
  loss: { ...USUAL, question: TEXTS.howToLast, does: TEXTS.lastsLongest, keeps: TEXTS.losesSooner,
    fails: TEXTS.losesSooner },
};

export class BetterMoves {
  /** @type {number} */
  #at = -1; // which of the mistakes is asked

  /** @type {number[]} */
  #tried = []; // wrong columns at this one

  #found = 0; // mistakes whose better move was found
  isAnswered = false; // whether the answer to this one is shown

  #words = h("p", { class: "question" });
  #answer = h("p", { class: "now-text", role: "status" });
  #show = button(TEXTS.show, () => this.#reveal(""));
  #line = button(TEXTS.betterLine, () => this.app.store.go(this.#ply));
  #refutation = button(TEXTS.refutation, () => this.app.store.go(this.#ply + 1)); // after the mistake
  #next = button("", () => this.next(), { id: "next", class: "primary", title: TEXTS.nextTitle });

  /**
   * @param {App} app
   * @param {Review} review
   * @param {readonly number[]} plies before the mistakes, in the order in which they are asked
   * @param {() => void} onEnd
   */
  constructor(app, review, plies, onEnd) {
    this.app = app;
    this.review = review;
    this.plies = plies;
    this.onEnd = onEnd;
    this.title = h("h1", {});
    app.panel.replaceChildren(this.title, this.#words, this.#answer,
      h("div", { class: "row" }, this.#line, this.#refutation, this.#show, this.#next,
        button(TEXTS.back, onEnd)));
  }

  /** The next mistake, or the end. */
  next() {
    if (this.#at + 1 === this.plies.length) return this.#end();
    this.#at++;
    this.#tried = [];
    this.isAnswered = false;
    setText(this.#answer, "");
    this.app.store.go(this.#ply);
  }

  get #ply() {
    return this.plies[this.#at];
  }

  /** @type {ReviewedMove} */
  get #move() {
    return this.review.moves[this.#ply];
  }

  /** @param {number} ply of a position: if it does not belong to the question, the lesson ends */
  includes(ply) {
    return ply === this.#ply || (this.isAnswered && ply === this.#ply + 1);
  }

  /** Show the question, or the answer, on the board. */
  show() {
    this.#draw();
    const { store, board } = this.app;
    const isAfter = store.state.ply > this.#ply;
    const move = this.#move;
    if (this.isAnswered) board.setGhosts(ghostsOf(store.shown, isAfter ? move.refutation : move.line, LINE_GHOSTS));
    else board.setGhosts(ghostsOf(store.shown, [move.column], 1).map((ghost) => ({ ...ghost, text: "?" })));
    setAttributeIf(this.#line, "aria-pressed", "true", this.isAnswered && !isAfter);
    setAttributeIf(this.#refutation, "aria-pressed", "true", isAfter);
  }

  /** @param {number} column */
  choose(column) {
    if (this.isAnswered || this.app.refuses(this.app.store.state.game.after(this.#ply), column)) return;
    const move = this.#move;
    const { does, best, keeps, fails } = wordsOf(move);
    const isKept = move.keeping.includes(move.column); // the result, by an oversight, too: then only the best is right
    if (move.best.includes(column)) this.#solve(fill(TEXTS.right, { column: column + 1, does }));
    else if (!isKept && move.keeping.includes(column)) {
      const why = fill(best, { columns: columns(move.best) });
      this.#solve(fill(TEXTS.rightAsWell, { column: column + 1, does, best: why }));
    } else {
      this.#tried.push(column);
      const words = column === move.column ? TEXTS.wasPlayed : move.keeping.includes(column) ? keeps : fails;
      const wrong = fill(words, { column: column + 1 });
      if (this.#tried.length < TRIES) setText(this.#answer, fill(TEXTS.oneMoreTry, { wrong }));
      else this.#reveal(`${wrong} `);
    }
  }

  /** @param {string} words */
  #solve(words) {
    this.#found++;
    this.#over(words);
  }

  /** @param {string} words before the answer */
  #reveal(words) {
    const move = this.#move;
    this.#over(fill(TEXTS.solution, { words, columns: columns(move.best), does: wordsOf(move).does }));
  }

  /** @param {string} words */
  #over(words) {
    this.isAnswered = true;
    setText(this.#answer, words);
    this.show();
    this.#next.focus();
  }

  #draw() {
    const { flipped } = this.app.store.state;
    const move = this.#move;
    const name = colourName(move.player, flipped);
    setText(this.title, this.plies.length > 1 ? fill(TEXTS.titleOf, { at: this.#at + 1, length: this.plies.length })
      : TEXTS.title);
    const kind = texts.reviewWords.kindsWithArticle[/** @type {"mistake" | "missed win" | "blunder"} */ (move.kind)];
    const played = fill(TEXTS.played, { ply: this.#ply + 1, name, column: move.column + 1, kind });
    const question = fill(wordsOf(move).question, { name: move.score_before === 0 ? sentence(name) : name });
    setText(this.#words, `${played} ${question}`);
    this.#line.hidden = this.#refutation.hidden = this.#next.hidden = !this.isAnswered;
    this.#refutation.disabled = move.refutation.length === 0;
    this.#show.hidden = this.isAnswered;
    setText(this.#next, this.#at + 1 < this.plies.length ? TEXTS.nextMistake : TEXTS.done);
  }

  #end() {
    this.onEnd();
    const count = counted(texts.counts.mistakes, this.plies.length);
    if (this.plies.length > 1) note(fill(TEXTS.summary, { found: this.#found, count }));
  }
}

/** @param {ReviewedMove} move */
function wordsOf({ score_before: score }) {
  return WORDS[score === null ? "unknown" : proofOf(score)];
}
