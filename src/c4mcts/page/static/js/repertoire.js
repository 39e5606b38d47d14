/**
 * The user's own openings, which the browser keeps: what one side plays in positions after a start, and the boxes of
 * their repetition (progress.js).
 *
 * @import { App } from "./app.js"
 * @import { Answer, Book } from "./books.js"
 * @import { Game, Player } from "./game.js"
 * @import { Boxes } from "./progress.js"
 */

import { store, stored } from "./browser-storage.js";
import { solverOf } from "./combination.js";
import { columns } from "./format.js";
import { STANDARD, isSameStart } from "./game.js";
import { isPrefix } from "./game-tree.js";
import { ownGames } from "./own-games.js";
import { readText, writeText } from "./notation.js";
import { positionReader } from "./positions.js";
import { keyOf } from "./progress.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.books;
const NAME = "c4mcts.repertoires";
const LONGEST = 12; // plies after the start that are taken from games

/**
 * @typedef {object} Repertoire
 * @property {string} start the position, as a text
 * @property {Player} side
 * @property {{ readonly [position: string]: number }} answers columns, by the positions as keyOf writes them
 * @property {Boxes} boxes
 */

/** @returns {Repertoire[]} */
export function repertoires() {
  return stored(NAME).found ?? [];
}

/** @param {readonly Repertoire[]} list */
function keep(list) {
  store(NAME, list);
}

/**
 * Begin a repertoire, or find the one there is; returns its number, from 1.
 *
 * @param {Game} game its start
 * @param {Player} side
 */
export function newRepertoire(game, side) {
  const [list, start] = [repertoires(), writeText(game)];
  const found = list.findIndex((each) => isSame(each, { start, side }));
  if (found < 0) keep([...list, { start, side, answers: {}, boxes: {} }]);
  return (found < 0 ? list.length : found) + 1;
}

/**
 * Delete a repertoire; returns the number of the plan to win, which is chosen then.
 *
 * @param {Repertoire} repertoire
 */
export function removed(repertoire) {
  keep(repertoires().filter((each) => !isSame(each, repertoire)));
  return 0;
}

/**
 * A repertoire as it is kept: another tab may have changed it.
 *
 * @param {Repertoire} repertoire
 */
function current(repertoire) {
  return Object.assign(repertoire, repertoires().find((each) => isSame(each, repertoire)));
}

/**
 * @param {Repertoire} repertoire
 * @param {Partial<Repertoire>} fields
 */
function change(repertoire, fields) {
  Object.assign(current(repertoire), fields);
  keep(repertoires().map((each) => (isSame(each, repertoire) ? repertoire : each)));
}

/**
 * @param {Repertoire} one
 * @param {Pick<Repertoire, "start" | "side">} other
 */
function isSame({ start, side }, other) {
  return start === other.start && side === other.side;
}

/**
 * @param {App} app
 * @param {Repertoire} repertoire
 * @returns {Promise<Book>}
 */
export async function ownBook({ connection }, repertoire) {
  const start = await readText(repertoire.start, STANDARD, positionReader(connection));
  const solve = solverOf(connection);
  /** @returns {Answer} */
  const answer = (/** @type {Game} */ before, /** @type {number | null} */ reply) => {
    const move = repertoire.answers[keyOf(before)] ?? null;
    return { reply, move, isEnd: false, short: move === null ? TEXTS.noAnswer : "", reason: async () => {
      const found = await solve(before);
      if (!found?.columns) return "";
      const best = columns(found.best, ", ");
      if (move === null) return fill(TEXTS.best, { best });
      if (found.best.includes(move)) return TEXTS.isBest;
      const isKept = Math.sign(found.columns[move] ?? 0) === Math.sign(found.score ?? 0);
      return fill(isKept ? TEXTS.keeps : TEXTS.gives, { best });
    } };
  };
  return {
    start,
    about: TEXTS.about,
    async answersTo(position) {
      if (position.turn === repertoire.side) return [answer(position, null)];
      return position.legalColumns.flatMap((reply) => {
        const before = position.play(reply);
        return before.outcome ? [] : [answer(before, reply)];
      });
    },
    boxes: () => current(repertoire).boxes,
    keep: (boxes) => change(repertoire, { boxes }),
    set: (before, column) =>
      change(repertoire, { answers: { ...current(repertoire).answers, [keyOf(before)]: column } }),
  };
}

/**
 * Add what the user has played most often in games against the computer, where the repertoire has no answer yet;
 * returns the number of new answers.
 *
 * @param {App} app
 * @param {Repertoire} repertoire
 */
export async function addGames({ connection }, repertoire) {
  const start = await readText(repertoire.start, STANDARD, positionReader(connection));
  /** @type {Map<string, Map<number, number>>} */
  const counts = new Map(); // how often each column was played, by position
  for (const { game, side } of await ownGames(connection)) {
    if (side !== repertoire.side || !isSameStart(game, start) || !isPrefix(start.moves, game.moves)) continue;
    for (let ply = start.moves.length; ply < Math.min(game.moves.length, start.moves.length + LONGEST); ply++) {
      const before = game.after(ply);
      if (before.turn !== side) continue;
      const played = counts.get(keyOf(before)) ?? new Map();
      counts.set(keyOf(before), played.set(game.moves[ply], (played.get(game.moves[ply]) ?? 0) + 1));
    }
  }
  const answers = Object.fromEntries([...counts].map(([position, played]) =>
    [position, [...played].reduce((most, each) => (each[1] > most[1] ? each : most))[0]]));
  const before = Object.keys(current(repertoire).answers).length;
  change(repertoire, { answers: { ...answers, ...repertoire.answers } });
  return Object.keys(repertoire.answers).length - before;
}
