/**
 * Pictures of a game as files, with the colours of the page.
 *
 * @import { Game } from "./game.js"
 */

import { BoardPicture } from "./board-picture.js";
import { s } from "./dom.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight",
  "text-anchor"];
const STEP = 0.7; // seconds for each move of an animation
const HOLD = 3; // seconds at its end
const SCALE = 2; // pixels of a PNG for each unit of the picture

/**
 * A position as SVG.
 *
 * @param {Game} game
 * @param {boolean} flipped
 */
export function positionSvg(game, flipped) {
  const picture = new BoardPicture(game.rules.width, game.rules.height);
  picture.drawGame(game, { flipped });
  return written(picture);
}

/**
 * A game as SVG that plays itself, again and again.
 *
 * @param {Game} game
 * @param {boolean} flipped
 */
export function gameSvg(game, flipped) {
  const picture = new BoardPicture(game.rules.width, game.rules.height);
  picture.drawGame(game, { flipped });
  const discs = [...picture.discs.children];
  const end = game.moves.length;
  for (const light of picture.discs.querySelectorAll(".winning")) appear(light, end, end);
  const heights = game.after(0).columns.map((column) => column.length);
  game.moves.forEach((column, ply) => {
    const index = game.columns.slice(0, column).reduce((sum, each) => sum + each.length, heights[column]++);
    appear(discs[index], ply + 1, end);
  });
  return written(picture);
}

/**
 * A position as PNG.
 *
 * @param {Game} game
 * @param {boolean} flipped
 * @returns {Promise<Blob>}
 */
export async function positionPng(game, flipped) {
  const url = URL.createObjectURL(new Blob([positionSvg(game, flipped)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(SCALE * image.width, SCALE * image.height);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob();
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * Let an element be seen from a move on.
 *
 * @param {Element} element
 * @param {number} move
 * @param {number} end the number of moves
 */
function appear(element, move, end) {
  const seconds = STEP * (end + 1) + HOLD;
  element.append(s("animate", { attributeName: "visibility", values: "hidden;visible", calcMode: "discrete",
    keyTimes: `0;${(STEP * move / seconds).toFixed(4)}`, dur: `${seconds.toFixed(1)}s`, repeatCount: "indefinite" }));
}

/**
 * A picture as the text of a file that needs no style sheet.
 *
 * @param {BoardPicture} picture
 */
function written(picture) {
  const { top, width, height } = picture.view(false);
  picture.bars.group.remove();
  const svg = s("svg", { class: "board", viewBox: `0 ${top} ${width} ${height}`, width, height },
    ...picture.parts.filter((part) => part !== picture.bars.group));
  document.body.append(svg); // elements outside of the document have no style
  for (const element of svg.querySelectorAll("*")) {
    const style = getComputedStyle(element);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value && value !== "none" || name === "fill") element.setAttribute(name, value);
    }
  }
  svg.remove();
  for (const element of [svg, ...svg.querySelectorAll("*")]) element.removeAttribute("class");
  return new XMLSerializer().serializeToString(svg);
}
