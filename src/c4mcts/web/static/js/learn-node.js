/**
 * A node of a story's tree that the user looks at: its figures, its position, and the nodes next to it.
 *
 * @import { Player } from "./game.js"
 * @import { Story, StoryNode } from "./learn-story.js"
 */

import { h } from "./dom.js";
import { colourName, columns, sentence, value } from "./format.js";
import { scoreRows, scoreText } from "./learn-scores.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.learnNode;

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
  if (node.parent === null) return TEXTS.root;
  const name = colourName(node.player, flipped);
  return fill(TEXTS.title, { columns: columns(pathOf(node)), name, column: node.column + 1 });
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
      h("button", { type: "button", id: "node-close", class: "quiet icon", title: TEXTS.close,
        "aria-label": TEXTS.closeTitle, onclick: onClose }, "×")),
    h("dl", { class: "facts node-facts" }, ...facts.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
    ...(last ? [h("p", { class: "soft small" }, fill(TEXTS.lastSelection, { move: last.move + 1 })),
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
  const name = colourName(node.player, flipped);
  const compared = node.parent && story.lastSelected(node.parent.id, count);
  const candidate = compared?.children.find((child) => child.node === node.id);
  const proof = story.proofsBefore(count).get(node.id);
  return [
    [TEXTS.visits, counted(texts.counts.simulations, visits)],
    [TEXTS.value, mean === null ? "–" : fill(TEXTS.valueFor, { mean: value(mean), name })],
    ...(candidate ? [/** @type {[string, string]} */ (
      [TEXTS.score, fill(TEXTS.scoreThere, { score: scoreText(candidate.ucb) })])] : []),
    ...(proof ? [/** @type {[string, string]} */ ([TEXTS.proven, outcomeOf(proof, node.player, flipped)])] : []),
  ];
}

/**
 * @param {"win" | "draw" | "loss"} proof for the player
 * @param {Player} player
 * @param {boolean} flipped
 */
function outcomeOf(proof, player, flipped) {
  if (proof === "draw") return TEXTS.draw;
  return fill(TEXTS.wins, { name: sentence(colourName(proof === "win" ? player : 1 - player, flipped)) });
}
