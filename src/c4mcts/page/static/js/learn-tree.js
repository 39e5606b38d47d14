/**
 * Draws the tree of a story. Leaves are in a row, and parents above the middle of their children; each node has its
 * place from the start, so that nothing moves when the tree grows.
 *
 * @import { Stop, Story, StoryNode, Tally } from "./learn-story.js"
 * @import { BackedUp, Proof } from "protocol"
 */

import { s } from "./dom.js";
import { colour, colourName, value } from "./format.js";
import { BACKUP, EXPANSION, SELECTION } from "./learn-story.js";
import { gain } from "./learn-words.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.learnTree;
const LARGEST = 13; // radius of a node
const NUMBERED = 8; // radius above which a node shows its column
const FIGURES = 46; // pixels between nodes from which on their value and visits stand below them
const REACH = 20; // pixels from its centre in which a click is on a node

/**
 * index: of the simulation, from 0; tick: the progress of the backup.
 *
 * @typedef {{ story: Story, index: number, stop: Stop, tick: number, flipped: boolean }} Shown
 */

/** @type {Tally} */
const UNVISITED = { visits: 0, value: null };
const [TOP, BOTTOM, SIDE] = [22, 30, 18];
const GAP = 0.7; // between the children of different nodes, in places of a deep node
const SHALLOW = 2; // levels whose nodes are drawn large; one without children takes two places

/** @typedef {{ x: number, y: number }} Place */

export class TreePicture {
  svg = s("svg", { class: "learn-tree", role: "img", tabindex: 0 });

  /** @type {Shown | null} */
  #shown = null;

  /** @type {Layout | null} */
  #layout = null;

  /** @type {number | null} */
  #chosen = null; // the node that the user looks at

  /** @type {(id: number | null) => void} */
  onNode = () => {}; // called with the node that was clicked; null: none

  constructor() {
    this.svg.addEventListener("click", ({ clientX, clientY }) => {
      const { left, top } = this.svg.getBoundingClientRect();
      this.onNode(this.#nodeAt(clientX - left, clientY - top));
    });
    new ResizeObserver(() => this.#redraw()).observe(this.svg);
  }

  /** @param {Shown} shown a stop of a simulation */
  show(shown) {
    this.#shown = shown;
    this.#redraw();
  }

  /** @param {number | null} id of the node that the user looks at; null: none */
  mark(id) {
    this.#chosen = id;
    this.#redraw();
  }

  /**
   * The node that is drawn closest to a point; null if none is close.
   *
   * @param {number} x
   * @param {number} y
   */
  #nodeAt(x, y) {
    const layout = this.#layout;
    const drawn = [...this.svg.querySelectorAll(".tree-node")].map((node) => Number(node.getAttribute("data-node")));
    const distances = drawn.map((id) => layout ? Math.hypot(layout.at(id).x - x, layout.at(id).y - y) : Infinity);
    const least = Math.min(REACH, ...distances);
    return drawn[distances.indexOf(least)] ?? null;
  }

  #redraw() {
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (!this.#shown || !width) return;
    const { story } = this.#shown;
    const layout = this.#layout;
    const isFitting = layout?.story === story && layout.width === width && layout.height === height;
    this.#layout = isFitting ? layout : new Layout(story, width, height);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#draw(this.#shown, this.#layout);
  }

  /**
   * @param {Shown} shown
   * @param {Layout} layout
   */
  #draw({ story, index, stop, tick, flipped }, layout) {
    const step = story.steps[index];
    const isBackup = stop.phase === BACKUP;
    const reached = stop.phase === SELECTION ? stop.level + 1 : step.path.length; // levels below the root
    const path = step.backup.map(({ node }) => node).slice(0, reached + 1);
    const backed = isBackup ? step.backup.slice(-1 - tick) : [];
    const done = new Map(backed.map((each) => [each.node, each]));
    const tree = story.treeBefore(index);
    for (const id of path) tree.set(id, done.get(id) ?? tree.get(id) ?? UNVISITED);
    const proofs = story.proofsBefore(isBackup ? index + 1 : index);
    const draw = (/** @type {number} */ id, name = "") => {
      const look = { tally: tree.get(id) ?? UNVISITED, proof: proofs.get(id) ?? null, name, flipped,
        isChosen: id === this.#chosen };
      return nodeOf(layout, story.node(id), look);
    };
    const others = [...tree.keys()].filter((id) => !path.includes(id));
    const stubs = stop.phase === EXPANSION ? step.expanded : [];
    this.svg.replaceChildren(
      ...others.map((id) => edge(layout, story.node(id).parent?.id ?? 0, id, "edge")),
      ...path.slice(1).map((id, level) => edge(layout, path[level], id, `edge path ${done.has(id) ? "back" : ""}`)),
      ...stubs.flatMap(({ node, children }) => stubsOf(layout, node, children.length)),
      ...others.map((id) => draw(id)),
      ...path.map((id) => draw(id, `path ${done.has(id) ? "done" : ""}`)),
      ...[...done.values()].map((each) => label(layout, each)),
    );
    this.svg.classList.toggle("dim", isBackup);
    this.svg.setAttribute("aria-label", fill(TEXTS.label, { size: tree.size }));
  }
}

/**
 * @param {Layout} layout
 * @param {number} from
 * @param {number} to
 * @param {string} name
 */
function edge(layout, from, to, name) {
  const [one, other] = [layout.at(from), layout.at(to)];
  const middle = (one.y + other.y) / 2;
  const d = `M${one.x} ${one.y}C${one.x} ${middle} ${other.x} ${middle} ${other.x} ${other.y}`;
  return s("path", { class: name, d });
}

/**
 * @param {Layout} layout
 * @param {StoryNode} node
 * @param {{ tally: Tally, proof: Proof, name: string, flipped: boolean, isChosen: boolean }} look
 */
function nodeOf(layout, { id, column, depth, player, parent }, { tally, proof, name, flipped, isChosen }) {
  const { visits, value: mean } = tally;
  const { x, y } = layout.at(id);
  const least = Math.max(1.8, Math.min(NUMBERED, layout.spaces[depth] * 0.4));
  const radius = Math.max(Math.min(LARGEST, least + 0.8 * Math.sqrt(visits)), name ? NUMBERED + 1 : 0);
  const hasSpace = visits > 0 && Math.min(layout.spaces[depth], layout.rise) >= FIGURES;
  const figures = hasSpace ? [value(mean), `n ${visits}`] : [];
  const isNumbered = parent !== null && radius >= NUMBERED;
  const tint = parent === null ? "root" : colour(player, flipped);
  const who = parent === null ? TEXTS.root : `${colourName(player, flipped)} ${column + 1}`;
  const title = fill(TEXTS.node, { who, visits, mean: value(mean) });
  return s("g", { class: `tree-node ${tint} ${name}`, "data-node": id, transform: `translate(${x} ${y})` },
    s("title", {}, proof ? `${title}, ${texts.proofs[proof]}` : title),
    s("circle", { class: "body", r: radius }),
    tint === "red" && radius >= NUMBERED ? s("circle", { class: "ring", r: radius - 1.8 }) : null,
    isChosen ? s("circle", { class: "halo", r: radius + 5 }) : null,
    proof ? s("circle", { class: "proven", r: radius + 3 }) : null,
    ...figures.map((text, line) => s("text", { class: "figures", y: radius + 14 + 12 * line }, text)),
    isNumbered ? s("text", { y: 4 }, `${column + 1}`) : null);
}

/**
 * @param {Layout} layout
 * @param {BackedUp} backed
 */
function label(layout, { node, visits, value: mean, reward }) {
  const { x, y } = layout.at(node);
  const isLeft = x > layout.width * 0.6;
  return s("text", { class: `result ${isLeft ? "left" : ""}`, x: x + (isLeft ? -20 : 20), y: y + 5 },
    s("tspan", { class: "gain" }, gain(reward)), fill(TEXTS.tally, { visits, mean: value(mean) }));
}

/**
 * @param {Layout} layout
 * @param {number} id
 * @param {number} count
 */
function stubsOf(layout, id, count) {
  const { x, y } = layout.at(id);
  const spread = Math.min(60, 12 * count);
  return Array.from({ length: count }, (_, index) => {
    const dx = count > 1 ? (index / (count - 1) - 0.5) * spread : 0;
    return s("g", { class: "stub" }, s("path", { class: "edge", d: `M${x} ${y}L${x + dx} ${y + 26}` }),
      s("circle", { cx: x + dx, cy: y + 28, r: 2.5 }));
  });
}

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
    this.rise = (height - TOP - BOTTOM) / this.deepest; // between two levels
    const root = story.node(0);
    const taken = this.#put(root, 0);
    const space = (width - 2 * SIDE) / Math.max(1, taken);
    for (const place of this.#places.values()) place.x = SIDE + place.x * space;
    this.spaces = this.#spaces(root); // by level, the least distance between two nodes
  }

  /** @param {number} id of a node */
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
    const y = TOP + node.depth * this.rise;
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
