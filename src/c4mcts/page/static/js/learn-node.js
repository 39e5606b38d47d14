/**
 * Looking at a node of the tree, by a click or by keys: its figures, its position, and the nodes next to it.
 *
 * @import { App } from "./app.js"
 * @import { Game } from "./game.js"
 * @import { StoryPlayer } from "./learn-player.js"
 * @import { Story, StoryNode } from "./learn-story.js"
 * @import { TreePicture } from "./learn-tree.js"
 */

import { h, iconButton, terms } from "./dom.js";
import { colourName, columns, playerName, value } from "./format.js";
import { BACKUP, ROOT } from "./learn-story.js";
import { scoreRows, scoreText } from "./learn-words.js";
import { ghostsOf } from "./moves.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.learnNode;

export class NodeLook {
  /** @type {number | null} */
  #chosen = null; // the node

  /**
   * @param {App} app
   * @param {StoryPlayer} player
   * @param {TreePicture} tree
   * @param {object} options
   * @param {HTMLElement} options.detail where the figures of a node are shown
   * @param {() => Game} options.start returns the position at the root
   * @param {() => void} options.onLeave called when the user is done with it: the simulation is to be shown again
   */
  constructor(app, player, tree, { detail, start, onLeave }) {
    this.app = app;
    this.player = player;
    this.tree = tree;
    this.detail = detail;
    this.start = start;
    this.onLeave = onLeave;
    tree.onNode = (id) => this.#look(id);
    tree.svg.addEventListener("keydown", (event) => {
      if (this.#onKey(event.key)) event.preventDefault();
    });
  }

  /** Stop looking: something else is shown. */
  end() {
    if (this.#chosen === null) return;
    this.#chosen = null;
    this.tree.mark(null);
  }

  /** @param {number | null} id of the node whose figures and position are shown; null: leave */
  #look(id) {
    const { story, here, index } = this.player;
    if (id === null) {
      if (this.#chosen !== null) this.#leave();
      return;
    }
    const { board, store } = this.app;
    const { flipped } = store.state;
    if (this.player.isPlaying) this.player.toggle();
    const node = story.node(id);
    const path = pathOf(node);
    this.#chosen = id;
    this.tree.mark(id);
    const count = here.phase === BACKUP ? index + 1 : index;
    this.detail.replaceChildren(...nodeDetails(story, node, count, flipped, () => this.#leave()));
    board.setGhosts(ghostsOf(this.start(), path, path.length));
    board.setMarks(path.reduce((game, column) => game.play(column), this.start()).outcome?.cells ?? []);
    const figures = [...this.detail.querySelectorAll("dt")].map((name) =>
      `${name.textContent}: ${name.nextElementSibling?.textContent}`);
    this.app.announce(`${[nameOf(node, flipped), ...figures].join(". ")}.`);
  }

  #leave() {
    this.end();
    this.onLeave();
    this.tree.svg.focus({ preventScroll: true });
  }

  /** @param {string} key while the tree has the focus; returns whether it belongs to the tree */
  #onKey(key) {
    const { story, index } = this.player;
    if (this.#chosen === null) {
      if (key === "Enter") this.#look(ROOT);
      return key === "Enter";
    }
    if (key === "Escape") this.#leave();
    else if (key.startsWith("Arrow")) this.#look(neighbour(story.node(this.#chosen), key, story.treeBefore(index)).id);
    else return false;
    return true;
  }
}

/**
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
 * @param {Story} story
 * @param {StoryNode} node
 * @param {number} count of simulations
 * @param {boolean} flipped
 * @param {() => void} onClose
 */
function nodeDetails(story, node, count, flipped, onClose) {
  const last = story.lastSelected(node.id, count);
  return [
    h("div", { class: "row node-head" }, h("h2", {}, nameOf(node, flipped)),
      iconButton("×", TEXTS.close, onClose, { id: "node-close", class: "quiet icon", "aria-label": TEXTS.closeTitle })),
    h("dl", { class: "facts node-facts" }, ...terms(figures(story, node, count, flipped))),
    ...(last ? [h("p", { class: "soft small" }, fill(TEXTS.lastSelection, { move: last.move + 1 })),
      scoreRows(last)] : []),
  ];
}

/**
 * @param {Story} story
 * @param {StoryNode} node
 * @param {number} count of simulations
 * @param {boolean} flipped
 */
function figures(story, node, count, flipped) {
  const { visits, value: mean } = story.treeBefore(count).get(node.id) ?? { visits: 0, value: null };
  const name = colourName(node.player, flipped);
  const compared = node.parent && story.lastSelected(node.parent.id, count);
  const candidate = compared?.children.find((child) => child.node === node.id);
  const proof = story.proofsBefore(count).get(node.id);
  const winner = playerName(proof === "win" ? node.player : 1 - node.player, flipped);
  /** @type {[name: string, text: string][]} */
  const rows = [
    [TEXTS.visits, counted(texts.counts.simulations, visits)],
    [TEXTS.value, mean === null ? "–" : fill(TEXTS.valueFor, { mean: value(mean), name })],
  ];
  if (candidate) rows.push([TEXTS.score, fill(TEXTS.scoreThere, { score: scoreText(candidate.ucb) })]);
  if (proof) rows.push([TEXTS.proven, proof === "draw" ? TEXTS.draw : fill(TEXTS.wins, { name: winner })]);
  return rows;
}
