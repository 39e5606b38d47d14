/**
 * The board as SVG: discs, rings, marks and colours as in view/svg.py, ghost discs, and bars over the columns.
 *
 * Each column is a button: by mouse, by touch, and by keyboard (Tab, then arrow keys and Enter).
 */

import { Bars } from "./bars.js";
import { s } from "./dom.js";
import { CELL, EDGE } from "./measures.js";

const LABELS = 26; // height of the column numbers below the frame

export class Board {
  #size = ""; // of what is drawn
  #game = null;
  hasBars = false;

  /** onColumn, onHover: called with a column from 0; onHover with null when the pointer leaves. */
  constructor(container, { onColumn, onHover = () => {} }) {
    this.svg = s("svg", { role: "group", class: "board" });
    this.onColumn = onColumn;
    this.onHover = onHover;
    container.append(this.svg);
    this.svg.addEventListener("pointerleave", () => this.#hover(null));
  }

  /** Show a game. options: flipped, whether the first player has the red discs; label, for screen readers. */
  draw(game, { flipped = false, label = "" } = {}) {
    const { width, height } = game.rules;
    const before = this.#game;
    this.#game = game;
    this.flipped = flipped;
    if (this.#size !== `${width}x${height}`) this.#build(width, height);
    this.svg.setAttribute("aria-label", label);
    const winning = new Set((game.outcome?.cells ?? []).map((cell) => cell.join()));
    const isNext = before !== null && game.discs === before.discs + 1 && before.rules === game.rules;
    this.layers.discs.replaceChildren(
      ...game.columns.flatMap((players, column) =>
        players.map((player, row) => {
          const isLast = game.last !== null && game.last[0] === column && game.last[1] === row;
          const disc = this.#disc(column, row, player, winning.has(`${column},${row}`), isLast);
          if (isLast && isNext) this.#drop(disc, row);
          return disc;
        }),
      ),
    );
    this.#name(game);
  }

  /** Show discs that could be played: a list of {column, row, player, text}, text being a number or "". */
  setGhosts(ghosts) {
    this.layers.ghosts.replaceChildren(
      ...ghosts.map(({ column, row, player, text = "" }) =>
        s(
          "g",
          { class: `ghost ${this.#colour(player)}`, transform: this.#place(column, row) },
          s("circle", { class: "body", r: 18 }),
          this.#colour(player) === "red" ? s("circle", { class: "ring", r: 14 }) : null,
          text === "" ? null : s("text", { y: 5 }, `${text}`),
        ),
      ),
    );
  }

  /** Mark cells with a ring in the accent colour: a list of [column, row]. */
  setMarks(cells) {
    const ring = ([column, row]) => s("circle", { class: "mark", r: 22, transform: this.#place(column, row) });
    this.layers.marks.replaceChildren(...cells.map(ring));
  }

  /** Show bars over the columns, see Bars.show; null takes them away, with their space. */
  setBars(bars) {
    this.hasBars = bars !== null;
    this.bars.show(bars);
    this.#frame();
  }

  /** The centre of a cell as {x, y}, in units of the picture. */
  centre(column, row) {
    const { height } = this.#game.rules;
    return { x: EDGE + (column + 0.5) * CELL, y: this.top + EDGE + (height - row - 0.5) * CELL };
  }

  /** Show the part of the picture that is in use. */
  #frame() {
    const top = this.hasBars ? 0 : this.top;
    const height = this.full.height - top;
    this.svg.setAttribute("viewBox", `0 ${top} ${this.full.width} ${height}`);
    this.svg.style.setProperty("--aspect", this.full.width / height);
  }

  #place(column, row) {
    const { x, y } = this.centre(column, row);
    return `translate(${x} ${y})`;
  }

  #colour(player) {
    return (player === 1) !== this.flipped ? "red" : "yellow";
  }

  #build(width, height) {
    this.#size = `${width}x${height}`;
    this.scale = Math.max(1, Math.min(1.8, width / 9)); // of texts: small boards are shown larger
    this.bars = new Bars(width, this.scale);
    this.top = this.bars.height;
    const full = { width: width * CELL + 2 * EDGE, height: height * CELL + 2 * EDGE };
    this.full = { width: full.width, height: this.top + full.height + LABELS * this.scale };
    this.#frame();
    this.layers = {};
    for (const name of ["discs", "ghosts", "marks", "extra"]) this.layers[name] = s("g", { class: name });
    const { discs, ghosts, marks, extra } = this.layers;
    this.buttons = Array.from({ length: width }, (_, column) => this.#button(column, full.height));
    this.svg.replaceChildren(
      this.bars.group,
      s("rect", { class: "frame", x: 1.5, y: this.top + 1.5, width: full.width - 3, height: full.height - 3, rx: EDGE }),
      this.#holes(width, height),
      discs, ghosts, marks, extra,
      this.#labels(width, this.top + full.height),
      ...this.buttons,
    );
  }

  #holes(width, height) {
    const group = s("g", { class: "holes" });
    for (let column = 0; column < width; column++) {
      for (let row = 0; row < height; row++) {
        group.append(s("circle", { r: 19, transform: this.#place(column, row) }));
      }
    }
    return group;
  }

  #labels(width, bottom) {
    const group = s("g", { class: "labels", "aria-hidden": "true", "font-size": 13 * this.scale });
    for (let column = 0; column < width; column++) {
      group.append(s("text", { x: EDGE + (column + 0.5) * CELL, y: bottom + 17 * this.scale }, `${column + 1}`));
    }
    return group;
  }

  #button(column, height) {
    const button = s("rect", {
      class: "column", role: "button", tabindex: column ? -1 : 0, rx: 6,
      x: EDGE + column * CELL, y: 0, width: CELL, height: this.top + height,
    });
    button.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the focus, and the arrow keys, where they are
    button.addEventListener("click", () => this.onColumn(column));
    button.addEventListener("pointerenter", () => this.#hover(column));
    button.addEventListener("keydown", (event) => this.#onKey(event, column));
    return button;
  }

  #hover(column) {
    this.buttons?.forEach((button, index) => button.classList.toggle("hovered", index === column));
    this.onHover(column);
  }

  #onKey(event, column) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") this.onColumn(column);
    else if (step) this.#focus((column + step + this.buttons.length) % this.buttons.length);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #focus(column) {
    this.buttons.forEach((button, index) => button.setAttribute("tabindex", index === column ? 0 : -1));
    this.buttons[column].focus();
    this.#hover(column);
  }

  #name(game) {
    this.buttons.forEach((button, column) => {
      const discs = game.columns[column].map((player) => this.#colour(player)).join(", ");
      button.setAttribute("aria-label", `Column ${column + 1}: ${discs ? `from below ${discs}` : "empty"}`);
      button.setAttribute("aria-disabled", game.refusal(column) !== null);
    });
  }

  #disc(column, row, player, isWinning, isLast) {
    return s(
      "g",
      { class: `disc ${this.#colour(player)}`, transform: this.#place(column, row) },
      s(
        "g", {},
        s("circle", { class: "body", r: 19 }),
        this.#colour(player) === "red" ? s("circle", { class: "ring", r: 11.5 }) : null,
        isWinning ? s("circle", { class: "winning", r: 20 }) : null,
        isLast ? s("circle", { class: "last", r: 5.5 }) : null,
      ),
    );
  }

  #drop(disc, row) {
    const { height } = this.#game.rules;
    disc.firstChild.style.setProperty("--from", `${(row - height - 0.3) * CELL}px`);
    disc.firstChild.classList.add("falls");
  }
}
