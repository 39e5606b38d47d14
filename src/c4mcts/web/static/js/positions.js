/**
 * Positions from outside: the address, texts, files; and the FEN, which only the server reads.
 *
 * @import { App } from "./app.js"
 * @import { Connection } from "./connection.js"
 * @import { ReadFen } from "./notation.js"
 */

import { mayReplace } from "./confirmation.js";
import { setText } from "./dom.js";
import { messageOf } from "./format.js";
import { readGame } from "./game-files.js";
import { readHash, understood, writeHash } from "./notation.js";

/**
 * Reads a FEN by asking the server. RequestError.
 *
 * @param {Pick<Connection, "request">} connection
 * @returns {ReadFen}
 */
export function positionReader(connection) {
  return async (fen) => {
    const found = await connection.request({ action: "describe", fen });
    const rows = [...found.board].reverse();
    const columns = rows[0].map((_, column) => rows.map((row) => row[column] - 1).filter((player) => player >= 0));
    return { rules: found.rules, start: { fen, columns, turn: found.currentPlayer } };
  };
}

/**
 * Put the game of a text on the board and say how it was read, or why it can't be; returns whether it is there.
 *
 * @param {App} app
 * @param {string} text
 */
export async function loadText(app, text) {
  try {
    const rules = app.store.state.game.rules;
    const [line] = text.trimStart().split(/\s*\n/, 1); // of a file of games, the first
    const tree = await readGame(line, rules, positionReader(app.connection));
    if (!(await mayReplace(app))) return false;
    app.store.load(tree);
    note(understood(line, tree.game));
    return true;
  } catch (error) {
    app.showError(`${messageOf(error)} The game is unchanged.`);
    return false;
  }
}

/**
 * Keep the position in the address, and follow the address when the user changes it.
 *
 * @param {App} app
 */
export function followAddress(app) {
  const readFen = positionReader(app.connection);
  const read = async () => {
    const hash = location.hash.slice(1);
    if (hash === writeHash(app.store.shown)) return;
    try {
      const game = await readHash(hash, readFen);
      app.store.load(game);
      note(understood(hash, game));
    } catch (error) {
      app.showError(`The address: ${messageOf(error)}`);
    }
  };
  app.store.subscribe((state, before) => {
    if (state.game !== before.game || state.ply !== before.ply) {
      history.replaceState(null, "", `#${writeHash(app.store.shown)}`);
      note("");
    }
  });
  addEventListener("hashchange", read);
  if (location.hash.length > 1) read();
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
