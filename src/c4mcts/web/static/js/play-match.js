/**
 * Shows a game against a level: the players with their clocks, whose turn it is, the result, and the available actions.
 *
 * @import { Match, Result } from "./match.js"
 * @import { State } from "./store.js"
 */

import { h, setText } from "./dom.js";
import { colour, sentence } from "./format.js";
import { clockOf, clockText, resultOf, takenBack } from "./match.js";

/** @typedef {Record<"hint" | "takeBack" | "resign" | "review" | "rematch" | "another", () => void>} Actions */

export class MatchView {
  #title = h("h1", {});
  #hintText = h("p", { class: "hint-text" });
  #players = [0, 1].map(() => {
    const [disc, name, clock] = [h("span", {}), h("span", { class: "name" }), h("span", { class: "clock" })];
    return { disc, name, clock, row: h("li", {}, disc, name, clock) };
  });

  #hint;
  #takeBack;
  #playing; // buttons during the game
  #ended; // and after it

  /** @param {Actions} actions */
  constructor(actions) {
    this.#hint = button("hint", "Hint", actions.hint);
    this.#takeBack = button("take-back", "Take back", actions.takeBack);
    this.#playing = [this.#hint, button("resign", "Resign", actions.resign)];
    this.#ended = [
      button("to-review", "Review", actions.review, "primary"),
      button("rematch", "Rematch", actions.rematch),
      button("another", "Another game", actions.another),
    ];
    this.element = h("div", { class: "match" },
      this.#title,
      h("ul", { class: "players" }, ...this.#players.map(({ row }) => row)),
      h("div", { class: "row" }, ...this.#ended, ...this.#playing, this.#takeBack),
      this.#hintText);
  }

  /**
   * Show a match.
   *
   * @param {Match} match
   * @param {Pick<State, "ply" | "flipped">} state
   */
  show(match, { ply, flipped }) {
    const result = resultOf(match);
    const now = result ? resultText(match, result, flipped) : turnText(match);
    setText(this.#title, ply < match.game.moves.length ? `Looking back at move ${ply}` : now);
    this.#players.forEach(({ disc, name, row }, player) => {
      setText(name, player === match.side ? "You" : `Level ${match.level.number}, ${match.level.name}`);
      disc.className = `chip ${colour(player, flipped)}`;
      row.classList.toggle("turn", !result && match.game.turn === player);
    });
    for (const each of this.#playing) each.hidden = result !== null;
    for (const each of this.#ended) each.hidden = result === null;
    this.#takeBack.disabled = takenBack(match, 0) === match;
    this.#hint.disabled = !canHaveHint(match);
    if (match.hint === null) this.setHint("");
  }

  /**
   * Show the clocks of a match.
   *
   * @param {Match} match
   * @param {number} now
   */
  showClocks(match, now) {
    this.#players.forEach(({ clock }, player) => {
      clock.hidden = match.left === null;
      if (match.left) setText(clock, clockText(clockOf(match, player, now)));
    });
  }

  /** @param {string} text */
  setHint(text) {
    setText(this.#hintText, text);
  }
}

/**
 * Whether a hint is available: it is the user's turn, and there is none yet.
 *
 * @param {Match} match
 */
export function canHaveHint(match) {
  return !resultOf(match) && match.game.turn === match.side && match.hint === null;
}

/**
 * The end of a match in words.
 *
 * @param {Match} match
 * @param {Result} result
 * @param {boolean} flipped
 */
export function resultText(match, { winner, reason }, flipped) {
  if (winner === null) return "A draw";
  const resigned = match.side === winner ? " by resignation" : ": you resigned";
  const how = { line: "", full: "", resigned, time: " on time" }[reason];
  return winner === match.side ? `You win${how}` : `${sentence(colour(winner, flipped))} wins${how}`;
}

/** @param {Match} match */
function turnText(match) {
  return match.game.turn === match.side ? "Your move" : `${match.level.name} is thinking`;
}

/**
 * @param {string} id
 * @param {string} text
 * @param {() => void} onclick
 */
function button(id, text, onclick, name = "") {
  return h("button", { type: "button", id, class: name, onclick }, text);
}
