/**
 * Play: a game against a level.
 *
 * @import { App, Mode } from "./app.js"
 * @import { Player } from "./game.js"
 * @import { Level, Match } from "./match.js"
 * @import { State } from "./store.js"
 */

import { confirmed } from "./confirmation.js";
import { messageOf, proven, value } from "./format.js";
import { Game } from "./game.js";
import { GameTree } from "./game-tree.js";
import { clockOf, isRunning, newMatch, played, resultOf, takenBack } from "./match.js";
import { MatchView, canHaveHint, resultText } from "./play-match.js";
import { showSetup } from "./play-setup.js";

const AT_LEAST = 350; // milliseconds before the level's disc falls
const HINT = { maxVisits: 200_000, maxTime: 1 };
/** @type {(keyof State)[]} */
const SHOWN = ["match", "game", "ply", "flipped"];
const TICK = 200; // milliseconds between two looks at the clock

/**
 * @param {App} app
 * @returns {Mode}
 */
export function mount(app) {
  const { store, board, connection } = app;
  let asked = 0; // the number of the last question to the server; older answers are dropped
  let isMounted = true;
  const view = new MatchView({ hint, takeBack, resign, rematch, review: () => app.switchTo("review"), another });
  const timer = setInterval(tick, TICK);
  if (store.state.match) store.follow(store.state.match);
  show();
  reply();

  /**
   * @param {Level} level
   * @param {Player} side
   * @param {number} clock
   * @param {Game} game
   */
  function start(level, side, clock, game) {
    const match = newMatch(game, level, side, clock, Date.now());
    if (game.moves.length) store.follow(match); // from the position on the board
    else store.update({ match, tree: GameTree.of(game), game, ply: 0 });
  }

  function show() {
    const { match, ply } = store.state;
    if (!match) app.panel.replaceChildren(showSetup(app, start));
    else {
      if (!view.element.isConnected) app.panel.replaceChildren(view.element);
      view.show(match, store.state);
      showHint(match, isPast(match, ply));
      tick();
    }
  }

  /**
   * @param {Match} match
   * @param {boolean} isLookingBack
   */
  function showHint({ game, hint, side }, isLookingBack) {
    const isShown = hint !== null && !isLookingBack;
    board.setGhosts(isShown ? [{ column: hint, row: game.columns[hint].length, player: side }] : []);
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
    const left = match.left && [0, 1].map((player) => Math.max(0, clockOf(match, player, now)));
    const ended = { ...match, left, [how]: loser };
    store.follow(ended);
    const result = resultOf(ended);
    if (result) app.announce(resultText(ended, result, store.state.flipped));
  }

  /** Ask the level for its move. */
  async function reply() {
    const { match } = store.state;
    if (!match || resultOf(match) || match.game.turn === match.side) return;
    const number = ++asked;
    try {
      const answer = connection.request({ action: "play", ...match.game.query, level: match.level.number });
      const [found] = await Promise.all([answer, new Promise((wake) => setTimeout(wake, AT_LEAST))]);
      if (!isMounted || number !== asked) return;
      store.follow(played(match, found.move, Date.now()));
    } catch (error) {
      if (isMounted && number === asked) app.showError(messageOf(error));
    }
  }

  async function hint() {
    const { match } = store.state;
    if (!match) return;
    const number = ++asked;
    view.setHint("Thinking …");
    try {
      const found = await connection.request({ action: "analyze", ...match.game.query, ...HINT });
      if (!isMounted || number !== asked) return;
      const [best] = found.moveInfos;
      const words = best.proof ? `a ${proven(best)}` : `worth ${value(best.winrate)}`;
      const text = `Hint: column ${best.move + 1}, ${words}.`;
      view.setHint(text);
      app.announce(text);
      store.update({ match: { ...match, hint: best.move } });
    } catch (error) {
      if (!isMounted || number !== asked) return;
      view.setHint("");
      app.showError(messageOf(error));
    }
  }

  function takeBack() {
    const { match } = store.state;
    if (match) store.follow(takenBack(match, Date.now()));
  }

  async function resign() {
    const { match } = store.state;
    if (!match || !(await confirmed("Resign this game?", "Resign"))) return;
    const now = store.state.match; // the level may have moved
    if (isMounted && now && !resultOf(now)) end(now, "resigned", now.side);
  }

  function rematch() {
    const { match, settings } = store.state;
    if (match) start(match.level, 1 - match.side, settings.clock, new Game(match.game.rules));
  }

  function another() {
    store.update({ match: null });
  }

  return {
    unmount() {
      isMounted = false;
      clearInterval(timer);
    },
    onColumn(column) {
      const { match, ply } = store.state;
      const refusal = !match ? null : refusalOf(match, isPast(match, ply), column);
      if (!match) app.play(column);
      else if (refusal) app.showError(refusal);
      else store.follow(played(match, column, Date.now()));
    },
    onKey(key) {
      const { match } = store.state;
      const isHint = key === "h" && match !== null && canHaveHint(match);
      if (isHint) hint();
      return isHint;
    },
    onState(state, before) {
      const { match } = store.state;
      if (match && store.state.game.key !== match.game.key) return store.follow(match); // undone: a line of an analysis
      if (SHOWN.some((name) => state[name] !== before[name])) show();
      if (state.match?.game === before.match?.game && isRunning(state.match) === isRunning(before.match)) return;
      asked++;
      reply();
    },
    onConnect: reply,
  };
}

/**
 * Whether a position before the last one of a match is on the board.
 *
 * @param {Match} match
 * @param {number} ply
 */
function isPast(match, ply) {
  return ply < match.game.moves.length;
}

/**
 * Why the user can't play a column now; null if it can be played.
 *
 * @param {Match} match
 * @param {boolean} isLookingBack whether an earlier position is on the board
 * @param {number} column
 */
function refusalOf(match, isLookingBack, column) {
  if (resultOf(match)) return "The game is over.";
  if (isLookingBack) return "This is an earlier position. Go to the end (End) to continue, or take moves back.";
  return match.game.turn === match.side ? match.game.refusal(column) : "It is the other side’s turn.";
}
