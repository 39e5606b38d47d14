/**
 * A line of moves to read: each is a button that adds the line to the game, and goes to the position after it; → plays
 * one move more.
 *
 * @import { App } from "./app.js"
 * @import { Game } from "./game.js"
 */

import { button, h, setAttributeIf } from "./dom.js";
import { isPrefix } from "./game-tree.js";
import { writeText } from "./notation.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.line;
const SHARE = texts.share;

export class Line {
  #buttons;

  /**
   * @param {Pick<App, "store" | "announce" | "showError">} app
   * @param {Game} game the position in which the line begins
   * @param {readonly number[]} line columns
   */
  constructor(app, game, line) {
    this.app = app;
    this.before = game.moves.length;
    this.moves = [...game.moves, ...line];
    this.#buttons = line.map((column, index) => button(`${column + 1}`, () => this.#go(this.before + index + 1),
      { title: fill(TEXTS.add, { ply: this.before + index + 1 }) }));
    const copy = button(SHARE.copy, () => this.#copy(writeText(game.with(this.moves))),
      { class: "quiet", title: TEXTS.copyTitle });
    this.element = h("div", { class: "line-moves", role: "group", "aria-label": TEXTS.label }, ...this.#buttons, copy);
  }

  /** Mark the move on the board; returns whether the position on the board is in the line. */
  show() {
    const { path } = this.app.store;
    const isHere = path.length >= this.before && isPrefix(path, this.moves);
    this.#buttons.forEach((each, index) =>
      setAttributeIf(each, "aria-current", "step", isHere && this.before + index + 1 === path.length));
    return isHere;
  }

  /** @param {string} key that may play the next move of the line; returns whether it does */
  onKey(key) {
    const { length } = this.app.store.path;
    if (key !== "ArrowRight" || !this.show() || length === this.moves.length) return false;
    this.#go(length + 1);
    return true;
  }

  /** @param {number} ply of the game with the line */
  #go(ply) {
    this.app.store.playLine(this.moves, ply);
  }

  /** @param {string} text */
  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.app.announce(fill(SHARE.copied, { name: TEXTS.label }));
    } catch {
      this.app.showError(fill(TEXTS.notCopied, { text }));
    }
  }
}
