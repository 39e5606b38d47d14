import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { neighbour, pathOf } from "../../../src/c4mcts/page/static/js/learn-node.js";
import { SPEEDS, StoryPlayer } from "../../../src/c4mcts/page/static/js/learn-player.js";
import { BACKUP, EXPANSION, ROLLOUT, SELECTION, Story } from "../../../src/c4mcts/page/static/js/learn-story.js";
import { Layout } from "../../../src/c4mcts/page/static/js/learn-tree.js";
import { spokenOf, summaryOf } from "../../../src/c4mcts/page/static/js/learn-words.js";
import { steps } from "./fakes.js";

const story = new Story(steps());

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** A player of the story, and the places it has shown: [simulation, stop, tick]. */
function loaded({ speed = 1, isStill = false } = {}) {
  /** @type {[index: number, stop: number, tick: number][]} */
  const places = [];
  const player = new StoryPlayer({
    onShow: () => places.push([player.index, player.stop, player.tick]), isStill: () => isStill });
  player.speed = speed;
  player.load(story);
  return { player, places };
}

/** Let time go by. A timer that is set meanwhile runs in the tick that it is due in. */
function elapse(/** @type {number} */ seconds) {
  for (let ticks = 0; ticks < 100 * seconds; ticks++) mock.timers.tick(10);
}

// the story

test("a simulation has its phases, with a picture for each move of the rollout and each node of the backup", () => {
  const [first, second, third] = story.stops;
  assert.deepEqual(first.map(({ phase, ticks }) => [phase, ticks]), [[SELECTION, 1], [ROLLOUT, 3], [BACKUP, 1]]);
  assert.deepEqual(second.map(({ phase, ticks }) => [phase, ticks]),
    [[SELECTION, 1], [EXPANSION, 1], [ROLLOUT, 1], [BACKUP, 2]]);
  assert.deepEqual([first[0].level, second[0].level, third[0].level], [-1, -1, 0]); // new children are not compared
});

test("the tree and its proofs before each simulation", () => {
  assert.deepEqual([...story.treeBefore(0)], []);
  assert.deepEqual([...story.treeBefore(2)], [[0, { visits: 2, value: 0.25 }], [1, { visits: 1, value: 1 }]]);
  assert.deepEqual([[...story.proofsBefore(2)], [...story.proofsBefore(3)]], [[], [[2, "loss"]]]);
});

test("the nodes that are visited in the end", () => {
  assert.deepEqual(story.node(0).children.map(({ id, column, depth, player }) => [id, column, depth, player]),
    [[1, 0, 1, 0], [2, 1, 1, 0]]);
  assert.throws(() => story.node(3), RangeError);
});

test("stops in words", () => {
  assert.equal(spokenOf(story, story.steps[0], story.stops[0][0], false),
    "Simulation 1. The rollout starts at the root itself: nothing is selected.");
  assert.equal(spokenOf(story, story.steps[1], story.stops[1][1], false),
    "Expansion: The root gets a child for each of the 2 open columns, and column 1 is tried.");
  assert.equal(spokenOf(story, story.steps[2], story.stops[2][0], true),
    "Simulation 3. Selection: 2. Red selects column 2: it has not been tried here yet.");
  assert.equal(summaryOf(story, story.steps[2], false), "Simulation 3. Selection: 2. The game is over here: red wins.");
});

// a node that the user looks at

test("the last selection at a node before a simulation", () => {
  assert.equal(story.lastSelected(0, 1), undefined);
  assert.equal(story.lastSelected(0, 2)?.move, 0);
  assert.equal(story.lastSelected(0, 3)?.move, 1);
  assert.equal(story.lastSelected(1, 3), undefined);
});

test("the nodes next to a node, of those that have been visited", () => {
  const [root, left, right] = [0, 1, 2].map((id) => story.node(id));
  const tree = story.treeBefore(3);
  assert.deepEqual(pathOf(right), [1]);
  assert.equal(neighbour(root, "ArrowUp", tree), root);
  assert.equal(neighbour(root, "ArrowDown", tree), left);
  assert.equal(neighbour(root, "ArrowDown", new Map()), root);
  assert.equal(neighbour(left, "ArrowRight", tree), right);
  assert.equal(neighbour(left, "ArrowRight", story.treeBefore(2)), left);
  assert.equal(neighbour(left, "ArrowLeft", tree), left);
  assert.equal(neighbour(right, "ArrowUp", tree), root);
});

// places of the nodes

test("the root is in the middle, its children side by side below it, within the picture", () => {
  const layout = new Layout(story, 400, 300);
  const [root, left, right] = [0, 1, 2].map((id) => layout.at(id));
  assert.ok(18 <= left.x && left.x < root.x && root.x < right.x && right.x <= 382);
  assert.ok(Math.abs(2 * root.x - left.x - right.x) < 1e-9);
  assert.deepEqual([root.y, left.y, right.y], [22, 270, 270]);
  assert.ok(Math.abs(layout.spaces[1] - (right.x - left.x)) < 1e-9);
});

// the player

test("by hand, a step ends what moves, and continues to the next stop", () => {
  const { player, places } = loaded();
  player.forward(); // the rollout
  player.forward(); // its end
  player.forward(); // the backup
  player.forward(); // the next simulation
  assert.deepEqual(places, [[0, 0, 0], [0, 1, 0], [0, 1, 2], [0, 2, 0], [1, 0, 0]]);
  player.back();
  player.back();
  assert.deepEqual(places.slice(5), [[0, 2, 0], [0, 1, 2]]);
});

test("a stop moves by itself, but not on", () => {
  const { player, places } = loaded();
  player.forward();
  elapse(60);
  assert.deepEqual(places, [[0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 1, 2]]);
});

test("it plays to the end, and then from the beginning", () => {
  const { player, places } = loaded();
  player.toggle();
  elapse(60);
  assert.deepEqual([places.at(-1), player.isPlaying], [[2, story.stops[2].length - 1, 1], false]);
  player.toggle();
  assert.deepEqual([places.at(-1), player.isPlaying], [[0, 0, 0], true]);
  player.toggle();
  const { length } = places;
  elapse(60);
  assert.equal(places.length, length); // it is paused
});

test("at the highest speed only the end of each simulation is shown", () => {
  const { player, places } = loaded({ speed: SPEEDS.length - 1 });
  player.toggle();
  elapse(60);
  const shown = places.filter(([index, stop]) => stop === story.stops[index].length - 1);
  assert.deepEqual([...new Set(shown.map(([index]) => index))], [0, 1, 2]);
  assert.ok(shown.every(([index, stop, tick]) => tick === story.stops[index][stop].ticks - 1));
});

test("without motion each stop is shown as it ends", () => {
  const { player, places } = loaded({ isStill: true });
  player.forward();
  assert.deepEqual(places.at(-1), [0, 1, 2]);
});

test("phases that a simulation lacks, and simulations that there are not", () => {
  const { player } = loaded();
  player.toPhase(EXPANSION);
  assert.equal(player.stop, 0);
  player.toPhase(BACKUP);
  assert.equal(player.here.phase, BACKUP);
  player.toSimulation(99);
  assert.equal(player.index, 2);
  player.toSimulation(-1);
  assert.equal(player.index, 0);
  player.back();
  assert.deepEqual([player.index, player.stop], [0, 0]);
});

test("without a story there is no place", () => {
  assert.throws(() => new StoryPlayer({ onShow() {}, isStill: () => false }).step, { message: "no story is loaded" });
});
