/**
 * Shows a match: the players with their clocks and opinions, whose turn it is, the result, the score of the session,
 * and the available actions.
 *
 * @import { Match, Result } from "./match.js"
 * @import { State } from "./store.js"
 */

import { button, h, setAttributeIf, setText } from "./dom.js";
import { colour, playerName } from "./format.js";
import { clockOf, clockText, isPersonsTurn, onlyPerson, resultOf, takenBack } from "./match.js";
import { levelName, nameOf, opinionText, scoreText } from "./seats.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.playMatch;

/** @typedef {"hint" | "takeBack" | "resign" | "pause" | "review" | "rematch" | "another"} Action */

export class MatchView {
  #title = h("h1", {});
  #score = h("p", { class: "score soft" });
  #hintText = h("p", { class: "hint-text" });
  #why = h("p", { role: "status" });
  #players = [0, 1].map(() => {
    const [disc, name, clock] = [h("span", {}), h("span", { class: "name" }), h("span", { class: "clock" })];
    const opinion = h("span", { class: "opinion soft small" });
    return { disc, name, clock, opinion, row: h("li", {}, disc, name, clock, opinion) };
  });

  #hint;
  #takeBack;
  #resign;
  #pause;
  #ended; // buttons after the game

  /** @param {Record<Action, () => void>} actions */
  constructor(actions) {
    this.#hint = button(TEXTS.hint, actions.hint, { id: "hint" });
    this.#takeBack = button(TEXTS.takeBack, actions.takeBack, { id: "take-back" });
    this.#resign = button(TEXTS.resign, actions.resign, { id: "resign" });
    this.#pause = button(TEXTS.pause, actions.pause, { id: "pause" });
    this.#ended = [
      button(TEXTS.review, actions.review, { id: "to-review", class: "primary" }),
      button(TEXTS.rematch, actions.rematch, { id: "rematch" }),
      button(TEXTS.anotherGame, actions.another, { id: "another" }),
    ];
    this.element = h("div", { class: "match" },
      this.#title,
      h("ul", { class: "players" }, ...this.#players.map(({ row }) => row)),
      h("div", { class: "row" }, ...this.#ended, this.#pause, this.#hint, this.#resign, this.#takeBack),
      this.#why, this.#score, this.#hintText);
  }

  /**
   * @param {Match} match
   * @param {Pick<State, "ply" | "flipped" | "results">} state
   */
  show(match, { ply, flipped, results }) {
    const isPaused = match.since === null;
    const result = resultOf(match);
    const people = match.seats.filter((seat) => seat === null).length;
    const now = result ? resultText(match, result, flipped) : isPaused ? TEXTS.paused : turnText(match, flipped);
    setText(this.#title, ply < match.game.moves.length ? fill(TEXTS.lookingBack, { ply }) : now);
    this.#players.forEach(({ disc, name, row, opinion }, player) => {
      const found = match.opinions[player];
      setText(name, nameOf(match, player, flipped));
      setText(opinion, found ? opinionText(found) : "");
      disc.className = `chip ${colour(player, flipped)}`;
      row.classList.toggle("turn", !result && match.game.turn === player);
    });
    for (const each of this.#ended) each.hidden = result === null;
    this.#hint.hidden = result !== null || people !== 1;
    this.#resign.hidden = result !== null || people === 0;
    this.#pause.hidden = result !== null || people > 0;
    this.#takeBack.hidden = people === 0;
    setText(this.#pause, isPaused ? TEXTS.continue : TEXTS.pause);
    setAttributeIf(this.#takeBack, "aria-disabled", "true", takenBack(match, 0) === match); // they keep the focus
    setAttributeIf(this.#hint, "aria-disabled", "true", !canHaveHint(match));
    setText(this.#score, scoreText(results, match, flipped));
    if (match.hint === null) this.setHint("");
    if (!result) this.setWhy("");
  }

  /**
   * @param {Match} match
   * @param {number} now
   */
  showClocks(match, now) {
    this.#players.forEach(({ clock }, player) => {
      clock.hidden = match.left === null;
      if (match.left) setText(clock, clockText(clockOf(match, player, now)));
    });
  }

  /** @param {string} text why the game was lost */
  setWhy(text) {
    setText(this.#why, text);
  }

  /** @param {string} text */
  setHint(text) {
    setText(this.#hintText, text);
  }
}

/**
 * Whether a hint is available: a person is to move against a program, and there is none yet.
 *
 * @param {Match} match
 */
export function canHaveHint(match) {
  return !resultOf(match) && onlyPerson(match) === match.game.turn && match.hint === null;
}

/**
 * @param {Match} match
 * @param {Result} result
 * @param {boolean} flipped
 */
export function resultText(match, { winner, end }, flipped) {
  if (winner === null) return TEXTS.draw;
  const you = onlyPerson(match);
  const resigned = you === null || you === winner ? TEXTS.byResignation : TEXTS.youResigned;
  const how = end === "resignation" ? resigned : end === "time" ? TEXTS.onTime : "";
  if (you !== null) return fill(winner === you ? TEXTS.youWin : TEXTS.youLose, { how });
  return fill(TEXTS.wins, { name: playerName(winner, flipped), how });
}

/**
 * @param {Match} match
 * @param {boolean} flipped
 */
function turnText(match, flipped) {
  const { turn } = match.game;
  if (turn === onlyPerson(match)) return TEXTS.yourMove;
  if (isPersonsTurn(match)) return fill(TEXTS.toMove, { name: playerName(turn, flipped) });
  const seat = match.seats[turn];
  const name = seat && "number" in seat ? levelName(seat.number) : playerName(turn, flipped);
  return fill(TEXTS.thinking, { name });
}
