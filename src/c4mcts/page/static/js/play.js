/**
 * Play: a game against a level, of two people at one screen, or of two engines.
 *
 * @import { Mount } from "./app.js"
 * @import { Player } from "./game.js"
 * @import { Match } from "./match.js"
 * @import { State } from "./store.js"
 */

import { solverOf } from "./combination.js";
import { Latest } from "./connection.js";
import { confirmed } from "./dialogs.js";
import { value } from "./format.js";
import { Game } from "./game.js";
import { GameTree } from "./game-tree.js";
import {
  clockOf, clocksOf, isPersonsTurn, isRunning, newMatch, onlyPerson, paused, played, resultOf, takenBack,
} from "./match.js";
import { MatchView, canHaveHint, resultText } from "./play-match.js";
import { canContinueFrom, seatsOf, showSetup } from "./play-setup.js";
import { reviewOf } from "./review.js";
import { askForMove } from "./seats.js";
import { fill, texts } from "./texts.js";
import { proven } from "./verdict.js";
import { decisionOf, whyLost } from "./why.js";

const TEXTS = texts.play;
const AT_LEAST = 350; // milliseconds before the disc of a level or an engine falls
const HINT = { preset: "perfect", maxVisits: 200_000, maxTime: 1 };
/** @type {(keyof State)[]} */
const SHOWN = ["match", "game", "ply", "flipped", "results"];
const TICK = 200; // milliseconds between two looks at the clock

/** @type {Mount} */
export function mount(app) {
  const { store, board, connection } = app;
  const latest = new Latest(); // question to the server
  let isMounted = true;
  const view = new MatchView({ hint, takeBack, resign, pause, rematch, review: () => store.switchTo("review"),
    another: () => store.update({ match: null }) });
  const timer = setInterval(tick, TICK);
  if (store.state.match) store.follow(store.state.match);
  show();
  reply();

  /**
   * @param {boolean} isHere whether it continues from the position on the board
   * @param {number | null} column the first move, if the user has chosen it
   */
  function start(isHere, column = null) {
    const game = isHere ? store.shown : new Game(store.state.game.rules);
    const { side, clock } = store.state.settings;
    const seats = seatsOf(app, isHere && column !== null ? game.turn : side);
    if (column !== null && seats[game.turn] === null && app.refuses(game, column)) return;
    const match = newMatch(game, seats, clock, Date.now());
    begin(match);
    if (column !== null && isPersonsTurn(match)) store.follow(played(match, column, Date.now()));
  }

  /** @param {Match} match */
  function begin(match) {
    const { game } = match;
    if (game.moves.length) store.follow(match); // from the position on the board
    else store.update({ match, tree: GameTree.of(game), game, ply: 0 });
  }

  function show() {
    const { match, ply } = store.state;
    if (!match) app.panel.replaceChildren(showSetup(app, start));
    else {
      if (!view.element.isConnected) app.panel.replaceChildren(view.element);
      view.show(match, store.state);
      const { game, hint } = match;
      board.setGhosts(hint === null || ply < game.moves.length ? []
        : [{ column: hint, row: game.columns[hint].length, player: game.turn }]);
      tick();
    }
  }

  function tick() {
    const { match } = store.state;
    const now = Date.now();
    if (match) view.showClocks(match, now);
    if (match && !resultOf(match) && clockOf(match, match.game.turn, now) <= 0) end(match, "timeout", match.game.turn);
  }

  /**
   * End a match in a way that is not on the board.
   *
   * @param {Match} match
   * @param {"resigned" | "timeout"} how
   * @param {Player} loser
   */
  function end(match, how, loser) {
    const now = Date.now();
    const left = clocksOf(match, now)?.map((seconds) => Math.max(0, seconds)) ?? null;
    const ended = { ...match, left, [how]: loser };
    store.follow(ended);
    const result = resultOf(ended);
    if (result) app.announce(resultText(ended, result, store.state.flipped));
  }

  /** @param {Match} match that is over */
  function tellWhy(match) {
    const { winner } = resultOf(match) ?? { winner: null };
    if (winner === null) return;
    const [{ game }, loser, { flipped }] = [match, 1 - winner, store.state];
    const { done, stop } = reviewOf(app, game);
    const words = done.then(async ({ moves }) => {
      const decision = decisionOf(moves, loser);
      const who = { loser, isYou: onlyPerson(match) === loser, flipped };
      return decision && (await whyLost(game, moves, decision, solverOf(connection), who)).text;
    });
    latest.ask({ done: words, stop }, (text) => view.setWhy(text ?? ""), () => {}); // the review tells of errors
  }

  /** Ask the level or the engine that is to move for its move; after the game, say why it was lost. */
  function reply() {
    const { match } = store.state;
    if (match && resultOf(match)) return tellWhy(match);
    if (!match || isPersonsTurn(match) || match.since === null) return;
    const wait = new Promise((wake) => setTimeout(wake, AT_LEAST));
    const { done, stop } = askForMove(connection, match);
    latest.ask({ done: Promise.all([done, wait]), stop },
      ([{ column, opinion }]) => store.follow(played(match, column, Date.now(), opinion)),
      (problem) => app.showError(problem));
  }

  function hint() {
    const { match } = store.state;
    if (!match || !canHaveHint(match)) return;
    view.setHint(TEXTS.thinking);
    const asked = connection.stream({ action: "analyze", ...match.game.query, ...HINT });
    latest.ask(asked, ({ moveInfos: [best] }) => {
      const text = best.proof ? fill(TEXTS.provenHint, { move: best.move + 1, result: proven(best) })
        : fill(TEXTS.hint, { move: best.move + 1, winrate: value(best.winrate) });
      view.setHint(text);
      app.announce(text);
      store.update({ match: { ...match, hint: best.move } });
    }, (problem) => {
      view.setHint("");
      app.showError(problem);
    });
  }

  function takeBack() {
    const { match } = store.state;
    if (match && takenBack(match, 0) !== match) store.follow(takenBack(match, Date.now()));
  }

  async function resign() {
    const { match } = store.state;
    if (!match || !(await confirmed(TEXTS.resignQuestion, TEXTS.resign))) return;
    const now = store.state.match; // the level may have moved
    if (isMounted && now && !resultOf(now)) end(now, "resigned", onlyPerson(now) ?? now.game.turn);
  }

  function pause() {
    const { match } = store.state;
    if (match) store.update({ match: paused(match, Date.now()) });
  }

  function rematch() {
    const { match, settings } = store.state;
    if (!match) return;
    begin(newMatch(new Game(match.game.rules), match.seats.toReversed(), settings.clock, Date.now()));
  }

  return {
    unmount() {
      isMounted = false;
      latest.begin();
      clearInterval(timer);
    },
    onColumn(column) {
      const { match, ply } = store.state;
      const refusal = match && refusalOf(match, ply, column);
      if (!match) start(canContinueFrom(store.shown), column);
      else if (refusal) app.showError(refusal);
      else store.follow(played(match, column, Date.now()));
    },
    onKey(key) {
      const { match } = store.state;
      const isHint = key === "h" && match !== null && canHaveHint(match);
      const isPause = key === " " && isRunning(match) && match?.seats.every((seat) => seat !== null);
      if (isHint) hint();
      if (isPause) pause();
      return Boolean(isHint || isPause);
    },
    onState(state, before) {
      const { match } = store.state;
      if (match && store.state.game.key !== match.game.key) return store.follow(match); // undone: a line of an analysis
      if (SHOWN.some((name) => state[name] !== before[name])) show();
      if (match && resultOf(match) && state.flipped !== before.flipped) tellWhy(match); // it names the colours
      if (state.match?.game === before.match?.game && state.match?.since === before.match?.since &&
        isRunning(state.match) === isRunning(before.match)) return;
      latest.begin(); // stops the search, too
      reply();
    },
    onConnect: reply,
  };
}

/**
 * @param {Match} match
 * @param {number} ply on the board
 * @param {number} column
 */
function refusalOf(match, ply, column) {
  if (resultOf(match)) return TEXTS.over;
  if (ply < match.game.moves.length) return TEXTS.earlier;
  return isPersonsTurn(match) ? match.game.refusal(column) : TEXTS.otherTurn;
}
