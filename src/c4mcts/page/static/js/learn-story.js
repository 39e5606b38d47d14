/**
 * The story of a search: its simulations as stops of four phases, and the tree before each of them.
 *
 * @import { Player } from "./game.js"
 * @import { Proof, Step, Steps } from "protocol"
 */

export const PHASES = /** @type {const} */ (["selection", "expansion", "rollout", "backup"]);
export const [SELECTION, EXPANSION, ROLLOUT, BACKUP] = [0, 1, 2, 3];
export const ROOT = 0; // the number of its node

/**
 * A part of a simulation that is shown in one go.
 *
 * @typedef {object} Stop
 * @property {number} phase
 * @property {number} level of a selection: its place in step.selected; -1: nothing is selected
 * @property {number} ticks the number of pictures of the stop
 */
/**
 * A node that is visited in the end.
 *
 * @typedef {object} StoryNode
 * @property {number} id
 * @property {number} column -1: the root
 * @property {number} depth
 * @property {Player} player who moved into the node
 * @property {StoryNode | null} parent
 * @property {StoryNode[]} children
 */
/** @typedef {{ visits: number, value: number | null }} Tally */

export class Story {
  /** @param {Steps} reply */
  constructor(reply) {
    this.reply = reply;
    this.steps = reply.steps;
    this.nodes = nodesOf(reply); // by id
    this.stops = this.steps.map(stopsOf);
  }

  get length() {
    return this.steps.length;
  }

  /** @param {number} id of a visited one; otherwise RangeError */
  node(id) {
    const found = this.nodes.get(id);
    if (!found) throw new RangeError(`node ${id} is not visited`);
    return found;
  }

  /** @param {number} index of the simulation, from 0 */
  treeBefore(index) {
    /** @type {Map<number, Tally>} */
    const tree = new Map();
    for (const step of this.steps.slice(0, index)) {
      for (const { node, visits, value } of step.backup) tree.set(node, { visits, value });
    }
    return tree;
  }

  /**
   * The proof of each node before a simulation, for the player who moved into it.
   *
   * @param {number} index from 0
   */
  proofsBefore(index) {
    /** @type {Map<number, Proof>} */
    const proofs = new Map();
    for (const step of this.steps.slice(0, index)) for (const { node, proof } of step.proofs) proofs.set(node, proof);
    return proofs;
  }

  /**
   * @param {number} id
   * @param {number} index from 0
   */
  lastSelected(id, index) {
    const all = this.steps.slice(0, index).flatMap(({ selected }) => selected);
    return all.findLast(({ node }) => node === id);
  }
}

/**
 * The stops of a simulation. New children of a node are not compared: they belong to the expansion.
 *
 * @param {Step} step
 */
function stopsOf({ selected, expanded, leaf, rollout, backup }) {
  const isNew = new Set(expanded.map((each) => each.node));
  const levels = [...selected.keys()].filter((level) => !isNew.has(selected[level].node));
  if (!levels.length) levels.push(-1);
  /** @type {Stop[]} */
  const stops = levels.map((level) => ({ phase: SELECTION, level, ticks: 1 }));
  if (expanded.length || leaf !== null) stops.push({ phase: EXPANSION, level: -1, ticks: 1 });
  stops.push({ phase: ROLLOUT, level: -1, ticks: Math.max(1, rollout.length) });
  stops.push({ phase: BACKUP, level: -1, ticks: backup.length });
  return stops;
}

/** @param {Steps} reply */
function nodesOf({ steps, currentPlayer }) {
  /** @type {Map<number, { id: number, column: number }>} */
  const parents = new Map();
  for (const step of steps) {
    for (const { node, children } of step.expanded) {
      for (const { node: child, move } of children) {
        if (!parents.has(child)) parents.set(child, { id: node, column: move });
      }
    }
  }
  /** @type {StoryNode} */
  const root = { id: ROOT, column: -1, depth: 0, player: 1 - currentPlayer, parent: null, children: [] };
  const nodes = new Map([[ROOT, root]]);
  /**
   * @param {number} id
   * @returns {StoryNode}
   */
  const add = (id) => {
    const known = nodes.get(id);
    if (known) return known;
    const from = parents.get(id);
    if (!from) throw new RangeError(`node ${id} has no parent`);
    const parent = add(from.id);
    /** @type {StoryNode} */
    const node = { id, column: from.column, depth: parent.depth + 1, player: 1 - parent.player, parent, children: [] };
    parent.children.push(node);
    parent.children.sort((one, other) => one.column - other.column);
    nodes.set(id, node);
    return node;
  };
  for (const step of steps) for (const { node } of step.backup) add(node);
  return nodes;
}
