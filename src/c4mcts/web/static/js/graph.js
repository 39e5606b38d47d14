/** The course of a game: yellow's prospects over the plies; a click jumps to a position. */

import { s } from "./dom.js";

const WIDTH = 528, HEIGHT = 104, SIDE = 10, TOP = 8, BOTTOM = 18; // units of the picture
const MIDDLE = TOP + (HEIGHT - TOP - BOTTOM) / 2;
const HALF = (HEIGHT - TOP - BOTTOM) / 2;
const LEAST = 0.25; // how far from the middle the least win lies, as a share of half the height; as in review_svg.py

/**
 * A position in the graph.
 *
 * @typedef {object} Point
 * @property {number} height in [-1, 1] for yellow
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

  /** @param {(ply: number) => void} onJump called with the ply that was clicked */
  constructor(onJump) {
    this.svg = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
    this.svg.addEventListener("click", (event) => {
      const { left, width } = this.svg.getBoundingClientRect();
      const x = ((event.clientX - left) / width) * WIDTH;
      onJump(Math.max(0, Math.min(this.#plies, Math.round((x - SIDE) / this.#step))));
    });
  }

  /**
   * @param {(Point | null)[]} points for each ply from 0; null where nothing is known
   * @param {number} ply the one on the board
   * @param {string} label for screen readers
   */
  show(points, ply, label) {
    this.#plies = points.length - 1;
    this.#step = (WIDTH - 2 * SIDE) / Math.max(1, this.#plies);
    this.svg.setAttribute("aria-label", label);
    const dots = points.flatMap((point, index) => (point ? this.#dot(point, index, index === ply) : []));
    this.svg.replaceChildren(
      s("rect", { class: "for-yellow", x: 0, y: TOP, width: WIDTH, height: HALF, rx: 4 }),
      s("rect", { class: "for-red", x: 0, y: MIDDLE, width: WIDTH, height: HALF, rx: 4 }),
      s("path", { class: "even", d: `M0 ${MIDDLE}H${WIDTH}` }),
      s("rect", { class: "now", x: this.#x(ply) - 1, y: TOP, width: 2, height: 2 * HALF }),
      s("path", { class: "course", d: this.#path(points) }),
      ...dots,
      ...this.#numbers(),
    );
  }

  /** @param {number} ply */
  #x(ply) {
    return SIDE + ply * this.#step;
  }

  /** @param {Point} point */
  #y(point) {
    return MIDDLE - point.height * (HALF - 4);
  }

  /** @param {(Point | null)[]} points */
  #path(points) {
    let isDrawing = false;
    return points.map((point, ply) => {
      const command = isDrawing ? "L" : "M";
      isDrawing = point !== null;
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
    const dot = s("circle", { class: `dot ${point.colour ?? ""}`, cx: x, cy: y, r: point.mark ? 5 : isNow ? 4.5 : 3 });
    if (point.label) dot.append(s("title", {}, point.label));
    const above = y > TOP + 22 ? y - 8 : y + 17;
    return point.mark ? [dot, s("text", { class: "sign", x, y: above }, point.mark)] : [dot];
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
