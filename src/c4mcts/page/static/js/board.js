/**
 * The board: the position, ghost discs, marks, and bars over the columns.
 *
 * Each column is a button: by mouse, by touch, and by keyboard (Tab, then arrow keys and Enter).
 *
 * @import { Cell, Game } from "./game.js"
 * @import { Bar, Ghost } from "./moves.js"
 * @import { Threat } from "protocol"
 */

import { BoardPicture } from "./board-picture.js";
import { s, setStyle } from "./dom.js";
import { colour, colourName } from "./format.js";
import { STANDARD } from "./game.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.board;

export class Board {
  /** @type {Game | null} */
  #game = null; // the one that is drawn

  /** @type {SVGRectElement[]} */
  #buttons = []; // one for each column

  #picture = new BoardPicture(STANDARD.width, STANDARD.height);
  #svg = s("svg", { role: "group", class: "board" });
  #flipped = false;
  #hasBars = false;
  #onColumn;
  #onHover;

  /**
   * @param {HTMLElement} container
   * @param {object} listeners
   * @param {(column: number) => void} listeners.onColumn called with the column that was chosen
   * @param {(column: number | null) => void} listeners.onHover called with the column under the pointer; null: none
   */
  constructor(container, { onColumn, onHover }) {
    this.#onColumn = onColumn;
    this.#onHover = onHover;
    this.#build();
    container.append(this.#svg);
    this.#svg.addEventListener("pointerleave", () => this.#hover(null));
  }

  /**
   * @param {Game} game
   * @param {object} look
   * @param {boolean} look.flipped whether the first player has the red discs
   * @param {string} look.label for screen readers
   */
  draw(game, { flipped, label }) {
    const { width, height } = game.rules;
    const before = this.#game;
    this.#game = game;
    this.#flipped = flipped;
    if (this.#picture.width !== width || this.#picture.height !== height) {
      this.#picture = new BoardPicture(width, height);
      this.#build();
    }
    this.#svg.setAttribute("aria-label", label);
    const isNext = before !== null && game.discs === before.discs + 1 && before.rules === game.rules;
    this.#picture.drawGame(game, { flipped, isNext });
    this.#name(game);
  }

  /**
   * @param {Ghost[]} ghosts
   * @param {{ isFalling?: boolean }} look isFalling: whether the last one is seen falling
   */
  setGhosts(ghosts, { isFalling = false } = {}) {
    this.#picture.drawGhosts(ghosts, { flipped: this.#flipped, isFalling });
  }

  /** @param {Cell[]} cells that get a ring in the accent colour */
  setMarks(cells) {
    this.#picture.marks.replaceChildren(...cells.map((cell) => this.#picture.mark(cell)));
  }

  /**
   * Show cells in which a player would complete a line, and discs that would allow that.
   *
   * @param {Threat[]} threats
   * @param {Cell[]} avoided
   */
  setThreats(threats, avoided = []) {
    this.#picture.threats.replaceChildren(
      ...threats.map(({ cell, player, isOdd }) => this.#picture.threat(cell, colour(player, this.#flipped), isOdd)),
      ...avoided.map((cell) => this.#picture.cross(cell)));
  }

  /** @param {(Bar | null)[] | null} bars see Bars.show; null removes their space, too */
  setBars(bars) {
    this.#hasBars = bars !== null;
    this.#picture.bars.show(bars);
    this.#frame();
  }

  /** Install the picture of another size. */
  #build() {
    this.#buttons = this.#picture.columns.map((column) => this.#button(column));
    this.#svg.replaceChildren(...this.#picture.parts, ...this.#buttons);
    this.#frame();
  }

  /** Show the part of the picture that is in use. */
  #frame() {
    const { top, width, height } = this.#picture.view(this.#hasBars);
    this.#svg.setAttribute("viewBox", `0 ${top} ${width} ${height}`);
    setStyle(this.#svg, "--aspect", width / height);
  }

  /** @param {number} column */
  #button(column) {
    const button = this.#picture.button(column);
    button.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus, and arrow keys, stay
    button.addEventListener("click", () => this.#onColumn(column));
    button.addEventListener("pointerenter", () => this.#hover(column));
    button.addEventListener("keydown", (event) => this.#onKey(event, column));
    return button;
  }

  /** @param {number | null} column */
  #hover(column) {
    this.#buttons.forEach((button, index) => button.classList.toggle("hovered", index === column));
    this.#onHover(column);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} column
   */
  #onKey(event, column) {
    const count = this.#buttons.length;
    if (event.key === "Enter" || event.key === " ") this.#onColumn(column);
    else if (event.key === "ArrowLeft") this.#focus((column + count - 1) % count);
    else if (event.key === "ArrowRight") this.#focus((column + 1) % count);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} column */
  #focus(column) {
    this.#buttons.forEach((button, index) => button.setAttribute("tabindex", index === column ? "0" : "-1"));
    this.#buttons[column].focus();
    this.#hover(column);
  }

  /** @param {Game} game whose columns are described to screen readers */
  #name(game) {
    this.#buttons.forEach((button, column) => {
      const discs = game.columns[column].map((player) => colourName(player, this.#flipped)).join(", ");
      button.setAttribute("aria-label", discs ? fill(TEXTS.column, { column: column + 1, discs })
        : fill(TEXTS.emptyColumn, { column: column + 1 }));
      button.setAttribute("aria-disabled", `${game.refusal(column) !== null}`);
    });
  }
}
