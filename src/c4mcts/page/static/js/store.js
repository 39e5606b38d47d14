/**
 * The state of the page, in one place. Data flows one way: a mode or a control calls a method of the store, the store
 * tells its subscribers, and these show the new state.
 *
 * @import { Path } from "./game-tree.js"
 * @import { Match } from "./match.js"
 * @import { RootInfo, Solution } from "protocol"
 * @import { Ended } from "./seats.js"
 * @import { Settings } from "./settings.js"
 */

import { Game, isSameStart, isStandard } from "./game.js";
import { GameTree, isPrefix } from "./game-tree.js";
import { isRunning } from "./match.js";
import { emptyCells, solutionOf } from "./moves.js";

/** @typedef {"analyse" | "play" | "learn" | "review" | "puzzles"} ModeName */
/**
 * The content of the page. Immutable: an update makes a new state.
 *
 * @typedef {object} State
 * @property {ModeName} mode
 * @property {GameTree} tree the game with its variations and comments
 * @property {Game} game the line of the tree that back and forward follow
 * @property {number} ply the number of its moves on the board
 * @property {boolean} flipped whether the first player has the red discs
 * @property {Settings} settings
 * @property {Match | null} match the game of two players, if one has begun
 * @property {readonly Ended[]} results of the matches of this session
 * @property {number} puzzle the number of the last one, from 1; 0: none yet
 * @property {number} view of the mode, from 0
 * @property {readonly [index: number, stop: number]} place in the simulations of Learn
 */
/** @typedef {Pick<State, "tree" | "game" | "ply" | "match"> & { flipped?: boolean }} Content what undo brings back */
/**
 * Called after each change, in the order of the changes.
 *
 * @callback Subscriber
 * @param {Readonly<State>} state
 * @param {Readonly<State>} before
 * @returns {void}
 */
/**
 * The knowledge about a position.
 *
 * @typedef {object} Knowledge
 * @property {RootInfo} [root] of its last search
 * @property {Solution} [solution] with the scores of the columns
 * @property {number} [score] the solver's
 * @property {ReadonlyMap<number, readonly number[]>} [lines] of best play, by the moves that they begin with
 * @property {boolean} [isTried] whether the solver was asked for the score
 */

const KEPT = 2000; // positions with stored knowledge

export class Store {
  /** @type {Readonly<State>} */
  #state;

  /** @type {Subscriber[]} */
  #subscribers = [];

  /** @type {[state: Readonly<State>, before: Readonly<State>][]} */
  #changes = []; // of which subscribers have not been told

  /** @type {Map<string, Readonly<Knowledge>>} */
  #known = new Map(); // by the key of the game

  /** @type {(game: Game, known: Readonly<Knowledge>) => void} */
  onLearn = () => {}; // called with what is known of a position after each `learn`

  /** @type {readonly number[][]} */
  scores = []; // of the columns in the first positions, as the start of an exported page has them

  /** @param {Readonly<Settings>} settings */
  constructor(settings) {
    const tree = new GameTree();
    const { game } = tree;
    /** @type {Pick<State, "match" | "results" | "ply" | "flipped" | "puzzle" | "view" | "place">} */
    const nothing = { match: null, results: [], ply: 0, flipped: false, puzzle: 0, view: 0, place: [0, 0] };
    this.#state = Object.freeze({ mode: "analyse", tree, game, settings, ...nothing });
  }

  get state() {
    return this.#state;
  }

  /**
   * Change some fields, and tell all subscribers. A change made by a subscriber is announced after this one.
   *
   * @param {Partial<State>} fields
   */
  update(fields) {
    const before = this.#state;
    this.#state = Object.freeze({ ...before, ...fields });
    this.#changes.push([this.#state, before]);
    if (this.#changes.length === 1) this.#tell();
  }

  #tell() {
    try {
      for (const change of this.#changes) { // which grows meanwhile
        for (const subscriber of this.#subscribers) subscriber(...change);
      }
    } finally {
      this.#changes = [];
    }
  }

  /** @param {Subscriber} subscriber */
  subscribe(subscriber) {
    this.#subscribers.push(subscriber);
  }

  /** The game up to the position on the board. */
  get shown() {
    return this.#state.game.after(this.#state.ply);
  }

  /**
   * @param {Game} game
   * @returns {Readonly<Knowledge>}
   */
  knowledge(game) {
    return this.#known.get(game.key) ?? this.#scored(game);
  }

  /**
   * @param {Game} game
   * @returns {Knowledge}
   */
  #scored(game) {
    const { moves, start, rules } = game;
    const index = moves.reduce((number, column) => 7 * number + column + 1, 0);
    const isListed = index < this.scores.length && start === null && isStandard(rules);
    const solution = isListed ? solutionOf(this.scores[index], emptyCells(game)) : undefined;
    return solution ? { solution, score: solution.score } : {};
  }

  /**
   * Store knowledge about a position. Subscribers are not called.
   *
   * @param {Game} game
   * @param {Knowledge} fields
   */
  learn(game, fields) {
    const { key } = game;
    const known = { ...this.knowledge(game), ...fields };
    this.#known.delete(key);
    this.#known.set(key, known);
    this.onLearn(game, known);
    if (this.#known.size <= KEPT) return;
    const [oldest] = this.#known.keys(); // the one not touched for longest
    this.#known.delete(oldest);
  }

  /** @param {Partial<Settings>} fields to change */
  set(fields) {
    this.update({ settings: Object.freeze({ ...this.#state.settings, ...fields }) });
  }

  /** The moves up to the position on the board, which are its path in the tree. */
  get path() {
    return this.shown.moves;
  }

  /**
   * Put another game on the board, at the end of its main line or after some of its moves. A match and puzzles end.
   *
   * @param {Game | GameTree} loaded
   */
  load(loaded, ply = Infinity, flipped = this.#state.flipped) {
    const tree = loaded instanceof Game ? GameTree.of(loaded) : loaded;
    const { game } = tree;
    const mode = this.#state.mode === "puzzles" ? "analyse" : this.#state.mode;
    this.update({ mode, tree, game, ply: Math.min(game.moves.length, ply), flipped, match: null });
  }

  /** @param {number} ply beyond either end: that end */
  go(ply) {
    this.update({ ply: Math.max(0, Math.min(this.#state.game.moves.length, ply)) });
  }

  /**
   * Go to a position of the tree. The line stays if the position is on it.
   *
   * @param {Path} path
   */
  goTo(path) {
    this.#change(this.#state.tree, path);
  }

  /**
   * Play a column on the board; a move that is not in the tree begins a side line. RangeError.
   *
   * @param {number} column
   */
  play(column) {
    const { moves } = this.shown.play(column);
    this.#change(this.#state.tree.with(moves), moves);
  }

  /**
   * Go to a position of a line; moves that are not in the tree begin a side line. The moves must be possible.
   *
   * @param {readonly number[]} moves of the line, since the start
   * @param {number} ply
   */
  playLine(moves, ply) {
    const tree = this.#state.tree.with(moves);
    this.update({ tree, game: tree.line(moves, this.#state.game), ply });
  }

  /** Make the line up to the position on the board the main line. */
  promote() {
    this.#change(this.#state.tree.promoted(this.path), this.path);
  }

  /** Delete the last move on the board and all that follows, in this line and its side lines. */
  remove() {
    const { path } = this;
    if (path.length) this.#change(this.#state.tree.without(path), path.slice(0, -1));
  }

  /** @param {string} comment on the position on the board; "" removes it */
  comment(comment) {
    if (this.#state.tree.at(this.path)?.comment === comment) return;
    this.#change(this.#state.tree.commented(this.path, comment), this.path);
  }

  /**
   * Change the match, whose moves become the main line. It has no moves after its last one, so the line ends there.
   * When it ends, moves that were taken back or only looked at are deleted.
   *
   * @param {Match} match
   */
  follow(match) {
    const { game } = match;
    const { tree, match: before } = this.#state;
    const next = isSameStart(tree.start, game) ? tree.with(game.moves).promoted(game.moves) : GameTree.of(game);
    const isEnd = isRunning(before) && !isRunning(match);
    this.update({ match, tree: isEnd ? next.cut(game.moves) : next, game, ply: game.moves.length });
  }

  /** @param {ModeName} mode in which the line continues to its end */
  switchTo(mode) {
    const { tree, game } = this.#state;
    this.update({ mode, game: this.#lineOf(tree, game.moves) });
  }

  /**
   * @param {GameTree} tree
   * @param {Path} path in the tree
   */
  #change(tree, path) {
    this.update({ tree, game: this.#lineOf(tree, path), ply: path.length });
  }

  /**
   * A line through a position: the one of the state as far as it is still in the tree. The same game if it is equal.
   *
   * @param {GameTree} tree
   * @param {Path} path
   */
  #lineOf(tree, path) {
    const { game } = this.#state;
    const isOn = isPrefix(path, game.moves) && tree.at(game.moves) !== null;
    return tree.line(isOn ? game.moves : path, game);
  }
}

/**
 * @param {Readonly<State>} state
 * @param {Readonly<State>} before
 */
export function isOtherPosition(state, before) {
  return state.game !== before.game || state.ply !== before.ply;
}
