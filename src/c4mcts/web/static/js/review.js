/**
 * Review: what each move of the game was worth.
 *
 * @import { App, Mode } from "./app.js"
 * @import { Running } from "./connection.js"
 * @import { Game, Player } from "./game.js"
 * @import { Point } from "./graph.js"
 * @import { MoveKind, Review, ReviewedMove, ReviewedPlayer } from "./protocol.js"
 */

import { h, setAttributeIf, setStyle, setText } from "./dom.js";
import { colour, columns, counted, messageOf, score, sentence } from "./format.js";
import { Graph, scoreHeight } from "./graph.js";
import { ghostsOf } from "./moves.js";

/** @type {[kind: MoveKind, mark: string][]} */
const FAULTS = [["inaccuracy", "?!"], ["mistake", "?"], ["missed win", "?"], ["blunder", "??"]];
/** @type {Partial<Record<MoveKind, string>>} */
const MARKS = Object.fromEntries(FAULTS);
/** @type {MoveKind[]} */
const TURNS = ["mistake", "missed win", "blunder"];
/** @typedef {{ review: Review, text: HTMLElement, buttons: HTMLButtonElement[] }} Shown */

/** @type {Map<string, Review>} */
const reviews = new Map(); // of all lines so far, by the keys of the games

const LINE_GHOSTS = 8;
const REPORT_SECONDS = 0.5;

/**
 * @param {App} app
 * @returns {Mode}
 */
export function mount(app) {
  const { store, board, connection } = app;
  let { game } = store.state;
  let number = 0; // of the last request
  /** @type {Running<{ review: Review }> | null} */
  let running = null; // that request
  /** @type {Shown | null} */
  let shown = null; // of `game`
  const graph = new Graph((ply) => store.go(ply));
  app.graph.append(graph.svg);
  request();

  async function request() {
    stop();
    game = store.state.game;
    shown = null;
    app.graph.hidden = true;
    board.setGhosts([]);
    const mine = number;
    if (game.moves.length === 0) {
      message("Review", "Play a game, open one, or paste its moves to see here what each move was worth.");
      return;
    }
    const known = reviews.get(game.key);
    if (known) return showReview(known);
    message("Reviewing …", "");
    running = connection.stream(
      { action: "review", ...game.query, reportDuringSearchEvery: REPORT_SECONDS },
      ({ reviewed, moves }) => message("Reviewing …", `${reviewed} of ${moves} moves`),
    );
    try {
      const { review } = await running.done;
      if (mine !== number) return;
      reviews.set(game.key, review);
      showReview(review);
    } catch (error) {
      if (mine === number) message("Review", messageOf(error));
    }
  }

  /** End the running review. */
  function stop() {
    number++;
    running?.stop();
  }

  /**
   * @param {string} title
   * @param {string} text
   */
  function message(title, text) {
    app.panel.replaceChildren(h("h1", {}, title), h("p", { class: "soft" }, text));
  }

  /** @param {Review} review */
  function showReview(review) {
    const { flipped } = store.state;
    const text = h("p", { class: "now-text", "aria-live": "polite" });
    const buttons = review.moves.map((move, index) => moveButton(move, index + 1, flipped, () => store.go(index + 1)));
    app.panel.replaceChildren(
      h("h1", {}, title(game, flipped)),
      accuracies(review.players, flipped),
      text,
      h("ol", { class: "review-moves", "aria-label": "Moves" }, ...buttons.map((button) => h("li", {}, button))),
      h("p", { class: "soft small", hidden: review.exact },
        "Where the solver has no score, values are estimates by search."),
    );
    app.graph.hidden = false;
    shown = { review, text, buttons };
    showPly(shown);
  }

  /**
   * Show the move that led to the position on the board.
   *
   * @param {Shown} shown
   */
  function showPly({ review, text, buttons }) {
    const { ply, flipped } = store.state;
    graph.show(points(review, game, flipped), ply, "Course of the game");
    buttons.forEach((button, index) => setAttributeIf(button, "aria-current", "step", index === ply - 1));
    const next = review.moves.at(ply);
    board.setGhosts(next && TURNS.includes(next.kind) ? ghostsOf(store.shown, next.line, LINE_GHOSTS) : []);
    setText(text, moveText(review, ply, flipped));
  }

  return {
    unmount: stop,
    onState(state, before) {
      if (state.game !== game) request();
      else if (shown && state.flipped !== before.flipped) showReview(shown.review);
      else if (shown) showPly(shown);
    },
    onConnect() {
      if (!shown) request();
    },
  };
}

/**
 * @param {Game} game
 * @param {boolean} flipped
 */
function title(game, flipped) {
  const count = counted(game.moves.length, "move", "moves");
  if (!game.outcome) return `Unfinished after ${count}`;
  if (game.outcome.winner === null) return `A draw after ${count}`;
  return `${sentence(colour(game.outcome.winner, flipped))} won in ${count}`;
}

/**
 * Both players' accuracy, with their mistakes.
 *
 * @param {ReviewedPlayer[]} players
 * @param {boolean} flipped
 */
function accuracies(players, flipped) {
  const rows = players.map(({ accuracy, counts }, player) => {
    const tint = colour(player, flipped);
    const faults = FAULTS.filter(([kind]) => counts[kind]).map(([kind]) => `${counts[kind]} × ${kind}`);
    const bar = h("span", { class: `accuracy ${tint}` });
    setStyle(bar, "--part", (accuracy ?? 0) / 100);
    return h("li", {}, h("span", { class: `chip ${tint}` }), h("span", { class: "name" }, sentence(tint)), bar,
      h("span", { class: "number strong" }, accuracy === null ? "–" : `${Math.round(accuracy)} %`),
      h("span", { class: "soft small" }, faults.join(", ") || "no mistakes"));
  });
  return h("ul", { class: "accuracies" }, ...rows);
}

/**
 * A move as a button, marked as in chess.
 *
 * @param {ReviewedMove} move
 * @param {number} number from 1
 * @param {boolean} flipped
 * @param {() => void} onclick
 */
function moveButton({ player, column, kind }, number, flipped, onclick) {
  const tint = colour(player, flipped);
  const mark = MARKS[kind] ?? (kind === "only" ? "!" : "");
  return h("button", {
    type: "button", class: `review-move ${kind.replace(" ", "-")}`, onclick,
    title: `${number}. ${sentence(tint)} ${column + 1}: ${kind}`,
    "aria-label": `Move ${number}, ${sentence(tint)} column ${column + 1}, ${kind}`,
  }, h("span", { class: `chip ${tint}` }), `${column + 1}`, h("b", {}, mark));
}

/**
 * The move before the position on the board in words, and the best next one.
 *
 * @param {Review} review
 * @param {number} ply
 * @param {boolean} flipped
 */
function moveText({ moves }, ply, flipped) {
  const last = ply > 0 ? moves[ply - 1] : null;
  const next = moves.at(ply);
  const parts = [];
  if (last) {
    const kind = last.kind === "only" ? "the only move" : last.kind;
    parts.push(`Move ${ply}, ${colour(last.player, flipped)} ${last.column + 1}: ${kind}${worth(last.score_after)}.`);
    if (!["only", "best"].includes(last.kind)) parts.push(`Best: ${columns(last.best)}${worth(last.score_before)}.`);
  }
  if (next && TURNS.includes(next.kind)) {
    const name = colour(next.player, flipped);
    parts.push(`Here ${name} should play ${columns(next.line)}, but played ${next.column + 1}.`);
  }
  return parts.join(" ") || "Go through the moves with ← and →, or click the graph.";
}

/** @param {number | null} exact */
function worth(exact) {
  return exact === null ? "" : `, score ${score(exact)}`;
}

/**
 * The points of the graph.
 *
 * @param {Review} review
 * @param {Game} game
 * @param {boolean} flipped
 * @returns {Point[]}
 */
function points({ moves }, game, flipped) {
  const highest = (game.rules.width * game.rules.height) / 2;
  /**
   * @param {number | null} exact
   * @param {number} value
   * @param {Player} player
   */
  const height = (exact, value, player) => {
    const sign = colour(player, flipped) === "red" ? -1 : 1;
    return sign * (exact === null ? 2 * value - 1 : scoreHeight(exact, highest));
  };
  const [first] = moves;
  return [
    { height: height(first.score_before, first.value_before, first.player), isEstimate: first.score_before === null },
    ...moves.map((move, index) => ({
      isEstimate: move.score_after === null,
      height: height(move.score_after, move.value_after, move.player),
      mark: MARKS[move.kind],
      colour: colour(move.player, flipped),
      label: `${index + 1}. ${colour(move.player, flipped)} ${move.column + 1}: ${move.kind}`,
    })),
  ];
}
