/** The tree of a search, to be opened node by node: visits, value, UCB score and proof of each child, while it grows. */

import { h, setText } from "./dom.js";
import { colour, proven, short, value } from "./format.js";
import { scoreText } from "./learn-scores.js";
import { ghostsOf } from "./moves-table.js";

const EVERY = 500; // milliseconds between two looks at a growing tree
const MOST = 40; // nodes that can be open at once

export class TreeExplorer {
  #number = 0; // of the tree; answers about earlier ones are dropped
  #timer = null;
  #isAsking = false;
  #mustLookAgain = false; // because more was to be seen while it was asking
  #open = new Map(); // paths as texts -> the last reply; null until it comes
  #rows = new Map(); // paths -> rows of the table

  /** onLine: called with the path under the pointer, or null. */
  constructor(app, onLine) {
    this.app = app;
    this.onLine = onLine;
    this.body = h("tbody", {});
    const heads = ["Move", "Visits", "Value", "UCB", "Proof"];
    this.note = h("p", { class: "soft small" });
    this.table = h("table", { class: "table explorer", onpointerleave: () => onLine(null) },
      h("caption", { class: "hidden" }, "Nodes of the tree"),
      h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)))), this.body);
    this.element = h("div", { class: "explorer-box" }, this.note, this.table);
    this.follow();
  }

  /** Begin again: the next answers are about another tree. */
  follow() {
    this.close();
    this.#open = new Map([["", null]]);
    this.#rows.clear();
    this.#draw();
  }

  /** The search has made progress: look again, soon. isOver: it has ended, so this look is the last. */
  update(isOver) {
    if (isOver) this.#stopTimer();
    if (this.#timer === null) {
      const mine = this.#number;
      this.#timer = setTimeout(() => {
        this.#timer = null;
        if (mine === this.#number) this.#look();
      }, isOver ? 0 : EVERY);
    }
  }

  /** Ask nothing more. */
  close() {
    this.#number++;
    this.#stopTimer();
  }

  #stopTimer() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Ask for all open nodes, and show what comes. */
  async #look() {
    this.#mustLookAgain = this.#isAsking;
    if (this.#isAsking) return;
    this.#isAsking = true;
    const mine = this.#number;
    await Promise.all([...this.#open.keys()].map((path) => this.#ask(path)));
    this.#isAsking = false;
    if (mine === this.#number) this.#draw();
    if (this.#mustLookAgain) this.#look();
  }

  async #ask(path) {
    const mine = this.#number;
    try {
      const reply = await this.app.connection.request({ action: "tree", path: path ? path.split(",").map(Number) : [] });
      if (mine === this.#number && this.#open.has(path)) this.#open.set(path, reply);
    } catch (error) {
      if (mine === this.#number && path) this.#open.delete(path); // the tree has no such node any more
    }
  }

  async #toggle(path) {
    if (this.#open.has(path)) {
      for (const each of [...this.#open.keys()]) if (each === path || each.startsWith(`${path},`)) this.#open.delete(each);
    } else if (this.#open.size < MOST) {
      this.#open.set(path, null);
      await this.#ask(path);
    } else {
      this.app.showError(`${MOST} nodes are open, which is the most: close some.`);
    }
    this.#draw();
  }

  #draw() {
    const root = this.#open.get("");
    this.table.hidden = !root?.children.length;
    setText(this.note, root ? `${short(root.visits)} visits, exploration factor ${value(root.exploration)}` : "The tree of the search appears here.");
    const rows = root ? this.#rowsOf("", root) : [];
    if (rows.length === this.body.rows.length && rows.every((row, index) => row === this.body.rows[index])) return;
    const { activeElement } = this.body.getRootNode(); // that of a notebook's widget is in its own tree
    const focused = this.body.contains(activeElement) ? activeElement : null;
    this.body.replaceChildren(...rows);
    focused?.focus();
  }

  /** The rows of a node's children, each followed by those below it if it is open. Rows that are there stay. */
  #rowsOf(path, { children, currentPlayer }) {
    const most = Math.max(...children.map((child) => child.visits));
    return children.flatMap((child) => {
      const below = path ? `${path},${child.move}` : `${child.move}`;
      if (!this.#rows.has(below)) this.#rows.set(below, this.#row(below, child.move));
      const row = this.#rows.get(below);
      const open = this.#open.get(below);
      this.#fill(row, child, currentPlayer, this.#open.has(below));
      row.classList.toggle("most", child.visits === most);
      return [row, ...(open ? this.#rowsOf(below, open) : [])];
    });
  }

  #row(path, move) {
    const line = path.split(",").map(Number);
    const button = h("button", { type: "button", class: "opener", onclick: () => this.#toggle(path), onfocus: () => this.onLine(line), onblur: () => this.onLine(null),
      "aria-label": `Column ${line.map((column) => column + 1).join(", ")}` },
    h("span", { class: "sign", "aria-hidden": "true" }), h("span", { class: "chip" }), `${move + 1}`);
    const row = h("tr", { onpointerenter: () => this.onLine(line) }, h("th", { scope: "row" }, button),
      ...["number", "number", "number", ""].map((name) => h("td", { class: name })));
    row.firstChild.style.setProperty("--depth", line.length - 1);
    return row;
  }

  #fill(row, child, player, isOpen) {
    const [head, visits, mean, score, proof] = row.cells;
    const button = head.firstChild;
    button.disabled = child.visits === 0;
    button.setAttribute("aria-expanded", isOpen);
    setText(button.firstChild, child.visits ? (isOpen ? "▾" : "▸") : "");
    button.children[1].className = `chip ${colour(player, this.app.store.state.flipped)}`;
    setText(visits, short(child.visits));
    setText(mean, value(child.value));
    setText(score, scoreText(child.ucb));
    setText(proof, proven(child.proof, child.distance));
  }
}

/** Show the discs of a path on the board. */
export function showPath(app, line) {
  app.board.setGhosts(line ? ghostsOf(app.store.shown, line, line.length) : []);
}
