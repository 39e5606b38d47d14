/**
 * Keeps the game, the match and the mode in the browser: for a tab until it is closed, so that two tabs have a game
 * each, and for the next tab.
 *
 * @import { Rules, Start } from "./game.js"
 * @import { Match, Seat } from "./match.js"
 * @import { Ended } from "./seats.js"
 * @import { Content, ModeName, State } from "./store.js"
 */

import { Game } from "./game.js";
import { readTree, writeTree } from "./game-text.js";
import { GameTree } from "./game-tree.js";
import { clockOf, isRunning } from "./match.js";
import { checkedRules } from "./notation.js";
import { texts } from "./texts.js";

const TEXTS = texts.storage;

/** @typedef {Pick<State, "mode" | "tree" | "game" | "ply" | "flipped" | "match" | "results" | "puzzle">} Kept */

const NAME = "c4mcts.game";
const STEPS = "c4mcts.steps";
const KEPT_STEPS = 100;
/** @type {Pick<Kept, "mode" | "flipped" | "results" | "puzzle">} */
const REST = { mode: "analyse", flipped: false, results: [], puzzle: 0 }; // what is not part of a step
const VERSION = 2;
const MODES = ["analyse", "play", "learn", "review", "puzzles"];

/**
 * What is kept of a state, as text.
 *
 * @param {Kept} state
 * @param {number} now in milliseconds
 */
export function pack({ mode, tree, game, ply, flipped, match, results, puzzle }, now) {
  const { rules, start } = tree.start;
  const left = match?.left?.map((_, player) => clockOf(match, player, now)) ?? null;
  const kept = match && { ...match, game: undefined, since: undefined, opinions: undefined, moves: match.game.moves,
    left: isRunning(match) ? left : match.left };
  return JSON.stringify({ version: VERSION, mode, rules, start, tree: writeTree(tree), line: game.moves, ply, flipped,
    match: kept, results, puzzle });
}

/**
 * What a text keeps. Throws an error of any kind if it is not what `pack` makes.
 *
 * @param {string} text
 * @param {number} now in milliseconds, from when the clocks run
 * @returns {Kept}
 */
export function unpack(text, now) {
  const found = JSON.parse(text);
  require(found.version === VERSION);
  const rules = checkedRules(found.rules);
  const { width, height, connect, diagonals } = rules;
  const origin = new Game({ width, height, connect, diagonals: diagonals === true }, [], startOf(found.start, rules));
  const tree = readTree(found.tree, origin);
  const game = tree.line(pathOf(found.line));
  require(MODES.includes(found.mode) && Number.isInteger(found.ply) && tree.at(game.moves) !== null);
  return {
    mode: /** @type {ModeName} */ (found.mode), tree, game, ply: Math.max(0, Math.min(found.ply, game.moves.length)),
    flipped: found.flipped === true, match: found.match && matchOf(found.match, new Game(origin.rules,
      tree.at(pathOf(found.match.moves)) ? found.match.moves : require(false), origin.start), now),
    results: found.results.map(endedOf), puzzle: Number.isInteger(found.puzzle) ? found.puzzle : 0,
  };
}

/**
 * @param {any} found
 * @param {Game} game
 * @param {number} now
 * @returns {Match}
 */
function matchOf({ begun, seats, left, increment, resigned, timeout, hint }, game, now) {
  require(Number.isFinite(begun) && Number.isFinite(increment));
  require(left === null || (Array.isArray(left) && left.length === 2 && left.every(Number.isFinite)));
  for (const loser of [resigned, timeout]) require(loser === null || isPlayer(loser));
  require(hint === null || game.refusal(hint) === null);
  return { begun, game, seats: seatsOf(seats), opinions: [null, null], left, increment, since: now, resigned, timeout,
    hint };
}

/**
 * @param {any} found
 * @returns {Ended}
 */
function endedOf({ begun, seats, winner }) {
  require(Number.isFinite(begun) && (winner === null || isPlayer(winner)));
  return { begun, seats: seatsOf(seats), winner };
}

/**
 * @param {any} seats
 * @returns {Seat[]}
 */
function seatsOf(seats) {
  require(Array.isArray(seats) && seats.length === 2);
  return seats.map((/** @type {any} */ seat) => {
    if (seat === null) return null;
    const { number, name, preset, visits } = seat;
    if (number === undefined) {
      require(typeof preset === "string" && Number.isInteger(visits) && visits >= 1);
      return { preset, visits };
    }
    require(Number.isInteger(number) && number >= 1 && number <= 10 && typeof name === "string");
    return { number, name };
  });
}

/** @param {unknown} value */
function isPlayer(value) {
  return value === 0 || value === 1;
}

/**
 * @param {any} start
 * @param {Rules} rules
 * @returns {Start | null}
 */
function startOf(start, rules) {
  if (start === null) return null;
  const { fen, columns, turn } = start;
  require(typeof fen === "string" && (turn === 0 || turn === 1) && columns.length === rules.width);
  for (const column of columns) {
    require(column.length <= rules.height && column.every((/** @type {unknown} */ disc) => disc === 0 || disc === 1));
  }
  return { fen, columns, turn };
}

/**
 * @param {any} path
 * @returns {number[]}
 */
function pathOf(path) {
  require(Array.isArray(path) && path.every(Number.isInteger));
  return path;
}

/**
 * @param {boolean} condition
 * @returns {any}
 */
function require(condition) {
  if (!condition) throw new TypeError("not what was stored");
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
  const { found, isUnread } = stored(NAME, (text) => unpack(text, Date.now()), storages());
  return { kept: found, problem: isUnread ? TEXTS.unreadable : "" };
}

/**
 * Store the steps of Undo for this tab.
 *
 * @param {Content[][]} steps lists of contents, of which the last ones are kept
 * @param {GameTree} tree the current one
 */
export function keepSteps(steps, tree) {
  const kept = steps.map((list) => list.slice(-KEPT_STEPS));
  const starts = [...new Set([tree, ...kept.flat().map((content) => content.tree)].map(({ start }) => start))];
  const packed = kept.map((list) => list.map((content) => ({ start: starts.indexOf(content.tree.start),
    isSwapped: content.flipped !== undefined, content: pack({ ...REST, ...content }, Date.now()) })));
  store(STEPS, JSON.stringify(packed), storages().slice(0, 1));
}

/**
 * The steps that `keepSteps` has stored, in as many lists; empty ones if there are none.
 *
 * @param {GameTree} tree the current one, which shares its start with the steps of the same game
 * @returns {Content[][]}
 */
export function keptSteps(tree) {
  const starts = [tree.start];
  /** @returns {Content} */
  const contentOf = (/** @type {any} */ { start, isSwapped, content }) => {
    const { tree: read, game, ply, match, flipped } = unpack(content, Date.now());
    starts[start] ??= read.start;
    return { tree: new GameTree(starts[start], read.root), game, ply, match, ...(isSwapped && { flipped }) };
  };
  const { found } = stored(STEPS, (text) => JSON.parse(text).map((/** @type {any[]} */ list) => list.map(contentOf)),
    storages().slice(0, 1));
  return found ?? [[], []];
}

/**
 * Store a text under a name; returns whether each place keeps it. Where a storage is full, what it would keep lasts as
 * long as the page.
 *
 * @param {string} name
 * @param {string} text
 * @param {readonly Storage[]} places
 */
export function store(name, text, places) {
  let isKept = true;
  for (const storage of places) {
    try {
      storage.setItem(name, text);
    } catch {
      isKept = false; // full
    }
  }
  return isKept;
}

/**
 * What the first storage that has the name keeps under it; null if none does. What can't be read is set aside.
 *
 * @template Found
 * @param {string} name
 * @param {(text: string) => Found} read throws an error of any kind if it can't
 * @param {readonly Storage[]} places
 * @returns {{ found: Found | null, isUnread: boolean }}
 */
export function stored(name, read, places) {
  let isUnread = false;
  for (const storage of places) {
    const text = storage.getItem(name);
    if (text === null) continue;
    try {
      return { found: read(text), isUnread };
    } catch {
      isUnread = true;
      storage.removeItem(name);
      store(`${name}.unread`, text, [storage]);
    }
  }
  return { found: null, isUnread };
}

/** The browser's storages that are allowed: that of this tab, and as the last that of all tabs. */
export function storages() {
  try {
    return [sessionStorage, localStorage];
  } catch {
    return [];
  }
}
