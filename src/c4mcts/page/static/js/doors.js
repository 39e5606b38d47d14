/**
 * The first visit: what the page is for, as four doors with a picture and a sentence each, and the language.
 *
 * @import { App } from "./app.js"
 * @import { ModeName } from "./store.js"
 */

import { pictureOf } from "./board-picture.js";
import { storages, store } from "./browser-storage.js";
import { openDialog } from "./dialogs.js";
import { h, s } from "./dom.js";
import { Game, STANDARD } from "./game.js";
import { languageField } from "./header.js";
import { ghostsOf } from "./moves.js";
import { texts } from "./texts.js";

const TEXTS = texts.doors;
const OPENING = new Game(STANDARD, [3, 3, 3, 3, 2, 4]);
const TRAP = new Game(STANDARD, [3, 3, 2, 2]);
const QUESTION = ghostsOf(TRAP, [4], 1).map((ghost) => ({ ...ghost, text: "?" }));

const AGAIN = "c4mcts.doors"; // of a reload in another language

/** Whether to show the doors: nothing is stored, and no link leads to a position. */
export function isFirstVisit() {
  const places = storages();
  const isAgain = places.some((place) => place.getItem(AGAIN) !== null);
  for (const place of places) place.removeItem(AGAIN);
  return isAgain || (!location.href.includes("#") && places.every((place) => place.length === 0));
}

/** @param {App} app */
export function showDoors(app) {
  /** @param {ModeName} name @param {string} words @param {SVGElement} picture */
  const door = (name, words, picture) => h("button", { type: "button", id: `door-${name}`, onclick: () => {
    dialog.close();
    app.store.switchTo(name);
  } }, h("span", { "aria-hidden": "true" }, picture), h("strong", {}, texts.header[name]),
  h("span", { class: "soft small" }, words));
  const dialog = openDialog(TEXTS.title, { id: "doors" },
    h("p", { class: "small" }, TEXTS.about),
    h("div", { class: "doors" },
      door("play", TEXTS.play, pictureOf(OPENING, false)), door("analyse", TEXTS.analyse, balances()),
      door("learn", TEXTS.learn, tree()), door("puzzles", TEXTS.puzzles, pictureOf(TRAP, false, QUESTION))),
    h("label", { onchange: () => store(AGAIN, true, storages().slice(0, 1)) }, texts.header.language,
      languageField(app.store)));
}

/** Seven columns with bars over them, as in Analyse. */
function balances() {
  const heights = [12, 20, 34, 70, 34, 20, 12];
  return s("svg", { viewBox: "0 0 140 120", "aria-hidden": "true" }, ...heights.map((height, column) =>
    s("rect", { class: column === 3 ? "best" : "", x: 6 + column * 19, y: 100 - height, width: 12, height, rx: 3 })));
}

/** A tree, as in Learn. */
function tree() {
  const nodes = [[70, 18], [30, 58], [70, 58], [110, 58], [54, 100], [86, 100]];
  const edges = [[0, 1], [0, 2], [0, 3], [2, 4], [2, 5]];
  return s("svg", { viewBox: "0 0 140 120", "aria-hidden": "true" },
    ...edges.map(([from, to]) => s("path", { d: `M${nodes[from].join()}L${nodes[to].join()}` })),
    ...nodes.map(([cx, cy], index) => s("circle", { class: index === 2 || index === 4 ? "best" : "", cx, cy, r: 11 })));
}
