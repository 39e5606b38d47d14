/**
 * The parts of the picture of a board, with the measures of view/svg.py. Over each column stands one number for its
 * move, what is certain or else the search's estimate, with a bar of the visits beneath it.
 *
 * @import { Cell, Game } from "./game.js"
 * @import { Bar, Ghost } from "./moves.js"
 */

import { s, setStyle, setText } from "./dom.js";
import { colour, score, stateOf, value } from "./format.js";
import { texts } from "./texts.js";
import { provenShort } from "./verdict.js";

const TEXTS = texts.explanation;
const CELL = 48; // width of a cell, in units of the picture
const EDGE = 10; // width of the frame around the cells
const LABELS = 26; // height of the column numbers below the frame
const CHIP = 43; // width of the number's ground; a column has 48
const BAR_HEIGHT = 28;
const BAR_WIDTH = 10;

/** @typedef {"red" | "yellow"} Colour */

/** The picture of boards of one size: the bars over the columns, the frame with its holes, layers of discs, numbers. */
export class BoardPicture {
  discs = s("g", { class: "discs" });
  ghosts = s("g", { class: "ghosts" });
  marks = s("g", { class: "marks" });
  threats = s("g", { class: "threats" });

  /** @type {ReadonlyMap<string, SVGElement>} */
  #drawn = new Map(); // the discs by place and look: those that stay are not drawn again

  #scale;
  #size;

  /**
   * @param {number} width in cells
   * @param {number} height
   */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.#scale = Math.max(1, Math.min(1.8, width / 9)); // of texts: small boards are shown larger
    this.columns = Array.from({ length: width }, (_, column) => column);
    this.bars = new Bars(this.columns.map(middle), this.#scale);
    this.#size = { width: width * CELL + 2 * EDGE, height: height * CELL + 2 * EDGE };
    this.parts = [this.bars.group, this.#frame(), this.#holes(), this.discs, this.ghosts, this.marks, this.threats,
      this.#labels()];
  }

  /** @param {boolean} hasBars whether they are in use, too */
  view(hasBars) {
    const top = hasBars ? 0 : this.bars.height;
    const bottom = this.bars.height + this.#size.height + LABELS * this.#scale;
    return { top, width: this.#size.width, height: bottom - top };
  }

  /** @param {number} column */
  button(column) {
    return s("rect", {
      class: "column", role: "button", tabindex: column ? -1 : 0, rx: 6,
      x: EDGE + column * CELL, y: 0, width: CELL, height: this.bars.height + this.#size.height,
    });
  }

  /** @param {Cell} cell */
  cell(cell) {
    const isFirst = cell.join() === `0,${this.height - 1}`; // the focus of the dialog
    return s("rect", {
      class: "cell", role: "button", tabindex: isFirst ? 0 : -1, rx: 6,
      x: -CELL / 2, y: -CELL / 2, width: CELL, height: CELL, transform: this.#place(cell),
    });
  }

  /**
   * @param {Game} game
   * @param {{ flipped: boolean, isNext?: boolean }} look isNext: whether the last disc was played just now
   */
  drawGame(game, { flipped, isNext = false }) {
    const winning = game.outcome?.cells.map((cell) => cell.join()) ?? [];
    const last = game.last?.join();
    /** @type {Map<string, SVGElement>} */
    const drawn = new Map();
    game.columns.forEach((players, column) => players.forEach((player, row) => {
      const name = `${column},${row}`;
      const isLast = name === last;
      const isLit = isNext && game.outcome !== null;
      const look = { winning: winning.indexOf(name), isLast, isFalling: isLast && isNext, isLit };
      const key = [name, player, flipped, ...Object.values(look)].join();
      drawn.set(key, this.#drawn.get(key) ?? this.disc([column, row], colour(player, flipped), look));
    }));
    for (const [key, disc] of this.#drawn) if (!drawn.has(key)) disc.remove();
    this.discs.append(...[...drawn].filter(([key]) => !this.#drawn.has(key)).map(([, disc]) => disc));
    this.#drawn = drawn;
  }

  /**
   * @param {Cell} cell
   * @param {Colour} colour
   * @param {{ winning: number, isLast: boolean, isFalling: boolean, isLit: boolean }} look winning: its place in the
   *   winning line, or -1; isLit: whether light runs along that line
   */
  disc(cell, colour, { winning, isLast, isFalling, isLit }) {
    const light = winning < 0 ? null : s("circle", { class: isLit ? "winning lit" : "winning", r: 20 });
    if (light) setStyle(light, "--place", winning);
    const body = s(
      "g", {},
      s("circle", { class: "body", r: 19 }),
      colour === "red" ? s("circle", { class: "ring", r: 11.5 }) : null,
      light,
      isLast ? s("circle", { class: "last", r: 5.5 }) : null,
    );
    if (isFalling) this.#drop(body, cell);
    return s("g", { class: `disc ${colour}`, transform: this.#place(cell) }, body);
  }

  /**
   * Draw discs that could be played.
   *
   * @param {readonly Ghost[]} ghosts
   * @param {{ flipped: boolean, isFalling?: boolean }} look isFalling: whether the last one is seen falling
   */
  drawGhosts(ghosts, { flipped, isFalling = false }) {
    this.ghosts.replaceChildren(...ghosts.map(({ column, row, player, text = "" }, index) => {
      const tint = colour(player, flipped);
      const parts = [s("circle", { class: "body", r: 17 })];
      if (tint === "red") parts.push(s("circle", { class: "ring", r: 12.5 }));
      const number = text === "" ? [] : [s("text", { y: 5 }, `${text}`)];
      if (isFalling && index === ghosts.length - 1) {
        for (const part of [...parts, ...number]) this.#drop(part, [column, row]);
      }
      return s("g", { class: `ghost ${tint}`, transform: this.#place([column, row]) }, ...parts, ...number);
    }));
  }

  /** @param {Cell} cell */
  mark(cell) {
    return s("circle", { class: "mark", r: 22, transform: this.#place(cell) });
  }

  /**
   * A label on a cell in which a player would complete a line, with the parity of its row: yellow's above the number of
   * a ghost disc, red's below it.
   *
   * @param {Cell} cell
   * @param {Colour} colour
   * @param {boolean} isOdd
   */
  threat(cell, colour, isOdd) {
    const y = colour === "yellow" ? -15 : 15;
    return s("g", { class: `threat ${colour}`, transform: this.#place(cell) },
      s("rect", { class: "body", x: -15, y: y - 7, width: 30, height: 14, rx: 7 }),
      s("text", { y: y + 3.5 }, isOdd ? TEXTS.odd : TEXTS.even));
  }

  /** @param {Cell} cell that a player should leave alone */
  cross(cell) {
    return s("path", { class: "cross", d: "M-22 12l9 9M-13 12l-9 9", transform: this.#place(cell) });
  }

  /**
   * @param {SVGElement} element
   * @param {Cell} cell
   */
  #drop(element, [, row]) {
    setStyle(element, "--from", `${(row - this.height - 0.3) * CELL}px`);
    element.classList.add("falls");
  }

  /** @param {Cell} cell */
  #place([column, row]) {
    return `translate(${middle(column)} ${this.bars.height + EDGE + (this.height - row - 0.5) * CELL})`;
  }

  #frame() {
    const { width, height } = this.#size;
    const y = this.bars.height + 1.5;
    return s("rect", { class: "frame", x: 2.5, y, width: width - 5, height: height - 3, rx: EDGE });
  }

  #holes() {
    const rows = Array.from({ length: this.height }, (_, row) => row);
    const holes = this.columns.flatMap((column) => rows.map((row) =>
      s("circle", { r: 19, transform: this.#place([column, row]) })));
    return s("g", { class: "holes" }, ...holes);
  }

  #labels() {
    const y = this.bars.height + this.#size.height + 17 * this.#scale;
    const labels = this.columns.map((column) => s("text", { x: middle(column), y }, `${column + 1}`));
    return s("g", { class: "labels", "aria-hidden": "true", "font-size": 13 * this.#scale }, ...labels);
  }
}

/**
 * @param {Game} game
 * @param {boolean} flipped
 * @param {readonly Ghost[]} ghosts
 */
export function pictureOf(game, flipped, ghosts = []) {
  const picture = new BoardPicture(game.rules.width, game.rules.height);
  picture.drawGame(game, { flipped });
  picture.drawGhosts(ghosts, { flipped });
  const { top, width, height } = picture.view(false);
  return s("svg", { class: "board", viewBox: `0 ${top} ${width} ${height}`, role: "img",
    "aria-label": stateOf(game, flipped) }, ...picture.parts.slice(1)); // without bars
}

/** @param {number} column */
function middle(column) {
  return EDGE + (column + 0.5) * CELL;
}

export class Bars {
  #columns;

  /**
   * @param {number[]} middles of the columns
   * @param {number} scale of the texts
   */
  constructor(middles, scale) {
    this.chip = 20 * scale; // height
    this.height = this.chip + BAR_HEIGHT + 12;
    this.#columns = middles.map((middle) => this.#column(middle, scale));
    this.group = s("g", { class: "bars", "aria-hidden": "true" }, ...this.#columns.map((column) => column.group));
    this.show(null);
  }

  /** @param {(Bar | null)[] | null} bars null for a column that is full, and instead of the list: none at all */
  show(bars) {
    this.group.classList.toggle("off", bars === null);
    this.#columns.forEach((column, index) => {
      const bar = bars?.[index] ?? null;
      column.group.setAttribute("class", `${bar ? bar.proof ?? "open" : "off"} ${bar?.isBest ? "best" : ""}`);
      if (bar === null) return;
      const height = bar.share * BAR_HEIGHT;
      column.visits.setAttribute("height", `${height}`);
      column.visits.setAttribute("y", `${this.chip + 5 + BAR_HEIGHT - height}`);
      setText(column.number, numberOf(bar));
    });
  }

  /**
   * @param {number} middle
   * @param {number} scale
   */
  #column(middle, scale) {
    const visits = this.#bar("filled visits");
    const number = s("text", { class: "result", y: this.chip - 5.5 * scale, "font-size": 13 * scale });
    const [width, height] = [CHIP, this.chip - 1.5];
    const chip = s("rect", { class: "chip-ground", x: -width / 2, y: 0.75, width, height, rx: 5 });
    const group = s("g", { transform: `translate(${middle} 0)` }, chip, number, this.#bar("track"), visits);
    return { visits, number, group };
  }

  /** @param {string} name */
  #bar(name) {
    return s("rect", { class: name, x: -BAR_WIDTH / 2, y: this.chip + 5, width: BAR_WIDTH, height: BAR_HEIGHT, rx: 2 });
  }
}

/** @param {Bar} bar */
function numberOf(bar) {
  if (bar.score !== null) return score(bar.score);
  if (bar.proof) return provenShort(bar);
  return bar.value === null ? "" : value(bar.value).replace(/^0/, "");
}
