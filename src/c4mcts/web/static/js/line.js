/**
 * A line of moves to read: each is a button that adds the line to the game, and goes to the position after it.
 *
 * @import { Game } from "./game.js"
 * @import { Store } from "./store.js"
 */

import { button, h } from "./dom.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.line;

/**
 * @param {Store} store
 * @param {Game} game the position in which the line begins
 * @param {readonly number[]} line columns
 */
export function lineButtons(store, game, line) {
  const before = game.moves.length;
  const moves = [...game.moves, ...line];
  const buttons = line.map((column, index) =>
    button(`${column + 1}`, () => store.playLine(moves, before + index + 1),
      { title: fill(TEXTS.add, { ply: before + index + 1 }) }));
  return h("p", { class: "line-moves", role: "group", "aria-label": TEXTS.label }, ...buttons);
}
