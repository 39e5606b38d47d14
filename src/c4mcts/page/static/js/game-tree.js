/**
 * A game with variations and comments: a tree of positions. A position is addressed by its path, the columns played
 * since the start, as no two moves from the same position have the same column. The first child is on the main line.
 */

import { Game } from "./game.js";

/**
 * A position of a tree. Immutable.
 *
 * @typedef {object} Node
 * @property {string} comment
 * @property {readonly Child[]} children
 */
/** @typedef {readonly [column: number, node: Node]} Child */
/** @typedef {readonly number[]} Path */

/** @type {Node} */
const LEAF = { comment: "", children: [] };

/** Immutable: each change makes a new tree, which shares what is the same. */
export class GameTree {
  /**
   * @param {Game} start without moves
   * @param {Node} root the start position
   * @param {Path} opening moves that nobody chose
   * @param {string} id the same while a game goes on; it begins with the time in milliseconds
   */
  constructor(start = new Game(), root = LEAF, opening = [], id = `${Date.now()}-${Math.random()}`) {
    this.start = start;
    this.root = root;
    this.opening = opening;
    this.id = id;
  }

  /** @param {Path} path of which this is the number of moves that belong to the opening */
  openingOf(path) {
    const index = this.opening.findIndex((column, ply) => column !== path[ply]);
    return index < 0 ? this.opening.length : index;
  }

  /** @param {Game} game */
  static of(game) {
    return new GameTree(new Game(game.rules, [], game.start)).with(game.moves);
  }

  /** @param {Path} path to a position; null if it is not in the tree */
  at(path) {
    /** @type {Node | null} */
    let node = this.root;
    for (const column of path) node = node && childOf(node, column);
    return node;
  }

  /**
   * The game along a path that is in the tree, and on from there by the main moves.
   *
   * @param {Path} path
   * @param {Game} game from the same start, whose positions it shares
   */
  line(path, game = this.start) {
    return game.with(this.#moves(path));
  }

  /** @param {Path} path */
  #moves(path) {
    const moves = [...path];
    for (let node = this.at(path); node?.children.length; node = node.children[0][1]) moves.push(node.children[0][0]);
    return moves;
  }

  get game() {
    return this.line([]);
  }

  /**
   * The tree with a line; moves that are not there become the last alternatives. The moves must be possible.
   *
   * @param {Path} path
   */
  with(path) {
    const [nodes, last] = this.#along(path);
    return this.at(path) ? this : this.#rebuilt(nodes, path, last, replaced);
  }

  /** @param {Path} path in the tree, which becomes the main line */
  promoted(path) {
    if (this.isMain(path)) return this;
    const [nodes, last] = this.#along(path);
    return this.#rebuilt(nodes, path, last, (children, child) =>
      [child, ...children.filter(([column]) => column !== child[0])]);
  }

  /** @param {Path} path in the tree */
  isMain(path) {
    const moves = this.#moves([]);
    return path.every((column, ply) => column === moves[ply]);
  }

  /** @param {Path} path in the tree, after which all moves are deleted */
  cut(path) {
    const [nodes, { comment }] = this.#along(path);
    return this.#rebuilt(nodes, path, { comment, children: [] }, replaced);
  }

  /** @param {Path} path in the tree, not empty, whose last move is deleted with all that follows */
  without(path) {
    const before = path.slice(0, -1);
    const [nodes, last] = this.#along(before);
    const children = last.children.filter(([column]) => column !== path.at(-1));
    return this.#rebuilt(nodes, before, { comment: last.comment, children }, replaced);
  }

  /**
   * The tree with a comment at a position; "" removes it.
   *
   * @param {Path} path in the tree
   * @param {string} comment
   */
  commented(path, comment) {
    const [nodes, last] = this.#along(path);
    return this.#rebuilt(nodes, path, { comment, children: last.children }, replaced);
  }

  /**
   * The positions before each move of a path, and the one at its end. Those that are not in the tree have no moves.
   *
   * @param {Path} path
   * @returns {[Node[], Node]}
   */
  #along(path) {
    /** @type {Node[]} */
    const nodes = [];
    let node = this.root;
    for (const column of path) {
      nodes.push(node);
      node = childOf(node, column) ?? LEAF;
    }
    return [nodes, node];
  }

  /**
   * The tree in which the position at the end of a path is another one.
   *
   * @param {Node[]} nodes before each move of the path
   * @param {Path} path
   * @param {Node} last
   * @param {(children: readonly Child[], child: Child) => readonly Child[]} put
   */
  #rebuilt(nodes, path, last, put) {
    const root = nodes.reduceRight((node, { comment, children }, ply) =>
      ({ comment, children: put(children, [path[ply], node]) }), last);
    return new GameTree(this.start, root, this.opening, this.id);
  }
}

/**
 * @param {Node} node
 * @param {number} column
 */
function childOf(node, column) {
  return node.children.find((child) => child[0] === column)?.[1] ?? null;
}

/**
 * The children with one of them replaced, or added at the end.
 *
 * @param {readonly Child[]} children
 * @param {Child} child
 */
function replaced(children, child) {
  const index = children.findIndex(([column]) => column === child[0]);
  return index < 0 ? [...children, child] : children.with(index, child);
}

/**
 * @param {Path} path
 * @param {Path} other
 */
export function isPrefix(path, other) {
  return path.length <= other.length && path.every((column, ply) => column === other[ply]);
}
