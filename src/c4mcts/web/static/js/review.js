/** Review: what each move of the game was worth. */

import { h, setText } from "./dom.js";
import { colour, columns, counted, score, sentence } from "./format.js";
import { Graph, scoreHeight } from "./graph.js";
import { ghostsOf } from "./moves-table.js";

export const MARKS = { inaccuracy: "?!", mistake: "?", "missed win": "?", blunder: "??" };
const TURNS = ["mistake", "missed win", "blunder"];
const LINE_GHOSTS = 8;
const REPORT_SECONDS = 0.5;

export function mount(app) {
  const { store, board, connection } = app;
  let number = 0; // of the last request
  let running = null; // that request
  let found = null; // the review of `game`
  let game = null;
  const graph = new Graph((ply) => store.go(ply));
  app.graph.append(graph.svg);
  request();

  async function request() {
    stop();
    game = store.state.game;
    found = null;
    app.graph.hidden = true;
    board.setGhosts([]);
    const mine = number;
    if (game.moves.length === 0) {
      message("Review", "Play a game, open one, or paste its moves. Then each move gets its worth here.");
      return;
    }
    message("Reviewing …", "");
    const query = { action: "review", ...game.query, reportDuringSearchEvery: REPORT_SECONDS };
    running = connection.stream(query, ({ reviewed, moves }) => message("Reviewing …", `${reviewed} of ${moves} moves`));
    try {
      const reply = await running.done;
      if (mine !== number) return;
      if (!reply.review) throw new Error("The server found no review in time.");
      found = reply.review;
      showReview();
    } catch (error) {
      if (mine === number) message("Review", error.message);
    }
  }

  /** End the review that is being made. */
  function stop() {
    number++;
    running?.stop();
  }

  function message(title, text) {
    app.panel.replaceChildren(h("h1", {}, title), h("p", { class: "soft" }, text));
  }

  function showReview() {
    const { flipped } = store.state;
    app.panel.replaceChildren(
      h("h1", {}, title(game, flipped)),
      accuracies(found, flipped),
      h("p", { class: "now-text", "aria-live": "polite" }),
      moveList(found, game, flipped, (ply) => store.go(ply)),
      h("p", { class: "soft small", hidden: found.exact }, "Where the solver has no score, values are estimates by search."),
    );
    app.graph.hidden = false;
    showPly();
  }

  /** Show the move that led to the position on the board. */
  function showPly() {
    const { ply, flipped } = store.state;
    graph.show(points(found, game, flipped), ply, "Course of the game");
    app.panel.querySelectorAll(".review-move").forEach((button, index) => {
      if (index === ply - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const next = found.moves[ply];
    const isTurn = next !== undefined && TURNS.includes(next.kind);
    board.setGhosts(isTurn ? ghostsOf(store.shown, next.line, LINE_GHOSTS) : []);
    setText(app.panel.querySelector(".now-text"), moveText(found, ply, game, flipped));
  }

  return {
    unmount: stop,
    onState(state) {
      if (state.game !== game) request();
      else if (found) showReview();
    },
    onConnect: () => found ?? request(),
  };
}

function title(game, flipped) {
  const count = counted(game.moves.length, "move", "moves");
  if (!game.outcome) return `Unfinished after ${count}`;
  if (game.outcome.winner === null) return `A draw after ${count}`;
  return `${sentence(colour(game.outcome.winner, flipped))} won in ${count}`;
}

/** Both players' accuracy, with what they did wrong. */
function accuracies(review, flipped) {
  const row = ({ accuracy, counts }, player) => {
    const bad = Object.keys(MARKS).filter((kind) => counts[kind]).map((kind) => `${counts[kind]} × ${kind}`);
    const bar = h("span", { class: `accuracy ${colour(player, flipped)}` });
    bar.style.setProperty("--part", (accuracy ?? 0) / 100);
    return h("li", {}, h("span", { class: `chip ${colour(player, flipped)}` }),
      h("span", { class: "name" }, sentence(colour(player, flipped))), bar,
      h("span", { class: "number strong" }, accuracy === null ? "–" : `${Math.round(accuracy)} %`),
      h("span", { class: "soft small" }, bad.join(", ") || "no mistakes"));
  };
  return h("ul", { class: "accuracies" }, ...review.players.map(row));
}

/** All moves as buttons, marked as in chess. */
function moveList(review, game, flipped, onJump) {
  const items = review.moves.map((move, index) => {
    const mark = MARKS[move.kind] ?? (move.kind === "only" ? "!" : "");
    const name = sentence(colour(move.player, flipped));
    return h("li", {}, h("button", { type: "button", class: `review-move ${move.kind.replace(" ", "-")}`, onclick: () => onJump(index + 1),
      title: `${index + 1}. ${name} ${move.column + 1}: ${move.kind}`, "aria-label": `Move ${index + 1}, ${name} column ${move.column + 1}, ${move.kind}` },
      h("span", { class: `chip ${colour(move.player, flipped)}` }), `${move.column + 1}`, h("b", {}, mark)));
  });
  return h("ol", { class: "review-moves", "aria-label": "Moves" }, ...items);
}

/** The move before the position on the board in words, and what the next one should be. */
function moveText(review, ply, game, flipped) {
  const last = review.moves[ply - 1];
  const next = review.moves[ply];
  const parts = [];
  if (last) parts.push(`Move ${ply}, ${colour(last.player, flipped)} ${last.column + 1}: ${kindText(last)}${worth(last)}.`);
  if (last && !["only", "best"].includes(last.kind)) parts.push(`Best: ${columns(last.best)}${bestWorth(last)}.`);
  if (next && TURNS.includes(next.kind)) {
    parts.push(`Here ${colour(next.player, flipped)} should play ${columns(next.line)}, but played ${next.column + 1}.`);
  }
  return parts.join(" ") || "Go through the moves with ← and →, or click the graph.";
}

function kindText(move) {
  return move.kind === "only" ? "the only move" : move.kind;
}

function worth(move) {
  return move.score_after === null ? "" : `, score ${score(move.score_after)}`;
}

function bestWorth(move) {
  return move.score_before === null ? "" : `, score ${score(move.score_before)}`;
}

/** The points of the graph. */
function points(review, game, flipped) {
  const highest = (game.rules.width * game.rules.height) / 2;
  const height = (exact, value, player) => {
    const sign = (player === 1) !== flipped ? -1 : 1;
    return sign * (exact === null ? 2 * value - 1 : scoreHeight(exact, highest));
  };
  const [first] = review.moves;
  return [
    { height: height(first.score_before, first.value_before, first.player) },
    ...review.moves.map((move, index) => ({
      height: height(move.score_after, move.value_after, move.player),
      mark: MARKS[move.kind],
      colour: colour(move.player, flipped),
      label: `${index + 1}. ${colour(move.player, flipped)} ${move.column + 1}: ${move.kind}`,
    })),
  ];
}
