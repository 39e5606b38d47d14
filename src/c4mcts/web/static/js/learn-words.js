/** What happens at a stop of a simulation, in a sentence. Columns count from 1. */

import { colour, sentence, whole } from "./format.js";
import { BACKUP, EXPANSION, PHASES, ROLLOUT, SELECTION } from "./learn-story.js";

const POLICIES = {
  random: "both sides play at random",
  decisive: "both sides win if they can, stop a threat if they must, and else play at random",
  safe: "both sides win if they can, stop a threat if they must, and else play at random, but never below a threat",
};

/** The sentence of a stop. story: with its reply; flipped: whether the first player is red. */
export function wordsOf(story, step, stop, flipped) {
  const name = (player) => colour(player, flipped);
  return {
    [SELECTION]: () => selection(story.reply, step, stop, name),
    [EXPANSION]: () => expansion(step),
    [ROLLOUT]: () => rollout(story.reply, step, name),
    [BACKUP]: () => backup(step, name),
  }[stop.phase]();
}

/** A stop for a screen reader. */
export function spokenOf(story, step, stop, flipped) {
  const words = wordsOf(story, step, stop, flipped);
  if (stop.phase === SELECTION) {
    const path = stop.level === null ? "" : `Selection: ${listed(step.path.slice(0, stop.level + 1))}. `;
    return `Simulation ${step.number}. ${path}${words}`;
  }
  const moves = stop.phase === ROLLOUT && step.rollout.length ? ` Moves: ${listed(step.rollout)}.` : "";
  return `${PHASES[stop.phase]}: ${words}${moves}`;
}

/** A whole simulation for a screen reader. */
export function summaryOf(story, step, flipped) {
  return `Simulation ${step.number}. Selection: ${listed(step.path)}. ${wordsOf(story, step, { phase: ROLLOUT }, flipped)}`;
}

function listed(path) {
  return path.map((column) => column + 1).join(", ");
}

function selection({ currentPlayer }, step, stop, name) {
  if (stop.level === null) {
    if (step.path.length) return "The root has no children yet, so there is nothing to select.";
    return step.isProven ? "The outcome at the root is certain: nothing is selected." : "The rollout starts at the root itself: nothing is selected.";
  }
  const { move, children } = step.selected[stop.level];
  const child = children.find((each) => each.move === move);
  const player = sentence(name((currentPlayer + stop.level) % 2));
  if (child.ucb === null) return `${player} is a random opponent here: column ${move + 1} is drawn.`;
  if (child.visits === 0) return `${player} selects column ${move + 1}: it has not been tried here yet.`;
  if (child.ucb === "-inf") return `${player} selects column ${move + 1}: nothing better is possible any more.`;
  const best = children.every((each) => each === child || (typeof each.ucb === "number" ? each.value : -1) <= child.value);
  return `${player} selects column ${move + 1}, which has the highest score: ${best ? "it also has the best results so far" : "others did better so far, but it was tried less often"}.`;
}

function expansion({ expanded, leaf, path, isProven }) {
  const last = expanded.at(-1);
  if (last && leaf !== null) {
    const where = path.length === 1 ? "The root" : "This node is reached for the second time: it";
    return `${where} gets a child for each of the ${last.children.length} open columns, and column ${leaf + 1} is tried.`;
  }
  if (last) return `The node gets ${last.children.length} children${isProven ? ", and they prove how the game ends here" : ""}.`;
  return `Column ${leaf + 1} is tried here for the first time: a new node joins the tree.`;
}

function rollout({ rolloutPolicy }, { isProven, rollout: moves, winner }, name) {
  const result = winner === null ? "the game is a draw" : `${name(winner)} wins`;
  if (isProven) return `No rollout: the outcome is certain here, ${result}.`;
  if (!moves.length) return `The game is over here: ${result}.`;
  return `From here ${POLICIES[rolloutPolicy]}, to the end of the game. After ${whole(moves.length)} move${moves.length > 1 ? "s" : ""} ${result}.`;
}

function backup({ winner, backup: nodes, proofs }, name) {
  const proven = proofs.some((each) => each.proof) ? " What has become certain is passed up, too." : "";
  const count = nodes.length > 2 ? `all ${nodes.length} nodes of the path` : nodes.length > 1 ? "both nodes of the path" : "the root";
  const end = winner === null ? "A draw" : `${sentence(name(winner))} has won`;
  const reward = winner === null ? "the reward of a draw" : `the nodes of ${name(winner)}’s moves the reward of a win`;
  return `${end}: ${count} get${nodes.length > 1 ? "" : "s"} one more visit, and ${reward}.${proven}`;
}
