/**
 * Why a move of the plan wins, in words.
 *
 * @import { Solve } from "./combination.js"
 * @import { Game } from "./game.js"
 * @import { PlanAnswer } from "./protocol.js"
 */

import { cellName } from "./explanation.js";
import { colourName, columns, playerName } from "./format.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.plan;

/**
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

/** @param {PlanAnswer} answer */
export function shortReasonOf({ reason, zugzwang }) {
  if (reason === "proof") return "";
  return zugzwang ? TEXTS.short.zugzwang : TEXTS.short[reason];
}
