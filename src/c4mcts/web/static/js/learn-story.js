/**
 * The story of a search: its simulations as stops of four phases, and the tree as it is before each of them.
 *
 * reply: of the action "steps", docs/guide/protocol.md. Nodes are numbers; 0 is the root.
 */

export const PHASES = ["Selection", "Expansion", "Rollout", "Backup"];
export const [SELECTION, EXPANSION, ROLLOUT, BACKUP] = PHASES.keys();
const ROOT = 0;

export class Story {
  constructor(reply) {
    this.reply = reply;
    this.steps = reply.steps;
    this.nodes = nodesOf(reply); // all that are visited in the end, by number
    this.stops = this.steps.map(stopsOf);
  }

  get length() {
    return this.steps.length;
  }

  /** Visits and value of each visited node before a simulation, counted from 0. */
  treeBefore(index) {
    const tree = new Map();
    for (const step of this.steps.slice(0, index)) {
      for (const { node, visits, value } of step.backup) tree.set(node, { visits, value });
    }
    return tree;
  }

  /** What is proven of each node before a simulation, for the player who moved into it. */
  proofsBefore(index) {
    const proofs = new Map();
    for (const step of this.steps.slice(0, index)) for (const { node, proof } of step.proofs) proofs.set(node, proof);
    return proofs;
  }
}

/**
 * The stops of a simulation: {phase, ticks} and, of a selection, `level`, the place in step.selected; ticks is how many
 * pictures the stop has. Children that a node has just got are not compared: that belongs to the expansion.
 */
function stopsOf(step) {
  const isNew = new Set(step.expanded.map((each) => each.node));
  const stops = step.selected.flatMap((selected, level) => (isNew.has(selected.node) ? [] : [{ phase: SELECTION, level, ticks: 1 }]));
  if (!stops.length) stops.push({ phase: SELECTION, level: null, ticks: 1 });
  if (step.expanded.length || step.leaf !== null) stops.push({ phase: EXPANSION, ticks: 1 });
  stops.push({ phase: ROLLOUT, ticks: Math.max(1, step.rollout.length) });
  stops.push({ phase: BACKUP, ticks: step.backup.length });
  return stops;
}

/** The visited nodes: {id, column, depth, player, parent, children}; player moved into the node. */
function nodesOf({ steps, currentPlayer }) {
  const parents = new Map();
  for (const step of steps) {
    for (const { node, children } of step.expanded) {
      for (const child of children) if (!parents.has(child.node)) parents.set(child.node, { id: node, column: child.move });
    }
  }
  const nodes = new Map([[ROOT, { id: ROOT, column: null, depth: 0, player: 1 - currentPlayer, parent: null, children: [] }]]);
  const add = (id) => {
    if (nodes.has(id)) return nodes.get(id);
    const { id: parentId, column } = parents.get(id);
    const parent = add(parentId);
    const node = { id, column, depth: parent.depth + 1, player: 1 - parent.player, parent, children: [] };
    parent.children.push(node);
    parent.children.sort((one, other) => one.column - other.column);
    nodes.set(id, node);
    return node;
  };
  for (const step of steps) for (const { node } of step.backup) add(node);
  return nodes;
}
