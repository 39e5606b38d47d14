/**
 * Positions from outside: texts, files; and the FEN, which only the server reads.
 *
 * @import { App } from "./app.js"
 * @import { Connection } from "./connection.js"
 * @import { Game } from "./game.js"
 * @import { ReadFen } from "./notation.js"
 */

import { mayReplace } from "./confirmation.js";
import { setText } from "./dom.js";
import { fullSentence, messageOf } from "./format.js";
import { chosenGame, gameLines } from "./game-choice.js";
import { readGame } from "./game-files.js";
import { NotationError } from "./notation.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.positions;
const MOST_SHOWN = 12; // moves in the sentence that says how a text was read

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
  const columns = game.moves.slice(0, MOST_SHOWN).map((column) => column + 1).join(" ");
  const more = game.moves.length > MOST_SHOWN ? " …" : "";
  return text.includes(",")
    ? fill(TEXTS.list, { columns, more })
    : fill(TEXTS.digits, { columns, more });
}

/**
 * Show below the board how a text was read, until the position changes; "" removes it.
 *
 * @param {string} text
 */
export function note(text) {
  const place = document.getElementById("read");
  if (!place) return;
  place.hidden = !text;
  setText(place, text);
}
