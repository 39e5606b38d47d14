/**
 * The events of a stop of a simulation, in a sentence. Columns count from 1.
 *
 * @import { Player } from "./game.js"
 * @import { Stop, Story } from "./learn-story.js"
 * @import { Step, Steps } from "./protocol.js"
 */

import { colourName, columns, sentence } from "./format.js";
import { EXPANSION, PHASES, ROLLOUT, SELECTION } from "./learn-story.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.learnWords;
const POLICIES = {
  random: TEXTS.random,
  decisive: TEXTS.decisive,
  safe: TEXTS.safe,
};

/** @typedef {(player: Player) => string} Name */

/**
 * @param {Story} story
 * @param {Step} step
 * @param {Pick<Stop, "phase" | "level">} stop
 * @param {boolean} flipped
 */
export function wordsOf(story, step, stop, flipped) {
  const name = (/** @type {Player} */ player) => colourName(player, flipped);
  if (stop.phase === SELECTION) return selection(story.reply, step, stop.level, name);
  if (stop.phase === EXPANSION) return expansion(step);
  return stop.phase === ROLLOUT ? rollout(story.reply, step, name) : backup(step, name);
}

/**
 * @param {Story} story
 * @param {Step} step
 * @param {Stop} stop
 * @param {boolean} flipped
 */
export function spokenOf(story, step, stop, flipped) {
  const words = wordsOf(story, step, stop, flipped);
  if (stop.phase === SELECTION) {
    const path = stop.level < 0 ? "" : fill(TEXTS.path, { columns: columns(step.path.slice(0, stop.level + 1), ", ") });
    return fill(TEXTS.simulation, { number: step.number, path, words });
  }
  const moves = stop.phase === ROLLOUT && step.rollout.length
    ? fill(TEXTS.moves, { columns: columns(step.rollout, ", ") }) : "";
  return `${texts.phases[PHASES[stop.phase]]}: ${words}${moves}`;
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
  return fill(TEXTS.summary, { number: step.number, columns: columns(step.path, ", "), words });
}

/**
 * @param {Steps} reply
 * @param {Step} step
 * @param {number} level
 * @param {Name} name
 */
function selection({ currentPlayer }, step, level, name) {
  if (level < 0) {
    if (step.path.length) return TEXTS.noChildren;
    return step.isProven
      ? TEXTS.certainRoot
      : TEXTS.rolloutAtRoot;
  }
  const { move, children } = step.selected[level];
  const player = sentence(name((currentPlayer + level) % 2));
  const selects = fill(TEXTS.selects, { player, move: move + 1 });
  const [{ ucb, visits, value }] = children.filter((each) => each.move === move);
  if (ucb === null) return fill(TEXTS.randomOpponent, { player, move: move + 1 });
  if (visits === 0) return fill(TEXTS.untried, { selects });
  if (ucb === "-inf") return fill(TEXTS.proven, { selects });
  const others = children.filter((each) => each.move !== move && typeof each.ucb === "number");
  const isBest = others.every((each) => (each.value ?? 0) <= (value ?? 0));
  const why = isBest ? TEXTS.bestToo : TEXTS.triedLess;
  return fill(TEXTS.highestScore, { selects, why });
}

/** @param {Step} step */
function expansion({ expanded, leaf, path, isProven }) {
  const count = expanded.at(-1)?.children.length;
  const proof = isProven ? TEXTS.proving : "";
  if (leaf === null) return fill(TEXTS.getsChildren, { count: count ?? 0, proof });
  if (count === undefined) return fill(TEXTS.newNode, { leaf: leaf + 1 });
  return path.length === 1
    ? fill(TEXTS.rootGetsChildren, { count, leaf: leaf + 1 })
    : fill(TEXTS.reachedAgain, { count, leaf: leaf + 1 });
}

/**
 * @param {Steps} reply
 * @param {Step} step
 * @param {Name} name
 */
function rollout({ rolloutPolicy }, { isProven, rollout: moves, winner }, name) {
  const result = winner === null ? TEXTS.draw : fill(TEXTS.wins, { name: name(winner) });
  if (isProven) return fill(TEXTS.noRollout, { result });
  if (!moves.length) return fill(TEXTS.over, { result });
  const length = counted(texts.counts.moves, moves.length);
  return fill(TEXTS.rollout, { policy: POLICIES[rolloutPolicy], length, result });
}

/**
 * @param {Step} step
 * @param {Name} name
 */
function backup({ winner, backup: nodes, proofs }, name) {
  const proven = proofs.some((each) => each.proof) ? TEXTS.newProofs : "";
  const count = nodes.length > 2
    ? fill(TEXTS.allVisits, { length: nodes.length })
    : nodes.length > 1 ? TEXTS.bothVisits : TEXTS.rootVisit;
  const end = winner === null ? TEXTS.isDraw : fill(TEXTS.hasWon, { name: sentence(name(winner)) });
  const reward = winner === null ? TEXTS.drawReward : fill(TEXTS.winReward, { name: name(winner) });
  return fill(TEXTS.backup, { end, count, reward, proven });
}
