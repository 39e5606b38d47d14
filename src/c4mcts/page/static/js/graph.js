/**
 * The course of a game over its moves, in three bands: won by yellow, drawn, won by red. A click jumps to a position.
 *
 * What is certain lies within its band, so that a move that gives away a win falls into another band, however small the
 * solver's scores are. Estimates lie anywhere.
 */

import { s } from "./dom.js";
import { texts } from "./texts.js";

const TEXTS = texts.graph;
const WIDTH = 528, HEIGHT = 190, LEFT = 84, RIGHT = 10, TOP = 4, BOTTOM = 18; // units of the picture
const SIGN = 12; // least distance of two signs
const MIDDLE = TOP + (HEIGHT - TOP - BOTTOM) / 2;
const HALF = (HEIGHT - TOP - BOTTOM) / 2;
const BAND = HALF / 3; // half the height of the band of draws
const LEAST = 0.5; // how far from the middle the least win lies, as a share of half the height

/**
 * A position in the graph.
 *
 * @typedef {object} Point
 * @property {number} height in [-1, 1] for yellow
 * @property {boolean} [isEstimate] whether it is what a search believes
 * @property {string} [mark] a sign such as "??"
 * @property {string} [colour] of the dot: the player whose move led here
 * @property {string} [label] of the dot
 */

/**
 * The height of a score of the solver in [-1, 1].
 *
 * @param {number} score
 * @param {number} highest the highest score of such a board
 */
export function scoreHeight(score, highest) {
  return Math.sign(score) * (LEAST + (1 - LEAST) * Math.min(1, Math.abs(score) / highest));
}

export class Graph {
  #plies = 0;
  #step = 0; // width of a ply
  #signAt = 0; // x of the last sign

  /** @param {(ply: number) => void} onJump called with the ply that was clicked */
  constructor(onJump) {
    this.svg = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
    this.svg.addEventListener("click", (event) => {
      const { left, width } = this.svg.getBoundingClientRect();
      const x = ((event.clientX - left) / width) * WIDTH;
      onJump(Math.max(0, Math.min(this.#plies, Math.round((x - LEFT) / this.#step))));
    });
  }

  /**
   * @param {(Point | null | undefined)[]} points for each ply from 0; none where nothing is known
   * @param {number} ply the one on the board
   * @param {string} label for screen readers
   */
  show(points, ply, label) {
    this.#plies = points.length - 1;
    this.#step = (WIDTH - LEFT - RIGHT) / Math.max(1, this.#plies);
    this.svg.setAttribute("aria-label", label);
    this.#signAt = -SIGN;
    const dots = points.flatMap((point, index) => (point ? this.#dot(point, index, index === ply) : []));
    this.svg.replaceChildren(
      ...band("yellow", TEXTS.yellowWins, TOP, HALF - BAND),
      ...band("even", TEXTS.draw, MIDDLE - BAND, 2 * BAND),
      ...band("red", TEXTS.redWins, MIDDLE + BAND, HALF - BAND),
      s("rect", { class: "now", x: this.#x(ply) - 1, y: TOP, width: 2, height: 2 * HALF }),
      s("path", { class: "course", d: this.#path(points) }),
      ...dots,
      ...this.#numbers(),
    );
  }

  /** @param {number} ply */
  #x(ply) {
    return LEFT + ply * this.#step;
  }

  /** @param {Point} point */
  #y(point) {
    return MIDDLE - point.height * (HALF - 4);
  }

  /** @param {(Point | null | undefined)[]} points */
  #path(points) {
    let isDrawing = false;
    return points.map((point, ply) => {
      const command = isDrawing ? "L" : "M";
      isDrawing = Boolean(point);
      return point ? `${command}${this.#x(ply).toFixed(1)} ${this.#y(point).toFixed(1)}` : "";
    }).join("");
  }

  /**
   * @param {Point} point
   * @param {number} ply
   * @param {boolean} isNow
   */
  #dot(point, ply, isNow) {
    const [x, y] = [this.#x(ply), this.#y(point)];
    if (!point.mark && !isNow && this.#step < 9) return [];
    const look = `dot ${point.colour ?? ""} ${point.isEstimate ? "estimate" : ""}`;
    const largest = Math.max(1.5, this.#step); // in a long game
    const dot = s("circle", { class: look, cx: x, cy: y, r: isNow ? 4.5 : Math.min(point.mark ? 5 : 3, largest) });
    if (point.label) dot.append(s("title", {}, point.label));
    const above = y > TOP + 22 ? y - 8 : y + 17;
    if (!point.mark || x - this.#signAt < SIGN) return [dot]; // no sign upon another
    this.#signAt = x;
    return [dot, s("text", { class: "sign", x, y: above }, point.mark)];
  }

  #numbers() {
    const every = [1, 2, 5, 10, 20, 50].find((count) => count * this.#step >= 34) ?? 100;
    const numbers = [];
    for (let ply = 0; ply <= this.#plies; ply += every) {
      numbers.push(s("text", { class: "ply", x: this.#x(ply), y: HEIGHT - 4 }, `${ply}`));
    }
    return numbers;
  }
}

/**
 * @param {string} name
 * @param {string} words
 * @param {number} y
 * @param {number} height
 */
function band(name, words, y, height) {
  return [s("rect", { class: `band ${name}`, x: 0, y, width: WIDTH, height }),
    s("text", { class: "band-name", x: 6, y: y + height / 2 + 4 }, words)];
}
