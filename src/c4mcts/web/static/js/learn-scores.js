/** Why a child is selected: the scores of all children as bars, and the formula with the numbers of the one chosen. */

import { h } from "./dom.js";
import { value, whole } from "./format.js";

const ROWS = 8;

/** The children of a selection, as rows with bars: the value, and on top of it what exploration adds. */
export function scoreRows({ move, children }) {
  const finite = children.map((child) => child.ucb).filter((ucb) => typeof ucb === "number");
  const most = Math.max(1, ...finite);
  const shown = topRows(children, move);
  return h("table", { class: "scores" },
    h("caption", { class: "hidden" }, "Scores of the children"),
    h("thead", { class: "hidden" }, h("tr", {}, ...["Column", "Value and exploration", "Score", "Visits"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...shown.map((child) => scoreRow(child, child.move === move, most))));
}

/** All children, or the highest scores and the one chosen where there are many. */
function topRows(children, move) {
  if (children.length <= ROWS) return children;
  const rank = ({ ucb, move: column }) => (column === move ? Infinity : ucb === "inf" ? 1e9 : typeof ucb === "number" ? ucb : -1);
  const best = [...children].sort((one, other) => rank(other) - rank(one)).slice(0, ROWS);
  return best.sort((one, other) => one.move - other.move);
}

function scoreRow(child, isChosen, most) {
  const { ucb, visits, value: mean } = child;
  const isNumber = typeof ucb === "number";
  const bar = h("span", { class: `score-bar ${ucb === "inf" ? "untried" : ""}`, "aria-hidden": "true" }, h("i", { class: "mean" }), h("i", { class: "bonus" }));
  bar.style.setProperty("--mean", isNumber ? (mean ?? 0) / most : 0);
  bar.style.setProperty("--bonus", isNumber ? Math.max(0, ucb - (mean ?? 0)) / most : ucb === "inf" ? 1 : 0);
  const row = h("tr", { class: isChosen ? "chosen" : "" },
    h("th", { scope: "row" }, `${child.move + 1}`), h("td", { class: "wide" }, bar),
    h("td", { class: "number" }, scoreText(ucb)), h("td", { class: "number soft" }, `n ${whole(visits)}`));
  if (isChosen) row.setAttribute("aria-current", "true");
  return row;
}

/** A score: a number, ∞ for a child that was not tried, −∞ for one that can't be the best, – where none are compared. */
export function scoreText(ucb) {
  if (ucb === "inf") return "∞";
  if (ucb === "-inf") return "−∞";
  return ucb === null ? "–" : value(ucb);
}

/** What a reward adds to a node: "+1", "+½". */
export function gain(reward) {
  return `+${reward === 0.5 ? "½" : Number(reward.toFixed(2))}`;
}

/** The formula of the score, and below it with the numbers of the child chosen, if it has some. */
export function formula({ move, visits: total, children }, { selection, exploration }) {
  const child = children.find((each) => each.move === move);
  const isTuned = selection === "ucb1_tuned";
  const spread = (top, bottom) => [h("i", {}, "√"), h("span", { class: "root" }, `ln ${top} / ${bottom}${isTuned ? " · V" : ""}`)];
  const lines = [h("p", {}, "score = value + c ", ...spread("N", "n"))];
  if (child?.visits && typeof child.ucb === "number") {
    const [mean, bonus, score] = [child.value, child.ucb - child.value, child.ucb].map(value);
    const added = isTuned ? [bonus] : [`${value(exploration)} `, ...spread(whole(total), whole(child.visits))];
    lines.push(h("p", {}, `${score} = ${mean} + `, ...added));
  }
  const letters = `N: visits of the node, n: of the child, c: exploration factor${isTuned ? ", V: how much the results vary" : ""}`;
  return h("div", { class: "formula" }, ...lines, h("p", { class: "soft small" }, letters));
}
