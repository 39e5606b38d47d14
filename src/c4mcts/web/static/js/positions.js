/**
 * Positions from outside: texts, files with a game a line; and the FEN, which only the server reads.
 *
 * @import { App } from "./app.js"
 * @import { Connection } from "./connection.js"
 * @import { Game } from "./game.js"
 * @import { ReadFen } from "./notation.js"
 */

import { mayReplace, openDialog, returned } from "./dialogs.js";
import { h, showText } from "./dom.js";
import { columns, fullSentence, messageOf, whole } from "./format.js";
import { readGame, splitMoves } from "./game-text.js";
import { NotationError } from "./notation.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.positions;
const MOST_SHOWN = 12; // moves in the sentence that says how a text was read
const SHOWN_ROWS = 12;
const MOST = 5000; // games in the list
const SHOWN_MOVES = 24; // characters

/**
 * Reads a FEN by asking the server. RequestError.
 *
 * @param {Pick<Connection, "request">} connection
 * @returns {ReadFen}
 */
export function positionReader(connection) {
  return async (fen) => {
    const found = await connection.request({ action: "describe", fen }).catch((error) => {
      throw new NotationError(fullSentence(messageOf(error)));
    });
    const rows = [...found.board].reverse();
    const columns = rows[0].map((_, column) => rows.map((row) => row[column] - 1).filter((player) => player >= 0));
    return { rules: found.rules, start: { fen, columns, turn: found.currentPlayer } };
  };
}

/**
 * Put the game of a text on the board and say how it was read, or why it can't be; returns whether it is there. If the
 * text has several games, a line each, the user chooses.
 *
 * @param {App} app
 * @param {string} text
 */
export async function loadText(app, text) {
  try {
    const rules = app.store.state.game.rules;
    const games = gameLines(text);
    const line = games.length > 1 ? await chosenGame(games) : text.trimStart().split(/\s*\n/, 1)[0];
    if (line === null) return false;
    const tree = await readGame(line, rules, positionReader(app.connection));
    if (!(await mayReplace(app))) return false;
    app.store.load(tree);
    note(understood(line, tree.game));
    return true;
  } catch (error) {
    app.showError(fill(TEXTS.problem, { problem: messageOf(error) }));
    return false;
  }
}

/**
 * How the text of a game was read, in words for the user, who counts columns from 1 as on the board.
 *
 * @param {string} text
 * @param {Game} game
 */
export function understood(text, game) {
  if (!game.moves.length) return TEXTS.noMoves;
  const more = game.moves.length > MOST_SHOWN ? " …" : "";
  return fill(text.includes(",") ? TEXTS.list : TEXTS.digits,
    { columns: columns(game.moves.slice(0, MOST_SHOWN)), more });
}

/**
 * Show below the board how a text was read, until the position changes; "" removes it.
 *
 * @param {string} text
 */
export function note(text) {
  const place = document.getElementById("read");
  if (place) showText(place, text);
}

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
 */
async function chosenGame(lines) {
  const list = h("select", { id: "games", size: Math.min(lines.length, SHOWN_ROWS), "aria-label": titleOf(lines.length),
    ondblclick: () => dialog.close("open") },
  ...lines.slice(0, MOST).map((line, index) => h("option", { selected: index === 0 }, summaryOf(line, index))));
  const dialog = openDialog(titleOf(lines.length), { id: "game-choice" },
    h("form", { method: "dialog", onkeydown: (event) => {
      if (event.key === "Enter" && event.target === list) dialog.close("open");
    } }, list, h("div", { class: "row end" },
      h("button", { value: "cancel" }, TEXTS.cancel), h("button", { value: "open", class: "primary" }, TEXTS.open))));
  list.focus();
  return await returned(dialog) === "open" ? lines[list.selectedIndex] : null;
}
