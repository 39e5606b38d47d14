/**
 * A stop of a simulation in words and in numbers: a sentence; the scores of all children at a selection as bars, with
 * the formula for the chosen one; the changes by a backup. Columns count from 1.
 *
 * @import { Player } from "./game.js"
 * @import { Stop, Story } from "./learn-story.js"
 * @import { Candidate, Selected, SelectionScore, Step, Steps } from "protocol"
 */

import { h, headRow, setStyle } from "./dom.js";
import { colourName, columns, playerName, sentence, value, whole } from "./format.js";
import { EXPANSION, PHASES, ROLLOUT, SELECTION } from "./learn-story.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.learnWords;
const SCORES = texts.learnScores;
const ROWS = 8; // of a table of scores

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
    return step.isProven ? TEXTS.certainRoot : TEXTS.rolloutAtRoot;
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
  return fill(path.length === 1 ? TEXTS.rootGetsChildren : TEXTS.reachedAgain, { count, leaf: leaf + 1 });
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
  return fill(TEXTS.rollout, { policy: TEXTS[rolloutPolicy], length, result });
}

/**
 * @param {Step} step
 * @param {Name} name
 */
function backup({ winner, backup: nodes, proofs }, name) {
  const proven = proofs.some((each) => each.proof) ? TEXTS.newProofs : "";
  const count = nodes.length > 2 ? fill(TEXTS.allVisits, { length: nodes.length })
    : nodes.length > 1 ? TEXTS.bothVisits : TEXTS.rootVisit;
  const end = winner === null ? TEXTS.isDraw : fill(TEXTS.hasWon, { name: sentence(name(winner)) });
  const reward = winner === null ? TEXTS.drawReward : fill(TEXTS.winReward, { name: name(winner) });
  return fill(TEXTS.backup, { end, count, reward, proven });
}

/** @param {Selected} selected whose children are shown: their value, and on top of it the exploration term */
export function scoreRows({ move, children }) {
  const finite = children.flatMap(({ ucb }) => (typeof ucb === "number" ? [ucb] : []));
  const most = Math.max(1, ...finite);
  const shown = topRows(children, move);
  return h("table", { class: "scores" },
    h("caption", { class: "hidden" }, SCORES.caption),
    h("thead", { class: "hidden" }, headRow([SCORES.column, SCORES.bars, SCORES.score, SCORES.visits])),
    h("tbody", {}, ...shown.map((child) => scoreRow(child, child.move === move, most))));
}

/**
 * All children, or, if there are many, the highest scores and the chosen one.
 *
 * @param {Candidate[]} children
 * @param {number} move
 */
function topRows(children, move) {
  if (children.length <= ROWS) return children;
  const rank = (/** @type {Candidate} */ { ucb, move: column }) => {
    if (column === move) return Infinity;
    return ucb === "inf" ? 1e9 : typeof ucb === "number" ? ucb : -1;
  };
  const best = [...children].sort((one, other) => rank(other) - rank(one)).slice(0, ROWS);
  return best.sort((one, other) => one.move - other.move);
}

/**
 * @param {Candidate} child
 * @param {boolean} isChosen
 * @param {number} most the highest score
 */
function scoreRow(child, isChosen, most) {
  const { ucb, visits } = child;
  const mean = child.value ?? 0;
  const bar = h("span", { class: `score-bar ${ucb === "inf" ? "untried" : ""}`, "aria-hidden": "true" },
    h("i", { class: "mean" }), h("i", { class: "bonus" }));
  setStyle(bar, "--mean", typeof ucb === "number" ? mean / most : 0);
  setStyle(bar, "--bonus", typeof ucb === "number" ? Math.max(0, ucb - mean) / most : Number(ucb === "inf"));
  const row = h("tr", { class: isChosen ? "chosen" : "" },
    h("th", { scope: "row" }, `${child.move + 1}`), h("td", { class: "wide" }, bar),
    h("td", { class: "number" }, scoreText(ucb)), h("td", { class: "number soft" }, `n ${whole(visits)}`));
  if (isChosen) row.setAttribute("aria-current", "true");
  return row;
}

/**
 * A score: a number, ∞ for an untried child, −∞ for one that can't be the best, – where none are compared.
 *
 * @param {SelectionScore} ucb
 */
export function scoreText(ucb) {
  if (ucb === "inf") return "∞";
  if (ucb === "-inf") return "−∞";
  return ucb === null ? "–" : value(ucb);
}

/** @param {number} reward of a node, as "+1" or "+½" */
export function gain(reward) {
  return `+${reward === 0.5 ? "½" : reward.toLocaleString(texts.language, { maximumFractionDigits: 2 })}`;
}

/**
 * The formula of the score, and below it the same with the numbers of the chosen child, if any.
 *
 * @param {Selected} selected
 * @param {Steps} reply
 */
export function formula({ move, visits: total, children }, { selection, exploration }) {
  const child = children.find((each) => each.move === move);
  const isTuned = selection === "ucb1_tuned";
  const spread = (/** @type {string} */ top, /** @type {string} */ bottom) =>
    [h("i", {}, "√"), h("span", { class: "root" }, `ln ${top} / ${bottom}${isTuned ? " · V" : ""}`)];
  const lines = [h("p", {}, SCORES.formula, ...spread("N", "n"))];
  if (child?.visits && child.value !== null && typeof child.ucb === "number") {
    const [mean, bonus, score] = [child.value, child.ucb - child.value, child.ucb].map(value);
    const added = isTuned ? [bonus] : [`${value(exploration)} `, ...spread(whole(total), whole(child.visits))];
    lines.push(h("p", {}, `${score} = ${mean} + `, ...added));
  }
  const variance = isTuned ? SCORES.variance : "";
  const letters = fill(SCORES.letters, { variance });
  return h("div", { class: "formula" }, ...lines, h("p", { class: "soft small" }, letters));
}

/**
 * @param {Story} story
 * @param {number} index of the simulation, from 0
 * @param {boolean} flipped
 */
export function rewardTable(story, index, flipped) {
  const before = story.treeBefore(index);
  const rows = story.steps[index].backup.map(({ node, visits, value: mean, reward }) => {
    const { column, player, parent } = story.node(node);
    const name = parent === null ? SCORES.root : `${playerName(player, flipped)} ${column + 1}`;
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number strong" }, gain(reward)),
      h("td", { class: "number" }, `${visits - 1} → ${visits}`),
      h("td", { class: "number" }, `${value(before.get(node)?.value ?? null)} → ${value(mean)}`));
  });
  return h("table", { class: "table rewards" },
    h("thead", {}, headRow([SCORES.node, SCORES.reward, SCORES.visits, SCORES.value])),
    h("tbody", {}, ...rows.reverse()));
}
