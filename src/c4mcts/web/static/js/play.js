/** Play: a game against a level. */

import { h, setText } from "./dom.js";
import { colour, proven, sentence, value } from "./format.js";
import { Game } from "./game.js";
import { clockOf, clockText, newMatch, played, resultOf, takenBack } from "./match.js";
import { showSetup } from "./play-setup.js";

const AT_LEAST = 350; // milliseconds before the level's disc falls
const HINT = { maxVisits: 200_000, maxTime: 1 };
const TICK = 200; // milliseconds between two looks at the clock

export function mount(app) {
  const { store, board, connection } = app;
  let asked = 0; // the number of the last question to the server; older answers are dropped
  let isMounted = true;
  const parts = matchParts({ hint, takeBack, resign, rematch, review: () => app.switchTo("review"), another });
  const timer = setInterval(tick, TICK);
  if (store.state.match) store.load(store.state.match.game);
  show();
  reply();

  function start(level, side, clock, game) {
    setMatch(newMatch(game, level, side, clock, Date.now()));
  }

  /** Put a match on the page, and let the level move if it is its turn. */
  function setMatch(match) {
    asked++;
    const ply = match.game.moves.length;
    store.update({ match, game: match.game, ply });
    reply();
  }

  function show() {
    const { match } = store.state;
    app.panel.replaceChildren(match ? parts.element : showSetup(app, start));
    if (match) showMatch(match);
  }

  function showMatch(match) {
    const { ply, flipped, game } = store.state;
    const result = resultOf(match);
    const isPast = ply < game.moves.length;
    setText(parts.title, isPast ? `Looking back at move ${ply}` : result ? resultText(match, result, flipped) : turnText(match));
    [0, 1].forEach((player) => {
      const name = player === match.side ? "You" : `Level ${match.level.number}, ${match.level.name}`;
      setText(parts.names[player], name);
      parts.discs[player].className = `chip ${colour(player, flipped)}`;
      parts.rows[player].classList.toggle("turn", !result && match.game.turn === player);
    });
    for (const button of parts.playing) button.hidden = result !== null;
    for (const button of parts.ended) button.hidden = result === null;
    parts.takeBack.disabled = takenBack(match, 0) === match;
    parts.hint.disabled = match.game.turn !== match.side || match.hint !== null;
    if (match.hint === null) setText(parts.hintText, "");
    showHint(match, isPast);
    tick();
  }

  function showHint(match, isPast) {
    const cell = match.hint === null ? [] : [{ column: match.hint, row: match.game.columns[match.hint].length, player: match.side }];
    board.setGhosts(isPast ? [] : cell);
  }

  function tick() {
    const { match } = store.state;
    if (!match) return;
    parts.clocks.forEach((clock, player) => {
      clock.hidden = match.left === null;
      if (match.left) setText(clock, clockText(clockOf(match, player, Date.now())));
    });
    if (match.left && !resultOf(match) && clockOf(match, match.game.turn, Date.now()) <= 0) {
      end({ ...match, timeout: match.game.turn });
    }
  }

  /** Keep the end of a match that is not on the board: time, resignation. */
  function end(match) {
    const now = Date.now();
    const left = match.left && [0, 1].map((player) => Math.max(0, clockOf({ ...match, timeout: null, resigned: null }, player, now)));
    setMatch({ ...match, left });
    app.announce(resultText(match, resultOf(match), store.state.flipped));
  }

  /** Ask the level for its move. */
  async function reply() {
    const { match } = store.state;
    if (!match || resultOf(match) || match.game.turn === match.side) return;
    const number = ++asked;
    try {
      const query = { action: "play", ...match.game.query, level: match.level.number };
      const [found] = await Promise.all([connection.request(query), new Promise((wake) => setTimeout(wake, AT_LEAST))]);
      if (!isMounted || number !== asked) return;
      if (found.noResults) throw new Error("The level found no move in time.");
      setMatch(played(match, found.move, Date.now()));
    } catch (error) {
      if (isMounted && number === asked) app.showError(error.message);
    }
  }

  async function hint() {
    const { match } = store.state;
    const number = ++asked;
    setText(parts.hintText, "Thinking …");
    try {
      const found = await connection.request({ action: "analyze", ...match.game.query, ...HINT });
      if (!isMounted || number !== asked) return;
      const [best] = found.moveInfos;
      const words = best.proof ? `a ${proven(best.proof, best.distance)}` : `worth ${value(best.winrate)}`;
      setText(parts.hintText, `Hint: column ${best.move + 1}, ${words}.`);
      app.announce(parts.hintText.textContent);
      store.update({ match: { ...match, hint: best.move } });
    } catch (error) {
      if (!isMounted || number !== asked) return;
      setText(parts.hintText, "");
      app.showError(error.message);
    }
  }

  function takeBack() {
    setMatch(takenBack(store.state.match, Date.now()));
  }

  function resign() {
    const { match } = store.state;
    end({ ...match, resigned: match.side });
  }

  function rematch() {
    const { level, side, game } = store.state.match;
    start(level, 1 - side, store.state.settings.clock, new Game(game.rules));
  }

  function another() {
    asked++;
    store.update({ match: null });
  }

  return {
    unmount() {
      isMounted = false;
      clearInterval(timer);
    },
    onColumn(column) {
      const { match, ply, game } = store.state;
      const refusal = !match ? null : refusalOf(match, ply < game.moves.length, column);
      if (!match) app.playColumn(column);
      else if (refusal) app.showError(refusal);
      else setMatch(played(match, column, Date.now()));
    },
    onKey(key) {
      const isHint = key === "h" && store.state.match && !parts.hint.disabled && !resultOf(store.state.match);
      if (isHint) hint();
      return isHint;
    },
    onState(state, before) {
      const isOther = state.match && state.game.key !== state.match.game.key; // another game was loaded
      if (isOther) another();
      else if (["match", "game", "ply", "flipped"].some((name) => state[name] !== before[name])) show();
    },
    onConnect: reply,
  };
}

function refusalOf(match, isPast, column) {
  if (resultOf(match)) return "The game is over.";
  if (isPast) return "This is an earlier position. Go to the end (End) to play on, or take back.";
  return match.game.turn === match.side ? match.game.refusal(column) : "It is the other side’s turn.";
}

function turnText(match) {
  return match.game.turn === match.side ? "Your move" : `${match.level.name} is thinking`;
}

function resultText(match, { winner, reason }, flipped) {
  if (winner === null) return "A draw";
  const how = { line: "", resigned: match.side === winner ? " by resignation" : ": you resigned", time: " on time" }[reason];
  return winner === match.side ? `You win${how}` : `${sentence(colour(winner, flipped))} wins${how}`;
}

/** The elements that show a match. */
function matchParts(actions) {
  const button = (id, text, onclick, name = "") => h("button", { type: "button", id, class: name, onclick }, text);
  const parts = { title: h("h1", {}), hintText: h("p", { class: "hint-text" }) };
  parts.discs = [h("span", {}), h("span", {})];
  parts.names = [h("span", { class: "name" }), h("span", { class: "name" })];
  parts.clocks = [h("span", { class: "clock" }), h("span", { class: "clock" })];
  parts.rows = [0, 1].map((player) => h("li", {}, parts.discs[player], parts.names[player], parts.clocks[player]));
  parts.hint = button("hint", "Hint", actions.hint);
  parts.takeBack = button("take-back", "Take back", actions.takeBack);
  parts.playing = [parts.hint, button("resign", "Resign", actions.resign)];
  parts.ended = [button("to-review", "Review", actions.review, "primary"), button("rematch", "Rematch", actions.rematch),
    button("another", "Another game", actions.another)];
  const buttons = h("div", { class: "row" }, ...parts.ended, ...parts.playing, parts.takeBack);
  parts.element = h("div", { class: "match" }, parts.title, h("ul", { class: "players" }, ...parts.rows), buttons, parts.hintText);
  return parts;
}
