/**
 * Where the nodes of a story's tree are drawn: leaves are in a row, and parents above the middle of their children.
 * Each node has its place from the start, so that nothing moves when the tree grows.
 *
 * @import { Story, StoryNode } from "./learn-story.js"
 */

const [TOP, BOTTOM, SIDE] = [22, 30, 18];
const GAP = 0.7; // between the children of different nodes, in places of a deep node
const SHALLOW = 2; // levels whose nodes are drawn large; one without children takes two places

/** @typedef {{ x: number, y: number }} Place */

export class Layout {
  /** @type {Map<number, Place>} */
  #places = new Map(); // by the id of the node

  /**
   * @param {Story} story
   * @param {number} width
   * @param {number} height
   */
  constructor(story, width, height) {
    this.story = story;
    this.width = width;
    this.height = height;
    this.deepest = Math.max(1, ...[...story.nodes.values()].map((node) => node.depth));
    const root = story.node(0);
    const taken = this.#put(root, 0);
    const space = (width - 2 * SIDE) / Math.max(1, taken);
    for (const place of this.#places.values()) place.x = SIDE + place.x * space;
    this.spaces = this.#spaces(root); // by level, the least distance between two nodes
  }

  /**
   * The place of a node.
   *
   * @param {number} id
   */
  at(id) {
    return this.#places.get(id) ?? { x: 0, y: 0 };
  }

  /**
   * Place a node and everything below it where there is space; returns where the next one can begin.
   *
   * @param {StoryNode} node
   * @param {number} next where this one can begin, in places of a deep node
   */
  #put(node, next) {
    const y = TOP + (node.depth * (this.height - TOP - BOTTOM)) / this.deepest;
    const { id, children } = node;
    if (!children.length) {
      const space = node.depth <= SHALLOW ? 2 : 1;
      this.#places.set(id, { x: next + space / 2, y });
      return next + space;
    }
    for (const child of children) next = this.#put(child, next);
    const [first, last] = [this.at(children[0].id), this.at(children[children.length - 1].id)];
    this.#places.set(id, { x: (first.x + last.x) / 2, y });
    return next + GAP;
  }

  /** @param {StoryNode} root */
  #spaces(root) {
    /** @type {number[]} */
    const spaces = Array(this.deepest + 1).fill(Infinity);
    /** @type {number[]} */
    const last = Array(this.deepest + 1).fill(-Infinity);
    const visit = (/** @type {StoryNode} */ { id, depth, children }) => {
      const { x } = this.at(id);
      spaces[depth] = Math.min(spaces[depth], x - last[depth]);
      last[depth] = x;
      children.forEach(visit);
    };
    visit(root);
    return spaces;
  }
}
