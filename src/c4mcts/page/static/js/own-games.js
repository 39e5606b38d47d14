/**
 * The games of the user against the computer that the browser keeps, and the user's mistakes in them, which are found
 * by a review once and then kept, too.
 *
 * @import { Connection } from "./connection.js"
 * @import { Game, Player } from "./game.js"
 * @import { ReviewedMove } from "protocol"
 */

import { store, stored } from "./browser-storage.js";
import { STANDARD } from "./game.js";
import { RESULTS, readGame } from "./game-text.js";
import { positionReader } from "./positions.js";
import { isTurn } from "./review-words.js";
import { pastGames } from "./storage.js";
import { splitMoves } from "./tree-text.js";

const NAME = "c4mcts.mistakes";

/**
 * @typedef {object} OwnGame
 * @property {string} id
 * @property {string} line of a file
 * @property {Game} game
 * @property {Player} side of the user
 * @property {number} level of the computer
 * @property {number | null} points of the user; null: the game goes on
 */
/** @typedef {{ own: OwnGame, move: ReviewedMove }} Mistake */
/** @typedef {{ [id: string]: { plies: number, moves: ReviewedMove[] } }} Kept plies: of the game that was reviewed */

/**
 * The games, newest first.
 *
 * @param {Pick<Connection, "request">} connection
 */
export async function ownGames(connection) {
  /** @type {OwnGame[]} */
  const games = [];
  for (const { id, line } of pastGames()) {
    const { first, second, result } = JSON.parse(splitMoves(line)[1] || "{}");
    const level = Number(/^level (\d+)$/.exec(first === "you" ? second : second === "you" ? first : "")?.[1]);
    if (!level) continue;
    const side = first === "you" ? 0 : 1;
    const winner = RESULTS.indexOf(result);
    const points = winner < 0 ? null : winner === 2 ? 0.5 : Number(winner === side);
    const { game } = await readGame(line, STANDARD, positionReader(connection));
    games.push({ id, line, game, side, level, points });
  }
  return games;
}

/**
 * The user's mistakes in the games that are over, newest first. Games that are new are reviewed.
 *
 * @param {Pick<Connection, "request">} connection
 * @param {readonly OwnGame[]} games
 * @param {(reviewed: number, count: number) => void} onProgress
 * @param {() => boolean} isStale whether to stop
 */
export async function mistakesIn(connection, games, onProgress, isStale) {
  /** @type {Kept} */
  const before = stored(NAME).found ?? {};
  /** @type {Kept} */
  const kept = {};
  const over = games.filter(({ points }) => points !== null);
  for (const [index, { id, game, side }] of over.entries()) {
    onProgress(index, over.length);
    kept[id] = before[id];
    if (kept[id]?.plies === game.moves.length) continue;
    const { review } = await connection.request({ action: "review", ...game.query });
    if (isStale()) return [];
    kept[id] = { plies: game.moves.length, moves: review.moves.filter((move) => move.player === side && isTurn(move)) };
    store(NAME, { ...before, ...kept });
  }
  store(NAME, kept); // without games that are no longer kept
  return over.flatMap((own) => kept[own.id].moves.map((move) => ({ own, move })));
}
