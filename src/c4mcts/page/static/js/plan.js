/**
 * Plans to win on 7 x 6: what the first player plays after each reply, or the second after a bad first move, and why,
 * by the proofs of the package. Their numbers are 0, and minus the column of the bad move, from 1.
 *
 * @import { App } from "./app.js"
 * @import { Book } from "./books.js"
 * @import { Solve } from "./combination.js"
 * @import { PlanAnswer } from "protocol"
 */

import { solverOf } from "./combination.js";
import { cellName } from "./explanation.js";
import { colourName, columns, playerName } from "./format.js";
import { Game } from "./game.js";
import { loadProgress, saveProgress } from "./progress.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.plan;
const BOXES = /** @type {const} */ (["plan", "planAfter1", "planAfter2"]); // of each plan, in the progress

/**
 * @param {App} app
 * @param {number} plan
 * @returns {Book}
 */
export function planBook({ connection, store }, plan) {
  const solve = solverOf(connection);
  const name = BOXES[-plan];
  return {
    start: new Game(undefined, plan === 0 ? [] : [-plan - 1]),
    about: plan === 0 ? TEXTS.about : fill(TEXTS.aboutAfter, { column: -plan }),
    async answersTo(position) {
      const { answers } = await connection.request({ action: "plan", ...position.query });
      return answers.map((plan) => ({ reply: plan.reply, move: plan.move, isEnd: plan.reason === "follow up",
        short: shortReasonOf(plan), reason: (before) => reasonOf(plan, before, store.state.flipped, solve) }));
    },
    boxes: () => loadProgress().progress[name],
    keep: (boxes) => saveProgress({ [name]: boxes }),
  };
}

/**
 * Why a move of the plan wins, in words.
 *
 * @param {PlanAnswer} answer
 * @param {Game} before the position in which the plan's player is to move
 * @param {boolean} flipped
 * @param {Solve} solve says which moves win
 */
export async function reasonOf({ reason, move, zugzwang }, before, flipped, solve) {
  const names = { name: playerName(before.turn, flipped), other: colourName(1 - before.turn, flipped) };
  if (reason === "follow up") {
    const end = zugzwang ? fill(TEXTS.zugzwang, { ...names, cell: cellName(zugzwang) }) : fill(TEXTS.line, names);
    return `${fill(TEXTS.reasons[reason], names)} ${end}`;
  }
  if (reason !== "proof") return fill(TEXTS.reasons[reason], names);
  const found = await solve(before);
  const others = before.legalColumns.filter((column) => column !== move && (found?.columns?.[column] ?? 0) > 0);
  if (!found?.columns) return TEXTS.reasons.proof;
  return others.length ? fill(TEXTS.othersWin, { columns: columns(others, ", ") }) : TEXTS.onlyWin;
}

/** @param {PlanAnswer} answer whose reason is told in one or two words; "": no rule decides yet */
export function shortReasonOf({ reason, zugzwang }) {
  if (reason === "proof") return "";
  return zugzwang ? TEXTS.short.zugzwang : TEXTS.short[reason];
}
