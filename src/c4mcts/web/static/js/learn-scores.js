/**
 * The numbers of a stop. Selection: the scores of all children as bars, and the formula with the numbers of the chosen
 * one. Backup: its changes.
 *
 * @import { Story } from "./learn-story.js"
 * @import { Candidate, Selected, SelectionScore, Steps } from "./protocol.js"
 */

import { h, headRow, setStyle } from "./dom.js";
import { playerName, value, whole } from "./format.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.learnScores;
const ROWS = 8;

/** @param {Selected} selected whose children are shown: their value, and on top of it the exploration term */
export function scoreRows({ move, children }) {
  const finite = children.flatMap(({ ucb }) => (typeof ucb === "number" ? [ucb] : []));
  const most = Math.max(1, ...finite);
  const shown = topRows(children, move);
  return h("table", { class: "scores" },
    h("caption", { class: "hidden" }, TEXTS.caption),
    h("thead", { class: "hidden" }, headRow([TEXTS.column, TEXTS.bars, TEXTS.score, TEXTS.visits])),
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
  const lines = [h("p", {}, TEXTS.formula, ...spread("N", "n"))];
  if (child?.visits && child.value !== null && typeof child.ucb === "number") {
    const [mean, bonus, score] = [child.value, child.ucb - child.value, child.ucb].map(value);
    const added = isTuned ? [bonus] : [`${value(exploration)} `, ...spread(whole(total), whole(child.visits))];
    lines.push(h("p", {}, `${score} = ${mean} + `, ...added));
  }
  const variance = isTuned ? TEXTS.variance : "";
  const letters = fill(TEXTS.letters, { variance });
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
    const name = parent === null ? TEXTS.root : `${playerName(player, flipped)} ${column + 1}`;
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number strong" }, gain(reward)),
      h("td", { class: "number" }, `${visits - 1} → ${visits}`),
      h("td", { class: "number" }, `${value(before.get(node)?.value ?? null)} → ${value(mean)}`));
  });
  return h("table", { class: "table rewards" },
    h("thead", {}, headRow([TEXTS.node, TEXTS.reward, TEXTS.visits, TEXTS.value])), h("tbody", {}, ...rows.reverse()));
}
