/**
 * The events of a stop of a simulation, in a sentence. Columns count from 1.
 *
 * @import { Player } from "./game.js"
 * @import { Stop, Story } from "./learn-story.js"
 * @import { Step, Steps } from "./protocol-steps.js"
 */

import { colour, sentence, whole } from "./format.js";
import { EXPANSION, PHASES, ROLLOUT, SELECTION } from "./learn-story.js";

const POLICIES = {
  random: "both sides play at random",
  decisive: "both sides win if they can, stop a threat if they must, and otherwise play at random",
  safe: "both sides win if they can, stop a threat if they must, and otherwise play at random, never below a threat",
};

/** @typedef {(player: Player) => string} Name */

/**
 * The sentence of a stop.
 *
 * @param {Story} story
 * @param {Step} step
 * @param {Pick<Stop, "phase" | "level">} stop
 * @param {boolean} flipped
 */
export function wordsOf(story, step, stop, flipped) {
  const name = (/** @type {Player} */ player) => colour(player, flipped);
  if (stop.phase === SELECTION) return selection(story.reply, step, stop.level, name);
  if (stop.phase === EXPANSION) return expansion(step);
  return stop.phase === ROLLOUT ? rollout(story.reply, step, name) : backup(step, name);
}

/**
 * A stop for a screen reader.
 *
 * @param {Story} story
 * @param {Step} step
 * @param {Stop} stop
 * @param {boolean} flipped
 */
export function spokenOf(story, step, stop, flipped) {
  const words = wordsOf(story, step, stop, flipped);
  if (stop.phase === SELECTION) {
    const path = stop.level < 0 ? "" : `Selection: ${listed(step.path.slice(0, stop.level + 1))}. `;
    return `Simulation ${step.number}. ${path}${words}`;
  }
  const moves = stop.phase === ROLLOUT && step.rollout.length ? ` Moves: ${listed(step.rollout)}.` : "";
  return `${PHASES[stop.phase]}: ${words}${moves}`;
}

/**
 * A whole simulation for a screen reader.
 *
 * @param {Story} story
 * @param {Step} step
 * @param {boolean} flipped
 */
export function summaryOf(story, step, flipped) {
  const words = wordsOf(story, step, { phase: ROLLOUT, level: -1 }, flipped);
  return `Simulation ${step.number}. Selection: ${listed(step.path)}. ${words}`;
}

/** @param {number[]} path */
function listed(path) {
  return path.map((column) => column + 1).join(", ");
}

/**
 * @param {Steps} reply
 * @param {Step} step
 * @param {number} level
 * @param {Name} name
 */
function selection({ currentPlayer }, step, level, name) {
  if (level < 0) {
    if (step.path.length) return "The root has no children yet, so there is nothing to select.";
    return step.isProven
      ? "The outcome at the root is certain: nothing is selected."
      : "The rollout starts at the root itself: nothing is selected.";
  }
  const { move, children } = step.selected[level];
  const player = sentence(name((currentPlayer + level) % 2));
  const selects = `${player} selects column ${move + 1}`;
  const [{ ucb, visits, value }] = children.filter((each) => each.move === move);
  if (ucb === null) return `${player} is a random opponent here: column ${move + 1} is drawn.`;
  if (visits === 0) return `${selects}: it has not been tried here yet.`;
  if (ucb === "-inf") return `${selects}: nothing better is possible.`;
  const others = children.filter((each) => each.move !== move && typeof each.ucb === "number");
  const isBest = others.every((each) => (each.value ?? 0) <= (value ?? 0));
  const why = isBest ? "it also has the best results so far" : "others did better so far, but it was tried less often";
  return `${selects}, which has the highest score: ${why}.`;
}

/** @param {Step} step */
function expansion({ expanded, leaf, path, isProven }) {
  const count = expanded.at(-1)?.children.length;
  const proof = isProven ? ", and they prove how the game ends here" : "";
  if (leaf === null) return `The node gets ${count} children${proof}.`;
  if (count === undefined) return `Column ${leaf + 1} is tried here for the first time: a new node joins the tree.`;
  const where = path.length === 1 ? "The root" : "This node is reached for the second time: it";
  return `${where} gets a child for each of the ${count} open columns, and column ${leaf + 1} is tried.`;
}

/**
 * @param {Steps} reply
 * @param {Step} step
 * @param {Name} name
 */
function rollout({ rolloutPolicy }, { isProven, rollout: moves, winner }, name) {
  const result = winner === null ? "the game is a draw" : `${name(winner)} wins`;
  if (isProven) return `No rollout: the outcome is certain here, ${result}.`;
  if (!moves.length) return `The game is over here: ${result}.`;
  const length = `${whole(moves.length)} move${moves.length > 1 ? "s" : ""}`;
  return `From here ${POLICIES[rolloutPolicy]}, to the end of the game. After ${length} ${result}.`;
}

/**
 * @param {Step} step
 * @param {Name} name
 */
function backup({ winner, backup: nodes, proofs }, name) {
  const proven = proofs.some((each) => each.proof) ? " New proofs are passed up, too." : "";
  const count = nodes.length > 2
    ? `all ${nodes.length} nodes of the path`
    : nodes.length > 1 ? "both nodes of the path" : "the root";
  const end = winner === null ? "A draw" : `${sentence(name(winner))} has won`;
  const reward = winner === null ? "the reward of a draw" : `the nodes of ${name(winner)}’s moves the reward of a win`;
  return `${end}: ${count} get${nodes.length > 1 ? "" : "s"} one more visit, and ${reward}.${proven}`;
}
