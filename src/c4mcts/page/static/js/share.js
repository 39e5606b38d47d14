/**
 * The dialog that shares a position: as a link, as text and code, as pictures with the colours of the page, of the
 * position or of what is on the screen, and on other pages.
 *
 * @import { App } from "./app.js"
 * @import { Game } from "./game.js"
 * @import { Lecture } from "./lecture.js"
 */

import { pictureOf } from "./board-picture.js";
import { closingRow, openDialog } from "./dialogs.js";
import { button, download, h, s } from "./dom.js";
import { Draft } from "./draft.js";
import { messageOf } from "./format.js";
import { writeHash, writeText } from "./notation.js";
import { exported } from "./start.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.share;
const SIZE = [800, 460]; // of an embedded page, in pixels: the board, and the panel to its right
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight",
  "text-anchor", "paint-order", "opacity"];
/** @type {[name: keyof typeof TEXTS.figures, selector: string][]} */
const FIGURES = [["board", "#board>svg"], ["graph", ".graph"], ["tree", ".learn-tree"]];
const STEP = 0.7; // seconds for each move of an animation
const HOLD = 3; // seconds at its end
const SCALE = 2; // pixels of a PNG for each unit of the picture

/**
 * @param {App} app
 * @param {Lecture | null} lecture null: there can be none
 */
export function showShareDialog(app, lecture) {
  const { shown, state } = app.store;
  const link = new URL(`#${writeHash(state)}`, location.href).href;
  const game = state.game.moves.length > state.ply ? state.game : shown;
  const message = h("p", { class: "soft small", role: "status" });
  const say = (/** @type {string} */ words) => (message.textContent = words);
  const row = (/** @type {string} */ name, /** @type {string} */ text) => copyRow(name, text, say);
  const file = (/** @type {string} */ name, /** @type {string} */ words,
    /** @type {() => Promise<Blob> | Blob} */ make) => {
    const save = async () => download(name, await make());
    return button(words, () => save().catch((reason) => say(messageOf(reason))));
  };
  const files = (/** @type {string} */ words, /** @type {string} */ name, /** @type {() => SVGSVGElement} */ draw,
    /** @type {HTMLElement | null} */ more = null) =>
    h("div", { class: "row", role: "group", "aria-label": words }, h("span", { class: "soft small" }, words),
      file(`${name}.png`, TEXTS.png, () => pngFile(written(draw()))),
      file(`${name}.svg`, TEXTS.svg, () => svgFile(written(draw()))), more);
  const lectureRow = lecture && h("div", { class: "lecture" }, button(TEXTS.lecture, () => {
    lecture.begin().then(invite, (reason) => say(messageOf(reason)));
  }, { title: TEXTS.lectureTitle }));
  function invite(/** @type {string} */ name) {
    const url = new URL(`?follow=${name}`, location.href);
    const code = h("img", { src: `qr?text=${encodeURIComponent(url.href)}`, alt: TEXTS.qr,
      onerror: () => code.remove(), onload: () => code.scrollIntoView() });
    lectureRow?.replaceChildren(row(TEXTS.lectureLink, url.href), code);
  }
  openDialog(TEXTS.title, { class: "share" },
    row(TEXTS.link, link),
    row(TEXTS.moves, writeText(shown)),
    row(TEXTS.fen, Draft.of(shown, false).fen),
    row(TEXTS.python, `c4mcts.Board.parse(${JSON.stringify(writeText(shown))})`),
    row(TEXTS.kaggle, kaggle(shown)),
    row(TEXTS.drawing, drawing(shown)),
    exported ? row(TEXTS.onYourPage, frame(link)) : null,
    files(TEXTS.position, "connect4", () => pictureOf(shown, state.flipped),
      game.moves.length
        ? file("connect4-game.svg", TEXTS.animation, () => svgFile(gameSvg(game, state.flipped))) : null),
    ...FIGURES.flatMap(([name, selector]) => {
      const svg = /** @type {SVGSVGElement | null} */ (document.querySelector(selector));
      return svg?.checkVisibility() ? [files(TEXTS.figures[name], `connect4-${name}`, () => copyOf(svg))] : [];
    }),
    message, lectureRow,
    closingRow(h("button", { class: "primary" }, TEXTS.close)));
}

/**
 * @param {string} name
 * @param {string} text
 * @param {(words: string) => void} say
 */
function copyRow(name, text, say) {
  const rows = Math.min(8, text.split("\n").length);
  const field = h("textarea", { readOnly: true, spellcheck: false, value: text, rows, onfocus: () => field.select() });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say(fill(TEXTS.copied, { name }));
    } catch {
      field.focus();
      say(TEXTS.notAllowed);
    }
  };
  return h("div", { class: "copy-row" }, h("label", {}, name, field),
    button(TEXTS.copy, copy, { "aria-label": fill(TEXTS.copyLabel, { name }) }));
}

/** @param {string} text */
function svgFile(text) {
  return new Blob([text], { type: "image/svg+xml" });
}

/**
 * The observation that a Kaggle agent gets: the board row by row from the top, 1 for the first player's discs.
 *
 * @param {Game} game
 */
function kaggle(game) {
  const cells = rows(game).flat().map((player) => (player === undefined ? 0 : player + 1));
  return JSON.stringify({ board: cells, mark: game.turn + 1 });
}

/** @param {Game} game as text, with the numbers of the columns from 1 */
function drawing(game) {
  const cells = rows(game).map((row) => row.map((player) => (player === undefined ? "." : "xo"[player])));
  const numbers = game.columns.map((_, column) => `${(column + 1) % 10}`);
  return [...cells, numbers].map((row) => row.join(" ")).join("\n");
}

/** @param {Game} game whose discs are listed by player, row by row from the top */
function rows({ rules, columns }) {
  return Array.from({ length: rules.height }, (_, index) => columns.map((column) => column[rules.height - 1 - index]));
}

/** @param {string} link to show within another page */
function frame(link) {
  const url = new URL(link);
  url.search = "?embed=1";
  const [width, height] = SIZE;
  const address = url.href.replaceAll("&", "&amp;");
  return `<iframe src="${address}" width="${width}" height="${height}" loading="lazy" title="Connect-4"></iframe>`;
}

/**
 * @param {Game} game
 * @param {boolean} flipped
 */
function gameSvg(game, flipped) {
  const picture = pictureOf(game, flipped);
  const discs = [...picture.querySelectorAll(".disc")];
  const end = game.moves.length;
  for (const light of picture.querySelectorAll(".winning")) appear(light, end, end);
  const heights = game.after(0).columns.map((column) => column.length);
  game.moves.forEach((column, ply) => {
    const index = game.columns.slice(0, column).reduce((sum, each) => sum + each.length, heights[column]++);
    appear(discs[index], ply + 1, end);
  });
  return written(picture);
}

/** @param {SVGSVGElement} svg on the page, of which what is seen is copied */
function copyOf(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const seen = [...svg.querySelectorAll("*")].map((each) => each.checkVisibility({ visibilityProperty: true }));
  [...copy.querySelectorAll("*")].forEach((each, index) => {
    if (!seen[index] || each.matches(".column")) each.remove();
  });
  return copy;
}

/**
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
async function pngFile(svg) {
  const url = URL.createObjectURL(svgFile(svg));
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

/** @param {SVGSVGElement} svg as the text of a file that needs no style sheet */
function written(svg) {
  svg.setAttribute("width", `${svg.viewBox.baseVal.width}`);
  svg.setAttribute("height", `${svg.viewBox.baseVal.height}`);
  svg.style.colorScheme = "light"; // nobody sees the file on the dark page
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
