/**
 * Review: what each move of the game was worth, and how to find the better moves.
 *
 * @import { App, Mount } from "./app.js"
 * @import { Running } from "./connection.js"
 * @import { Game } from "./game.js"
 * @import { Match } from "./match.js"
 * @import { Ghost } from "./moves.js"
 * @import { Review, ReviewedMove } from "protocol"
 * @import { Trainer } from "./trainer.js"
 */

import { solverOf } from "./combination.js";
import { Latest } from "./connection.js";
import { button, h, setAttributeIf, setText } from "./dom.js";
import { Explanation } from "./explanation.js";
import { Graph } from "./graph.js";
import { Line } from "./line.js";
import { onlyPerson, resultOf } from "./match.js";
import { lessonOf } from "./mistakes.js";
import { ghostsOf } from "./moves.js";
import { accuracies, estimates, isTurn, lessonsOf, marksOf, moveText, pointsOf, titleOf } from "./review-words.js";
import { fill, texts } from "./texts.js";
import { decisionOf, whyLost } from "./why.js";

const TEXTS = texts.review;

/** @type {Map<string, Review>} */
const reviews = new Map(); // of all lines so far, by the keys of the games

const LINE_GHOSTS = 8;
const REPORT_SECONDS = 0.5;

/**
 * @param {Game} game
 * @param {number} opening how many of its moves nobody chose
 */
const keyOf = (game, opening) => `${opening} ${game.key}`;

/**
 * The review of a game; the last one of each is kept.
 *
 * @param {App} app
 * @param {Game} game
 * @param {(report: { reviewed: number, found: ReviewedMove[] }) => void} [onReport]
 * @returns {Running<Review>}
 */
export function reviewOf({ connection, store }, game, onReport) {
  const opening = store.state.tree.openingOf(game.moves);
  const key = keyOf(game, opening);
  const known = reviews.get(key);
  if (known) return { done: Promise.resolve(known), stop: async () => {} };
  const running = connection.stream(
    { action: "review", opening, ...game.query, reportDuringSearchEvery: REPORT_SECONDS }, onReport);
  return { ...running, done: running.done.then(({ review: found }) => {
    const whole = { ...found, moves: [...new Array(opening), ...found.moves] };
    reviews.set(key, whole);
    return whole;
  }) };
}

/** @type {Mount} */
export function mount(app) {
  const { store, board } = app;
  let { game } = store.state;
  const latest = new Latest(); // request
  const solve = solverOf(app.connection);
  let isFirst = true; // whether no review was shown yet
  /** @type {Review | null} */
  let review = null; // of `game`
  /** @type {(ReviewedMove | undefined)[]} */
  let partial = []; // its moves so far, by ply, from the end
  /** @type {Trainer | null} */
  let lesson = null; // while the user looks for better moves
  let isRefuted = false; // whether the board shows how a mistake is punished, instead of the better move
  let opening = 0; // how many moves of the game nobody chose: they are left out
  const graph = new Graph((ply) => store.go(ply));
  const why = h("div", { class: "why" });
  const text = h("p", { class: "now-text", "aria-live": "polite" });
  const better = button(TEXTS.betterMove, () => look(false));
  const refutation = button(TEXTS.refutation, () => look(true));
  const find = button(TEXTS.find, () => learn(mistake()));
  const tools = h("div", { class: "row review-tools" }, better, refutation, find);
  const explanation = new Explanation(app);
  app.graph.append(graph.svg);
  request();

  function request() {
    latest.begin();
    game = store.state.game;
    opening = store.state.tree.openingOf(game.moves);
    review = null;
    end();
    app.graph.hidden = true;
    board.setGhosts([]);
    app.variations?.setMarks();
    if (game.moves.length === 0) {
      message(TEXTS.title, TEXTS.nothing);
      return;
    }
    const known = reviews.get(keyOf(game, opening));
    if (known) return showReview(known);
    partial = new Array(game.moves.length);
    showProgress(0);
    const running = reviewOf(app, game, ({ reviewed, found }) => {
      partial.splice(partial.length - reviewed, found.length, ...found.toReversed());
      showProgress(reviewed);
    });
    latest.ask(running, showReview, (problem) => message(TEXTS.title, problem));
  }

  /**
   * @param {string} title
   * @param {string} words
   */
  function message(title, words) {
    app.panel.replaceChildren(h("h1", {}, title), h("p", { class: "soft" }, words));
  }

  /**
   * Show how far the review has come, and what it has found: the last moves of the game.
   *
   * @param {number} reviewed how many moves
   */
  function showProgress(reviewed) {
    const { ply, flipped } = store.state;
    const moves = game.moves.length - opening;
    const words = fill(TEXTS.progress, { reviewed, moves });
    message(TEXTS.reviewing, words);
    app.panel.append(h("progress", { max: moves, value: reviewed, "aria-label": words }), text);
    app.graph.hidden = false;
    graph.show(pointsOf({ moves: partial }, game, flipped), ply, TEXTS.course);
    app.variations?.setMarks(marksOf({ moves: partial }, game));
    setText(text, moveText({ moves: partial }, game, ply, flipped));
  }

  /** @param {Review} found */
  function showReview(found) {
    const { flipped, match: played } = store.state;
    const match = played?.game.key === game.key ? played : null;
    review = found;
    end();
    app.panel.replaceChildren(
      h("h1", {}, titleOf(game, flipped, match)),
      why,
      accuracies(review, flipped, match, (player) => learn(lessonsOf(found.moves, player, game))),
      text,
      tools,
      explanation.element,
      h("p", { class: "soft small", hidden: review.exact },
        estimates(review)),
    );
    app.graph.hidden = false;
    app.variations?.setMarks(marksOf(review, game));
    showPly(review);
    tellWhy(review, match);
  }

  /**
   * Say which move decided the game and what it allowed. After a match, show the position after it at first.
   *
   * @param {Review} review
   * @param {Match | null} match in which it was played, if it is known
   */
  async function tellWhy({ moves }, match) {
    const [mine, { flipped }] = [game, store.state];
    const winner = match ? resultOf(match)?.winner ?? null : mine.outcome?.winner ?? null;
    const loser = 1 - (winner ?? 0);
    const decision = winner === null ? null : decisionOf(moves, loser);
    why.replaceChildren();
    const isNew = isFirst && match !== null && store.state.ply === mine.moves.length;
    isFirst = false;
    if (!decision) return;
    const { ply } = decision;
    if (isNew && ply >= 0) store.go(ply + 1);
    const who = { loser, isYou: match !== null && onlyPerson(match) === loser, flipped };
    const { after, line, text: words } = await whyLost(mine, moves, decision, solve, who);
    if (game !== mine) return;
    why.replaceChildren(h("p", {}, words), ...(line.length ? [new Line(app, after, line).element] : []));
  }

  /**
   * Show the move that led to the position on the board, and the better one if it was a mistake.
   *
   * @param {Review} review
   */
  function showPly(review) {
    const { ply, flipped } = store.state;
    const { moves } = review;
    graph.show(pointsOf(review, game, flipped), ply, TEXTS.course);
    const isAfter = isTurn(moves[ply - 1]);
    better.hidden = refutation.hidden = !isAfter;
    find.hidden = !isAfter && !isTurn(moves[ply]);
    setAttributeIf(better, "aria-pressed", "true", !isRefuted);
    setAttributeIf(refutation, "aria-pressed", "true", isRefuted);
    refutation.disabled = isAfter && moves[ply - 1]?.refutation.length === 0;
    board.setGhosts(ghosts(review, ply));
    explanation.follow(store.shown);
    setText(text, moveText(review, game, ply, flipped));
  }

  /**
   * What the board shows: after a mistake the better moves or how it is punished, before one what should be played.
   *
   * @param {Review} review
   * @param {number} ply
   * @returns {Ghost[]}
   */
  function ghosts({ moves }, ply) {
    const [last, next] = [moves[ply - 1], moves[ply]];
    if (isTurn(last)) {
      if (isRefuted && last.refutation.length) return ghostsOf(store.shown, last.refutation, LINE_GHOSTS);
      const before = game.after(ply - 1);
      return last.best.flatMap((column) => ghostsOf(before, [column], 1)).map((ghost) => ({ ...ghost, text: "✓" }));
    }
    return isTurn(next) ? ghostsOf(store.shown, next.line, LINE_GHOSTS) : [];
  }

  /** @param {boolean} refuted */
  function look(refuted) {
    isRefuted = refuted;
    if (review) showPly(review);
  }

  /** The mistake that the board shows: the last move, or else the next one. */
  function mistake() {
    const { ply } = store.state;
    return review?.moves.slice(Math.max(0, ply - 1), ply + 1).filter(isTurn).slice(0, 1) ?? [];
  }

  /** @param {readonly ReviewedMove[]} mistakes */
  function learn(mistakes) {
    const found = review;
    if (!found) return;
    explanation.follow(null);
    lesson = lessonOf(app, game, mistakes, () => showReview(found));
  }

  function end() {
    if (!lesson) return;
    lesson.unmount();
    lesson = null;
    app.drawBoard();
  }

  return {
    get game() {
      return lesson?.game;
    },
    unmount() {
      latest.begin();
      explanation.follow(null);
      end();
    },
    onColumn: (column) => (lesson ? lesson.onColumn(column) : app.play(column)),
    onKey: (key) => lesson?.onKey(key) ?? false,
    onState(state, before) {
      if (state.ply !== before.ply) isRefuted = false;
      if (state.game !== game) request();
      else if (!review) showProgress(partial.filter(Boolean).length);
      else if (lesson) lesson.onState(state, before);
      else if (state.flipped !== before.flipped) showReview(review);
      else showPly(review);
    },
    onConnect() {
      if (!review) request();
    },
  };
}
