/**
 * A node of a story's tree that the user looks at: its figures, its position, and the nodes next to it.
 *
 * @import { Player } from "./game.js"
 * @import { Story, StoryNode } from "./learn-story.js"
 */

import { h } from "./dom.js";
import { colour, columns, counted, sentence, value } from "./format.js";
import { scoreRows, scoreText } from "./learn-scores.js";

/**
 * The columns from the root to a node.
 *
 * @param {StoryNode} node
 * @returns {number[]}
 */
export function pathOf({ parent, column }) {
  return parent === null ? [] : [...pathOf(parent), column];
}

/**
 * The node that an arrow key goes to: the parent, the child with the most visits, or the node beside it; the same node
 * if there is none. Only visited nodes count.
 *
 * @param {StoryNode} node
 * @param {string} key
 * @param {ReadonlyMap<number, { visits: number }>} tree
 */
export function neighbour(node, key, tree) {
  const visits = (/** @type {StoryNode} */ { id }) => tree.get(id)?.visits ?? 0;
  if (key === "ArrowUp") return node.parent ?? node;
  if (key === "ArrowDown") {
    const children = node.children.filter((child) => visits(child) > 0);
    return children.reduce((best, child) => (visits(child) > visits(best) ? child : best), children[0]) ?? node;
  }
  const siblings = (node.parent?.children ?? [node]).filter((each) => each === node || visits(each) > 0);
  return siblings[siblings.indexOf(node) + (key === "ArrowLeft" ? -1 : 1)] ?? node;
}

/**
 * A node in words: "Node 4 3: red’s move in column 3".
 *
 * @param {StoryNode} node
 * @param {boolean} flipped
 */
export function nameOf(node, flipped) {
  if (node.parent === null) return "The root: the position on the board";
  return `Node ${columns(pathOf(node))}: ${colour(node.player, flipped)}’s move in column ${node.column + 1}`;
}

/**
 * The figures of a node after some simulations, and what was selected there last.
 *
 * @param {Story} story
 * @param {StoryNode} node
 * @param {number} count of simulations
 * @param {boolean} flipped
 * @param {() => void} onClose
 */
export function nodeDetails(story, node, count, flipped, onClose) {
  const facts = figures(story, node, count, flipped);
  const last = story.lastSelected(node.id, count);
  return [
    h("div", { class: "row node-head" }, h("h2", {}, nameOf(node, flipped)),
      h("button", { type: "button", id: "node-close", class: "quiet icon", title: "Close (Esc)",
        "aria-label": "Close the node", onclick: onClose }, "×")),
    h("dl", { class: "facts node-facts" }, ...facts.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
    ...(last ? [h("p", { class: "soft small" }, `The last selection here, of column ${last.move + 1}:`),
      scoreRows(last)] : []),
  ];
}

/**
 * @param {Story} story
 * @param {StoryNode} node
 * @param {number} count of simulations
 * @param {boolean} flipped
 * @returns {[name: string, text: string][]}
 */
function figures(story, node, count, flipped) {
  const { visits, value: mean } = story.treeBefore(count).get(node.id) ?? { visits: 0, value: null };
  const name = colour(node.player, flipped);
  const compared = node.parent && story.lastSelected(node.parent.id, count);
  const candidate = compared?.children.find((child) => child.node === node.id);
  const proof = story.proofsBefore(count).get(node.id);
  return [
    ["Visits", counted(visits, "simulation", "simulations")],
    ["Value", mean === null ? "–" : `${value(mean)} for ${name}`],
    ...(candidate ? [/** @type {[string, string]} */ (["Score", `${scoreText(candidate.ucb)} at the last selection`])]
      : []),
    ...(proof ? [/** @type {[string, string]} */ (["Proven", outcomeOf(proof, node.player, flipped)])] : []),
  ];
}

/**
 * @param {"win" | "draw" | "loss"} proof for the player
 * @param {Player} player
 * @param {boolean} flipped
 */
function outcomeOf(proof, player, flipped) {
  if (proof === "draw") return "A draw";
  return `${sentence(colour(proof === "win" ? player : 1 - player, flipped))} wins`;
}
