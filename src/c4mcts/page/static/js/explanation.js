/**
 * What is certain of a position, drawn on the board and in words: winning moves, forced replies, threats with the
 * parity of their rows, zugzwang. Nothing here is an estimate.
 *
 * @import { App } from "./app.js"
 * @import { Cell, Game } from "./game.js"
 * @import { Description, Threat } from "protocol"
 */

import { h, setText } from "./dom.js";
import { colourName, columns, listed, playerName, sentence } from "./format.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.explanation;

/** The text, with the switch that shows and hides it. */
export class Explanation {
  /** @type {Game | null} */
  #game = null;

  /** @type {Description | null} */
  #found = null; // of that position

  /** @type {Threat | null} */
  #zugzwang = null; // with which best play is won

  #drawn = ""; // what is on the board

  #text = h("p", { class: "explanation-text" });

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.check = h("input", { type: "checkbox", id: "explain", checked: app.store.state.settings.explain,
      onchange: () => app.store.set({ explain: this.check.checked }) });
    this.element = h("div", { class: "explanation" },
      h("label", { class: "check" }, this.check, TEXTS.check), this.#text);
  }

  /**
   * Explain a position; null: none.
   *
   * @param {Game | null} game
   * @param {Threat | null} zugzwang the cell in which the line of best play is won by zugzwang
   */
  follow(game, zugzwang = null) {
    const { explain } = this.app.store.state.settings;
    this.check.checked = explain;
    const wanted = explain && game && !game.outcome ? game : null;
    const isOther = wanted === null || this.#game?.key !== wanted.key;
    this.#zugzwang = zugzwang;
    this.#game = wanted;
    if (isOther) {
      this.#found = null;
      if (wanted) this.#ask(wanted);
    }
    this.#show();
  }

  /** @param {Game} game */
  async #ask(game) {
    const found = await this.app.connection.request({ action: "describe", ...game.query }).catch(() => null);
    if (this.#game?.key !== game.key) return;
    this.#found = found;
    if (found) this.#show();
    else this.#game = null; // no connection, as the page says: it is asked for again
  }

  #show() {
    const { board, store } = this.app;
    const [game, found] = [this.#game, this.#found];
    const drawn = [game?.key, found !== null, this.#zugzwang?.cell, store.state.flipped].join("|");
    if (drawn === this.#drawn) return; // a search reports ten times a second
    this.#drawn = drawn;
    this.#text.hidden = !found;
    if (!game || !found) {
      board.setThreats([]);
      board.setMarks([]);
      return;
    }
    /** @returns {Cell} */
    const place = (/** @type {number} */ column) => [column, game.columns[column].length];
    board.setThreats(found.threats, belowThreats(found).map(place));
    const now = found.winningMoves.length ? found.winningMoves : found.threatenedMoves;
    board.setMarks([...now.map(place), ...(this.#zugzwang ? [this.#zugzwang.cell] : [])]);
    setText(this.#text, sentences(found, this.#zugzwang, store.state.flipped).join(" "));
  }
}

/**
 * @param {Pick<Description, "currentPlayer" | "winningMoves" | "threatenedMoves" | "threats" | "movesBelowThreats" |
 *   "isZugzwang">} found
 * @param {Threat | null} zugzwang
 * @param {boolean} flipped
 */
export function sentences(found, zugzwang, flipped) {
  const { currentPlayer, winningMoves, threatenedMoves, threats, isZugzwang } = found;
  const below = belowThreats(found);
  const anyOf = (/** @type {number[]} */ list) => listed(list, "disjunction");
  const [mover, other] = [colourName(currentPlayer, flipped), colourName(1 - currentPlayer, flipped)];
  const words = [];
  if (winningMoves.length) words.push(fill(TEXTS.wins, { mover: sentence(mover), columns: anyOf(winningMoves) }));
  else if (threatenedMoves.length > 1) {
    words.push(fill(TEXTS.doubleThreat, { other: sentence(other), columns: anyOf(threatenedMoves), mover }));
  } else if (threatenedMoves.length) {
    words.push(fill(TEXTS.mustPlay, { mover: sentence(mover), columns: columns(threatenedMoves) }));
  }
  if (isZugzwang) words.push(fill(TEXTS.inZugzwang, { mover: sentence(mover), other }));
  else if (below.length) {
    words.push(fill(TEXTS.belowThreat, { columns: anyOf(below), other }));
  }
  if (zugzwang && !isZugzwang) {
    const [winner, loser] = [colourName(zugzwang.player, flipped), colourName(1 - zugzwang.player, flipped)];
    words.push(fill(TEXTS.hasZugzwang, { winner: sentence(winner), loser, cell: cellName(zugzwang) }));
  }
  for (const player of [0, 1]) {
    const own = threats.filter((threat) => threat.player === player);
    const name = playerName(player, flipped);
    if (own.length) words.push(fill(TEXTS.threats, { name, cells: own.map(cellName).join("; ") }));
  }
  return words.length ? words : [TEXTS.nothing];
}

/**
 * The columns in which a disc lets the opponent win on top of it: not those with which the game ends.
 *
 * @param {Pick<Description, "winningMoves" | "movesBelowThreats">} found
 */
function belowThreats({ winningMoves, movesBelowThreats }) {
  return movesBelowThreats.filter((column) => !winningMoves.includes(column));
}

/** @param {Threat} threat */
export function cellName({ cell: [column, row], isOdd }) {
  return fill(isOdd ? TEXTS.oddCell : TEXTS.evenCell, { column: column + 1, row: row + 1 });
}
