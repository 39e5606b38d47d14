/**
 * Looking at a node of the tree, by a click or by keys, while a simulation is shown.
 *
 * @import { App } from "./app.js"
 * @import { Game } from "./game.js"
 * @import { StoryPlayer } from "./learn-player.js"
 * @import { TreePicture } from "./learn-tree.js"
 */

import { nameOf, neighbour, nodeDetails, pathOf } from "./learn-node.js";
import { BACKUP, ROOT } from "./learn-story.js";
import { ghostsOf } from "./moves.js";

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

  /**
   * Show the figures of a node, and its position on the board; null: leave.
   *
   * @param {number | null} id
   */
  #look(id) {
    const { story, here, index } = this.player;
    if (id === null) {
      if (this.#chosen !== null) this.#leave();
      return;
    }
    const { board, store } = this.app;
    const { flipped } = store.state;
    this.player.halt();
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

  /**
   * A key while the tree has the focus; returns whether it belongs to the tree.
   *
   * @param {string} key
   */
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
