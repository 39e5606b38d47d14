/** Draws the tree of a story. Each node has its place from the start, so that nothing moves when the tree grows. */

import { s } from "./dom.js";
import { colour, value } from "./format.js";
import { gain } from "./learn-scores.js";
import { BACKUP, EXPANSION, SELECTION } from "./learn-story.js";

const [TOP, BOTTOM, SIDE] = [22, 30, 18];
const LARGEST = 13; // radius of a node
const NUMBERED = 8; // radius from which on a node has its column in it
const GAP = 0.7; // between the children of different nodes, in places of a deep node
const SHALLOW = 2; // levels whose nodes are drawn large; one without children takes so many places

export class TreePicture {
  #story = null;

  constructor() {
    this.svg = s("svg", { class: "learn-tree", role: "img" });
    new ResizeObserver(() => this.#redraw()).observe(this.svg);
  }

  /** Show the tree at a stop of a simulation, counted from 0; tick: how far the backup is. */
  show(story, index, stop, tick, flipped) {
    if (story !== this.#story) this.places = null;
    this.#story = story;
    this.shown = [index, stop, tick, flipped];
    this.#redraw();
  }

  #redraw() {
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (!this.#story || !width) return;
    if (this.places?.width !== width || this.places.height !== height) this.places = placesOf(this.#story.nodes, width, height);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#draw(...this.shown);
  }

  #draw(index, stop, tick, flipped) {
    const step = this.#story.steps[index];
    const isBackup = stop.phase === BACKUP;
    const path = step.backup.map(({ node }) => node).slice(0, reachedAt(step, stop) + 1);
    const done = new Map(isBackup ? step.backup.slice(-1 - tick).map((each) => [each.node, each]) : []);
    const tree = this.#story.treeBefore(index);
    for (const id of path) tree.set(id, done.get(id) ?? tree.get(id) ?? { visits: 0 });
    const proofs = this.#story.proofsBefore(isBackup ? index + 1 : index);
    const draw = (id, name) => this.#node(this.#story.nodes.get(id), tree.get(id), flipped, name, proofs.get(id));
    const others = [...tree.keys()].filter((id) => !path.includes(id));
    this.svg.replaceChildren(
      ...others.map((id) => this.#edge(this.#story.nodes.get(id).parent.id, id, "edge")),
      ...path.slice(1).map((id, level) => this.#edge(path[level], id, `edge path ${done.has(id) ? "back" : ""}`)),
      ...(stop.phase === EXPANSION ? step.expanded.flatMap((each) => this.#stubs(each)) : []),
      ...others.map((id) => draw(id, "")),
      ...path.map((id) => draw(id, `path ${done.has(id) ? "done" : ""}`)),
      ...[...done.values()].map((each) => this.#label(each)),
    );
    this.svg.classList.toggle("dim", isBackup);
    this.svg.setAttribute("aria-label", `Tree of ${tree.size} nodes`);
  }

  #edge(from, to, name) {
    const [one, other] = [this.places.get(from), this.places.get(to)];
    const middle = (one.y + other.y) / 2;
    return s("path", { class: name, d: `M${one.x} ${one.y}C${one.x} ${middle} ${other.x} ${middle} ${other.x} ${other.y}` });
  }

  #node(node, { visits, value: mean = null }, flipped, name, proof) {
    const { x, y } = this.places.get(node.id);
    const radius = Math.max(radiusOf(visits, this.places.spaces[node.depth]), name ? NUMBERED + 1 : 0);
    const isRoot = node.parent === null;
    const tint = isRoot ? "root" : colour(node.player, flipped);
    return s("g", { class: `tree-node ${tint} ${name}`, transform: `translate(${x} ${y})` },
      s("title", {}, `${isRoot ? "root" : `${tint} ${node.column + 1}`}: n ${visits}, value ${value(mean)}${proof ? `, ${proof}` : ""}`),
      s("circle", { class: "body", r: radius }),
      tint === "red" && radius >= NUMBERED ? s("circle", { class: "ring", r: radius - 1.8 }) : null,
      proof ? s("circle", { class: "proven", r: radius + 3 }) : null,
      !isRoot && radius >= NUMBERED ? s("text", { y: 4 }, `${node.column + 1}`) : null);
  }

  /** What the backup has made of a node, on the side where there is more space. */
  #label({ node, visits, value: mean, reward }) {
    const { x, y } = this.places.get(node);
    const isLeft = x > this.places.width * 0.6;
    return s("text", { class: `result ${isLeft ? "left" : ""}`, x: x + (isLeft ? -20 : 20), y: y + 5 },
      s("tspan", { class: "gain" }, gain(reward)), `\u2002n ${visits}\u2002value ${value(mean)}`);
  }

  /** The children that a node has just got. */
  #stubs({ node, children }) {
    const { x, y } = this.places.get(node);
    const spread = Math.min(60, 12 * children.length);
    return children.map((_, index) => {
      const dx = children.length > 1 ? (index / (children.length - 1) - 0.5) * spread : 0;
      return s("g", { class: "stub" }, s("path", { class: "edge", d: `M${x} ${y}L${x + dx} ${y + 26}` }), s("circle", { cx: x + dx, cy: y + 28, r: 2.5 }));
    });
  }
}

/** How many levels below the root the stop has reached. */
function reachedAt(step, stop) {
  if (stop.phase !== SELECTION) return step.path.length;
  return stop.level === null ? 0 : stop.level + 1;
}

/** The radius of a node on a level whose nodes are so far apart. */
function radiusOf(visits, space) {
  return Math.min(LARGEST, Math.max(1.8, Math.min(NUMBERED, space * 0.4)) + 0.8 * Math.sqrt(visits));
}

/** The place of each node as {x, y}; leaves lie side by side, and parents above the middle of their children. */
function placesOf(nodes, width, height) {
  const places = new Map();
  const deepest = Math.max(1, ...[...nodes.values()].map((node) => node.depth));
  let next = 0;
  const place = (node) => {
    const space = node.depth <= SHALLOW ? 2 : 1;
    if (!node.children.length) next += space;
    node.children.forEach(place);
    const xs = node.children.map((child) => places.get(child.id).x);
    places.set(node.id, { x: xs.length ? (xs[0] + xs.at(-1)) / 2 : next - space / 2, y: TOP + (node.depth * (height - TOP - BOTTOM)) / deepest });
    if (node.children.length) next += GAP;
  };
  place(nodes.get(0));
  const space = (width - 2 * SIDE) / Math.max(1, next);
  for (const each of places.values()) each.x = SIDE + each.x * space;
  return Object.assign(places, { width, height, spaces: spacesOf(nodes, places, deepest) });
}

/** By level, the least distance between two nodes. */
function spacesOf(nodes, places, deepest) {
  const spaces = Array(deepest + 1).fill(Infinity);
  const last = Array(deepest + 1).fill(-Infinity);
  const visit = (node) => {
    const { x } = places.get(node.id);
    spaces[node.depth] = Math.min(spaces[node.depth], x - last[node.depth]);
    last[node.depth] = x;
    node.children.forEach(visit);
  };
  visit(nodes.get(0));
  return spaces;
}
