/**
 * The choice of a game from a file with several games, a line each.
 */

import { h } from "./dom.js";
import { whole } from "./format.js";
import { splitMoves } from "./game-text.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.gameChoice;
const SHOWN_ROWS = 12;
const MOST = 5000; // games in the list
const SHOWN_MOVES = 24; // characters

/**
 * The lines of a text that may be games; others are left out.
 *
 * @param {string} text
 */
export function gameLines(text) {
  return text.split("\n").map((line) => line.trim()).filter((line) => /^[\d("]/.test(line));
}

/**
 * A game of a file in a few words: "2. level 4 and you, 0-1: 444421".
 *
 * @param {string} line
 * @param {number} index from 0
 */
export function summaryOf(line, index) {
  const [moves, rest] = splitMoves(line);
  const { first, second, result } = factsOf(rest);
  const players = first && second ? fill(TEXTS.players, { first, second }) : first || second;
  const head = [players, result].filter(Boolean).join(", ");
  const start = moves.length > SHOWN_MOVES ? `${moves.slice(0, SHOWN_MOVES)} …` : moves;
  return `${index + 1}. ${head ? `${head}: ` : ""}${start}`;
}

/** @param {number} count of games */
function titleOf(count) {
  return count > MOST ? fill(TEXTS.titleOfFirst, { most: whole(MOST), count: whole(count) })
    : fill(TEXTS.title, { count: whole(count) });
}

/**
 * What the facts of a line say about the game; "" where they say nothing.
 *
 * @param {string} text
 */
function factsOf(text) {
  /** @type {Record<string, unknown>} */
  let found = {};
  try {
    found = JSON.parse(text) ?? {};
  } catch {
    // no facts, or no JSON, which is an error only if this game is chosen
  }
  const [first, second, result] = ["first", "second", "result"].map((name) =>
    typeof found[name] === "string" ? found[name] : "");
  return { first, second, result };
}

/**
 * Ask the user for one of several games; null if the dialog is closed without a choice.
 *
 * @param {readonly string[]} lines
 * @returns {Promise<string | null>}
 */
export function chosenGame(lines) {
  return new Promise((resolve) => {
    const list = h("select", { id: "games", size: Math.min(lines.length, SHOWN_ROWS), "aria-labelledby": "choice-title",
      ondblclick: () => dialog.close("open") },
    ...lines.slice(0, MOST).map((line, index) => h("option", { selected: index === 0 }, summaryOf(line, index))));
    const dialog = h("dialog", { id: "game-choice", "aria-labelledby": "choice-title", onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue === "open" ? lines[list.selectedIndex] : null);
    } },
    h("h2", { id: "choice-title" }, titleOf(lines.length)),
    h("form", { method: "dialog", onkeydown: (event) => {
      if (event.key === "Enter" && event.target === list) dialog.close("open");
    } }, list, h("div", { class: "row end" },
      h("button", { value: "cancel" }, TEXTS.cancel), h("button", { value: "open", class: "primary" }, TEXTS.open))));
    document.body.append(dialog);
    dialog.showModal();
    list.focus();
  });
}
