/**
 * Keeps the game, the match and the mode in the browser: for a tab until it is closed, so that two tabs have a game
 * each, and for the next tab. The games that were on the board, finished or not, are kept as lines of a file.
 *
 * @import { Content, State, Store } from "./store.js"
 */

import { store, storages, stored } from "./browser-storage.js";
import { Game } from "./game.js";
import { writeGame } from "./game-text.js";
import { GameTree } from "./game-tree.js";
import { clocksOf } from "./match.js";
import { texts } from "./texts.js";
import { readTree, splitMoves, writeTree } from "./tree-text.js";

const TEXTS = texts.storage;

/** @typedef {Pick<State, "mode" | "tree" | "game" | "ply" | "flipped" | "match" | "results" | "puzzle">} Kept */
/** @typedef {{ id: string, line: string }} PastGame id: of its tree */

const NAME = "c4mcts.game";
const STEPS = "c4mcts.steps";
const KEPT_STEPS = 100;
const GAMES = "c4mcts.games";
const KEPT_GAMES = 1000;
/** @type {Pick<Kept, "mode" | "flipped" | "results" | "puzzle">} */
const REST = { mode: "analyse", flipped: false, results: [], puzzle: 0 }; // what is not part of a step
const VERSION = 2;

/**
 * What is stored of a state.
 *
 * @param {Kept} state
 * @param {number} now in milliseconds
 */
export function pack({ mode, tree, game, ply, flipped, match, results, puzzle }, now) {
  const { rules, start } = tree.start;
  const kept = match && { ...match, game: undefined, opinions: undefined, moves: match.game.moves,
    left: clocksOf(match, now) };
  return { version: VERSION, mode, rules, start, id: tree.id, tree: writeTree(tree),
    opening: tree.openingOf(tree.game.moves), line: game.moves, ply, flipped, match: kept, results, puzzle };
}

/**
 * The state of what `pack` makes. Throws an error of any kind if it is something else.
 *
 * @param {any} packed `any`: from outside
 * @param {number} now in milliseconds, from when the clocks run
 * @returns {Kept}
 */
export function unpack(packed, now) {
  const { version, mode, rules, start, id, tree: moves, line, ply, flipped, match, results, puzzle } = packed;
  if (version !== VERSION) throw new TypeError("of another version of the page");
  const origin = new Game(rules, [], start);
  const { root, opening } = readTree(moves, origin, packed.opening);
  const tree = new GameTree(origin, root, opening, id);
  const { moves: played, ...rest } = match ?? {};
  const since = rest.since === null ? null : now;
  const kept = match && { ...rest, game: new Game(rules, played, start), opinions: [null, null], since };
  return { mode, tree, game: tree.line(line), ply, flipped, match: kept, results, puzzle };
}

/**
 * Store a state; returns whether it is kept.
 *
 * @param {Kept} state
 */
export function keep(state) {
  return store(NAME, pack(state, Date.now()), storages());
}

/**
 * What was stored last; null if nothing was. What can't be read is set aside, and `problem` says so.
 *
 * @returns {{ kept: Kept | null, problem: string }}
 */
export function kept() {
  const { found, isUnread } = stored(NAME, (packed) => unpack(packed, Date.now()), storages());
  return { kept: found, problem: isUnread ? TEXTS.unreadable : "" };
}

/** @param {Content[][]} steps lists of contents, of which the last ones are kept */
export function keepSteps(steps) {
  const packed = steps.map((list) => list.slice(-KEPT_STEPS).map((content) =>
    ({ isSwapped: content.flipped !== undefined, content: pack({ ...REST, ...content }, Date.now()) })));
  store(STEPS, packed, storages().slice(0, 1));
}

/**
 * The steps that `keepSteps` has stored, in as many lists; empty ones if there are none.
 *
 * @returns {Content[][]}
 */
export function keptSteps() {
  /** @returns {Content} */
  const contentOf = (/** @type {any} */ { isSwapped, content }) => {
    const { tree, game, ply, match, flipped } = unpack(content, Date.now());
    return { tree, game, ply, match, ...(isSwapped && { flipped }) };
  };
  const read = (/** @type {any[][]} */ lists) => lists.map((list) => list.map(contentOf));
  return stored(STEPS, read, storages().slice(0, 1)).found ?? [[], []];
}

/**
 * Keep each game that is on the board.
 *
 * @param {Store} store
 * @param {() => void} onFull called when there is no more space
 */
export function keepGames(store, onFull) {
  store.subscribe((state, before) => {
    if (state.tree !== before.tree || state.match !== before.match) keepGame(state, onFull);
  });
}

/**
 * @param {Readonly<State>} state
 * @param {() => void} onFull
 */
function keepGame(state, onFull) {
  const { id, root } = state.tree;
  if (root.children.length === 0) return;
  const line = writeGame(state);
  const games = pastGames(); // other tabs have some, too
  const same = games.find((game) => game.id === id);
  if (same && splitMoves(same.line)[0] === splitMoves(line)[0] && !state.match) return; // only looked at
  const others = games.filter((game) => game !== same && game.line !== line);
  const list = [{ id, line }, ...others].slice(0, KEPT_GAMES);
  if (!store(GAMES, list)) onFull();
}

/** @param {string} id of a kept game, which begins with its time */
export function dateOf(id) {
  return new Date(parseFloat(id)).toLocaleDateString(texts.language, { dateStyle: "medium" });
}

/** @returns {PastGame[]} newest first */
export function pastGames() {
  return stored(GAMES).found ?? [];
}
