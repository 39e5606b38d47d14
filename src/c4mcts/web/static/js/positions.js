/**
 * Positions from outside: the address, texts, files; and the FEN, which only the server reads.
 *
 * @import { App } from "./app.js"
 * @import { Connection } from "./connection.js"
 * @import { ReadFen } from "./notation.js"
 */

import { messageOf } from "./format.js";
import { readHash, readText, writeHash } from "./notation.js";

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
 * Put the position of a text on the board, or say what is wrong with it; whether it could be read.
 *
 * @param {App} app
 * @param {string} text
 */
export async function loadText(app, text) {
  try {
    const rules = app.store.state.game.rules;
    app.store.load(await readText(text, rules, positionReader(app.connection)));
    return true;
  } catch (error) {
    app.showError(`${messageOf(error)} The game is as it was.`);
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
      app.store.load(await readHash(hash, readFen));
    } catch (error) {
      app.showError(`The address: ${messageOf(error)}`);
    }
  };
  app.store.subscribe((state, before) => {
    if (state.game !== before.game || state.ply !== before.ply) {
      history.replaceState(null, "", `#${writeHash(app.store.shown)}`);
    }
  });
  addEventListener("hashchange", read);
  if (location.hash.length > 1) read();
}
