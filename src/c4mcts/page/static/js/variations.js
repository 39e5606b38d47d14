/**
 * The list of moves with variations, comments and marks, and what can be done with the move on the board.
 *
 * @import { App } from "./app.js"
 * @import { Child, Node, Path } from "./game-tree.js"
 */

import { button, h, setAttributeIf } from "./dom.js";
import { playerName } from "./format.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.variations;

/** @typedef {{ sign: string, words: string, isBad: boolean }} Mark A sign such as "??", and what it means. */

const LONGEST_COMMENT = 2000; // characters

export class Variations {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map(); // by the path of the move

  /** @type {ReadonlyMap<string, Mark>} */
  #marks = new Map(); // by the path of the move

  /** @param {App} app */
  constructor(app) {
    const { store } = app;
    this.store = store;
    this.list = h("div", { class: "variations", role: "group", "aria-label": TEXTS.label });
    this.promote = button(TEXTS.promote, () => store.promote(), { id: "promote", class: "quiet" });
    this.remove = button(TEXTS.remove, () => store.remove(), { id: "remove", class: "quiet" });
    this.comment = h("input", { id: "comment", maxLength: LONGEST_COMMENT, placeholder: TEXTS.comment,
      autocomplete: /** @type {const} */ ("off"),
      oninput: () => store.comment(this.comment.value.trim()),
      onkeydown: (event) => event.key === "Enter" && this.comment.blur() });
    this.tools = h("div", { class: "row" }, this.comment, this.promote, this.remove);
    this.element = h("div", { class: "moves-list" }, this.list, this.tools);
    store.subscribe(() => this.show());
    this.show();
  }

  /** @param {ReadonlyMap<string, Mark>} marks next to moves, by their paths */
  setMarks(marks = new Map()) {
    if (marks.size === 0 && this.#marks.size === 0) return;
    this.#marks = marks;
    this.#draw();
    this.show();
  }

  show() {
    const { tree, mode, flipped } = this.store.state;
    const { path } = this.store;
    const name = path.join();
    this.element.hidden = ["learn", "puzzles"].includes(mode) || tree.root.children.length === 0;
    this.tools.hidden = mode === "play";
    if (this.element.hidden) return;
    if (this.tree !== tree || this.flipped !== flipped) this.#draw();
    for (const [key, button] of this.#buttons) setAttributeIf(button, "aria-current", "step", key === name);
    this.#scrollTo(this.#buttons.get(name));
    const comment = tree.at(path)?.comment ?? "";
    if (document.activeElement !== this.comment || this.comment.dataset.path !== name) {
      this.comment.value = comment;
      this.comment.dataset.path = name;
    }
    this.comment.setAttribute("aria-label",
      path.length ? fill(TEXTS.commentLabel, { number: path.length }) : TEXTS.commentOnStart);
    setAttributeIf(this.promote, "aria-disabled", "true", tree.isMain(path)); // they keep the focus
    setAttributeIf(this.remove, "aria-disabled", "true", path.length === 0);
  }

  #draw() {
    const { tree, flipped } = this.store.state;
    this.tree = tree;
    this.flipped = flipped;
    const focused = [...this.#buttons].find(([, button]) => button === document.activeElement)?.[0];
    this.#buttons.clear();
    this.list.replaceChildren(...comment(tree.root), ...this.#line(tree.root.children, [], true));
    if (focused !== undefined) this.#buttons.get(focused)?.focus();
  }

  /**
   * The elements of a line: each main move, its alternatives, and so on.
   *
   * @param {readonly Child[]} children of the position after a path
   * @param {Path} path
   * @param {boolean} isNumbered whether the number of the move stands before the first one
   * @returns {HTMLElement[]}
   */
  #line(children, path, isNumbered) {
    const elements = [];
    let [main, ...others] = children;
    for (let at = path; main; [main, ...others] = main[1].children) {
      elements.push(this.#move(main, at, isNumbered), ...comment(main[1]));
      isNumbered = others.length > 0 || main[1].comment !== "" || at.length % 2 === 1;
      for (const [column, node] of others) {
        const side = [...at, column];
        elements.push(h("div", { class: "variation" }, this.#move([column, node], at, true), ...comment(node),
          ...this.#line(node.children, side, node.comment !== "" || at.length % 2 === 1)));
      }
      at = [...at, main[0]];
    }
    return elements;
  }

  /**
   * @param {Child} child
   * @param {Path} before
   * @param {boolean} isNumbered
   */
  #move([column], before, isNumbered) {
    const { tree, flipped } = this.store.state;
    const path = [...before, column];
    const player = (tree.start.turn + before.length) % 2;
    const mark = this.#marks.get(path.join());
    const name = playerName(player, flipped);
    const label = fill(TEXTS.move, { number: path.length, name, column: column + 1 });
    const button = h("button", { type: "button", class: `tree-move ${mark?.isBad ? "bad" : ""}`,
      "data-number": isNumbered ? `${path.length}.` : "",
      title: mark?.words ?? "", "aria-label": mark ? `${label}, ${mark.words}` : label,
      onclick: () => this.store.goTo(path) },
    `${column + 1}`, mark ? h("b", {}, mark.sign) : null);
    this.#buttons.set(path.join(), button);
    return button;
  }

  /** @param {HTMLElement | undefined} button to which the list, and only the list, is scrolled */
  #scrollTo(button) {
    const top = button ? button.offsetTop - this.list.offsetTop : 0;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop || top + 40 > scrollTop + clientHeight) this.list.scrollTop = top - clientHeight / 2;
  }
}

/** @param {Node} node */
function comment(node) {
  return node.comment ? [h("span", { class: "comment soft" }, node.comment)] : [];
}
