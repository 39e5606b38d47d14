/**
 * The tree of a search, to be opened node by node: visits, value, score and proof of each child, while it grows.
 *
 * @import { App, Mode } from "./app.js"
 * @import { Player } from "./game.js"
 * @import { TreeChild, TreeNode } from "protocol"
 */

import { h, headRow, problemLine, setStyle, setText, showText, table } from "./dom.js";
import { Controls } from "./fields.js";
import { colour, columns, short, value } from "./format.js";
import { scoreText } from "./learn-words.js";
import { ghostsOf } from "./moves.js";
import { LiveSearch } from "./search.js";
import { concernSearches } from "./settings.js";
import { isOtherPosition } from "./store.js";
import { fill, texts } from "./texts.js";
import { proven } from "./verdict.js";

const TEXTS = texts.treeExplorer;

/**
 * @typedef {object} Row
 * @property {HTMLTableRowElement} element
 * @property {HTMLButtonElement} button opens the node
 * @property {Element} sign
 * @property {Element} chip
 * @property {Element[]} cells
 */

const EVERY = 500; // milliseconds between two looks at a growing tree
const MOST = 40; // nodes that can be open at once

export class TreeExplorer {
  #isAsking = false;
  #mustLookAgain = false; // because more was to be seen while it was asking

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @type {Map<string, TreeNode | null>} */
  #open = new Map(); // by path, the last reply; null until it comes; another map for each tree

  /** @type {Map<string, Row>} */
  #rows = new Map(); // by path

  /**
   * @param {App} app
   * @param {(path: number[] | null) => void} onLine called with the path under the pointer, or null
   */
  constructor(app, onLine) {
    this.app = app;
    this.onLine = onLine;
    this.body = h("tbody", {});
    const head = headRow([TEXTS.move, TEXTS.visits, TEXTS.value, TEXTS.score, TEXTS.proof]);
    this.note = h("p", { class: "soft small" });
    this.table = table(TEXTS.caption, head, this.body,
      { class: "table explorer", onpointerleave: () => onLine(null) });
    this.element = h("div", { class: "explorer-box" }, this.note, this.table);
    this.follow();
  }

  /** Start over: the next answers are about another tree. */
  follow() {
    this.close();
    this.#open = new Map([["", null]]);
    this.#rows.clear();
    this.#draw();
  }

  /** @param {boolean} isOver whether the search has ended, so that this look is the last */
  update(isOver) {
    if (isOver) this.close();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, isOver ? 0 : EVERY);
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Ask for all open nodes, and show the answers. */
  async #look() {
    this.#mustLookAgain = this.#isAsking;
    if (this.#isAsking) return;
    this.#isAsking = true;
    await Promise.all([...this.#open.keys()].map((path) => this.#ask(path)));
    this.#isAsking = false;
    this.#draw();
    if (this.#mustLookAgain) this.#look();
  }

  /** @param {string} path */
  async #ask(path) {
    const open = this.#open;
    try {
      const reply = await this.app.connection.request({ action: "tree", path: columnsOf(path) });
      if (open.has(path)) open.set(path, reply);
    } catch {
      if (path) open.delete(path); // the node is no longer in the tree
    }
  }

  /** @param {string} path */
  async #toggle(path) {
    if (this.#open.has(path)) {
      const below = [...this.#open.keys()].filter((each) => each === path || each.startsWith(`${path},`));
      for (const each of below) this.#open.delete(each);
    } else if (this.#open.size < MOST) {
      this.#open.set(path, null);
      await this.#ask(path);
    } else {
      this.app.showError(fill(TEXTS.most, { most: MOST }));
    }
    this.#draw();
  }

  #draw() {
    const root = this.#open.get("");
    this.table.hidden = !root?.children.length;
    setText(this.note, root
      ? fill(TEXTS.note, { visits: short(root.visits), exploration: value(root.exploration) })
      : TEXTS.empty);
    const rows = root ? this.#rowsOf("", root) : [];
    if (rows.length === this.body.rows.length && rows.every((row, index) => row === this.body.rows[index])) return;
    const tree = /** @type {Document | ShadowRoot} */ (this.body.getRootNode()); // a notebook's widget has its own
    const { activeElement } = tree;
    this.body.replaceChildren(...rows);
    if (activeElement instanceof HTMLElement && this.body.contains(activeElement)) activeElement.focus();
  }

  /**
   * The rows of a node's children, each followed by those below it if it is open. Existing rows are reused.
   *
   * @param {string} path
   * @param {TreeNode} node
   * @returns {HTMLTableRowElement[]}
   */
  #rowsOf(path, { children, currentPlayer }) {
    const best = bestOf(children);
    return children.flatMap((child) => {
      const below = path ? `${path},${child.move}` : `${child.move}`;
      const row = this.#rows.get(below) ?? this.#row(below);
      this.#rows.set(below, row);
      const open = this.#open.get(below);
      this.#fill(row, child, currentPlayer, this.#open.has(below));
      row.element.classList.toggle("most", child === best);
      return [row.element, ...(open ? this.#rowsOf(below, open) : [])];
    });
  }

  /**
   * @param {string} path
   * @returns {Row}
   */
  #row(path) {
    const line = columnsOf(path);
    const [sign, chip] = [h("span", { class: "sign", "aria-hidden": "true" }), h("span", { class: "chip" })];
    const button = h("button", { type: "button", class: "opener",
      "aria-label": fill(TEXTS.column, { columns: columns(line, ", ") }),
      onclick: () => this.#toggle(path), onfocus: () => this.onLine(line), onblur: () => this.onLine(null),
    }, sign, chip, columns(line.slice(-1)));
    const head = h("th", { scope: "row" }, button);
    setStyle(head, "--depth", line.length - 1);
    const cells = ["number", "number", "number", ""].map((name) => h("td", { class: name }));
    const element = h("tr", { onpointerenter: () => this.onLine(line) }, head, ...cells);
    return { element, button, sign, chip, cells };
  }

  /**
   * @param {Row} row
   * @param {TreeChild} child
   * @param {Player} player
   * @param {boolean} isOpen
   */
  #fill({ button, sign, chip, cells }, child, player, isOpen) {
    button.disabled = child.visits === 0;
    button.setAttribute("aria-expanded", `${isOpen}`);
    setText(sign, child.visits ? (isOpen ? "▾" : "▸") : "");
    chip.className = `chip ${colour(player, this.app.store.state.flipped)}`;
    const texts = [short(child.visits), value(child.value), scoreText(child.ucb), proven(child)];
    texts.forEach((text, index) => setText(cells[index], text));
  }
}

/**
 * The move that a search would play: the quickest win, else the most visited one that does not lose, else the one that
 * lasts longest.
 *
 * @param {readonly TreeChild[]} children
 */
function bestOf(children) {
  const rank = (/** @type {TreeChild} */ { proof, distance, visits }) => [
    proof === "win" ? 2 : proof === "loss" ? 0 : 1,
    proof === "win" ? -(distance ?? 0) : proof === "loss" ? distance ?? 0 : 0, visits];
  return children.toSorted((one, other) => {
    const [left, right] = [rank(one), rank(other)];
    const at = left.findIndex((each, index) => each !== right[index]);
    return at < 0 ? 0 : right[at] - left[at];
  })[0];
}

/** @param {string} path */
function columnsOf(path) {
  return path ? path.split(",").map(Number) : [];
}

export class TreeView {
  /**
   * @param {App} app
   * @param {HTMLElement} place
   */
  constructor(app, place) {
    this.app = app;
    this.problem = problemLine();
    this.explorer = new TreeExplorer(app, (line) =>
      app.board.setGhosts(line ? ghostsOf(app.store.shown, line, line.length) : []));
    this.search = new LiveSearch(app, () => this.#onChange(), "treePreset");
    this.controls = new Controls(app, this.search);
    place.append(h("h1", {}, TEXTS.title),
      h("p", { class: "soft" }, TEXTS.about),
      this.problem, this.controls.element, this.explorer.element);
    this.search.follow(app.store.shown);
  }

  #onChange() {
    const { reply, isRunning, error } = this.search;
    showText(this.problem, error);
    this.controls.show();
    if (reply) this.explorer.update(!isRunning);
  }

  /** @param {string} key */
  onKey(key) {
    if (key === " ") this.controls.toggle();
    return key === " ";
  }

  /** @type {Mode["onState"]} */
  onState(state, before) {
    if (isOtherPosition(state, before)) {
      this.explorer.follow();
      this.search.follow(this.app.store.shown);
    } else if (concernSearches(state.settings, before.settings)) this.search.start();
  }

  onConnect() {
    this.search.start();
  }

  unmount() {
    this.explorer.close();
    this.search.close();
  }
}
