/**
 * Why a game was lost: the decisive move, and what it allowed, as best play after it shows. Nothing is an estimate.
 *
 * @import { Player } from "./game.js"
 * @import { Review, ReviewedMove, Solution } from "protocol"
 */

import { colourName, columns, listed, sentence } from "./format.js";
import { Game } from "./game.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.why;
const SHORTER = 3; // points of score by which a loss is nearer after an oversight: 5 or more plies

/**
 * @typedef {object} Decision
 * @property {number} ply before the decisive move; -1 if no move of the loser was one
 * @property {number} lostAt before the move from which on the other player could always win; -1: from the start
 */

/**
 * The move that decided a game: the one after which it was lost for good, or a later one that overlooked a win in one
 * move where a long defence was left. null: not known.
 *
 * @param {Review["moves"]} moves of the game
 * @param {Player} loser
 * @returns {Decision | null}
 */
export function decisionOf(moves, loser) {
  const isLoss = (/** @type {ReviewedMove} */ { score_before: before, score_after: after }) =>
    before !== null && after !== null && before >= 0 && after < 0;
  const lostAt = moves.findLastIndex((move) => move?.player === loser && isLoss(move));
  const ply = moves.length - 2; // the last move of the loser, if the other one has won
  const { player, oversight, score_before: before, score_after: after } = moves[ply] ?? {};
  const wasLong = before === null || (before ?? 0) - (after ?? 0) >= SHORTER;
  if (player === loser && oversight && oversight !== "overlooked win" && wasLong) return { ply, lostAt };
  const isKept = moves.slice(lostAt + 1).every((move) => move?.player === loser || (move?.score_after ?? 0) > 0);
  return isKept ? { ply: lostAt, lostAt } : null;
}

/**
 * What best play after a move shows, from the position in which its player's last reply no longer helps.
 *
 * @param {Game} position after the move
 * @param {readonly number[]} line of best play, to the win of the player to move
 * @param {boolean} flipped
 */
export function ideaOf(position, line, flipped) {
  const winner = position.turn;
  const last = position.with([...position.moves, ...line.slice(0, -2)]);
  const values = { other: colourName(winner, flipped), move: line[line.length - 3] + 1 };
  const threatened = winsOf(last, winner);
  if (threatened.length > 1) return fill(TEXTS.double, { ...values, columns: listed(threatened) });
  if (!threatened.length) return fill(TEXTS.zugzwang, values);
  const onTop = winsOf(last.play(threatened[0]), winner);
  return fill(TEXTS.stacked, { ...values, columns: listed(threatened), others: listed(onTop) });
}

/**
 * The columns in which a player would win, if it were that player's turn.
 *
 * @param {Game} game
 * @param {Player} player
 */
function winsOf({ rules, columns: discs }, player) {
  const position = new Game(rules, [], { fen: "", columns: discs, turn: player });
  return position.legalColumns.filter((column) => position.play(column).outcome?.winner === player);
}

/**
 * Why a game was lost, in one or two sentences.
 *
 * @param {Game} game
 * @param {Review["moves"]} moves its review
 * @param {Decision} decision
 * @param {readonly number[] | null} line of best play after the decisive move to the end, if known
 * @param {{ loser: Player, isYou: boolean, flipped: boolean }} who
 */
export function whyText(game, moves, { ply, lostAt }, line, { loser, isYou, flipped }) {
  const [name, other] = [sentence(colourName(loser, flipped)), colourName(1 - loser, flipped)];
  if (ply < 0) return fill(isYou ? TEXTS.youNever : TEXTS.never, { name, other });
  const { oversight, refutation } = /** @type {ReviewedMove} */ (moves[ply]);
  const values = { name, other, columns: columns(refutation.slice(0, 1)) };
  const after = game.after(ply + 1);
  /** @type {string} */
  let why = fill(TEXTS.wins, { other });
  if (oversight === "unblocked threat") why = fill(TEXTS.unblocked, values);
  else if (oversight === "disc under a win") why = fill(TEXTS.below, values);
  else if (line) {
    why = ideaOf(after, line, flipped);
    const count = counted(texts.counts.moves, line.length);
    if (line.length > 3) why = fill(TEXTS.later, { other, count, why });
  }
  const words = fill(isYou ? TEXTS.youLost : TEXTS.lost, { name, ply: ply + 1, why });
  if (ply === lostAt) return words;
  return `${words} ${lostAt < 0 ? "" : fill(TEXTS.before, { other: sentence(other), ply: lostAt + 1 })}`.trim();
}

/**
 * @param {Game} game
 * @param {Review["moves"]} moves its review
 * @param {Decision} decision
 * @param {(position: Game) => Promise<Solution | null>} solve
 * @param {{ loser: Player, isYou: boolean, flipped: boolean }} who
 * @returns {Promise<{ after: Game, line: readonly number[], text: string }>} the position after the decisive move, best
 *   play from it, and whyText
 */
export async function whyLost(game, moves, decision, solve, who) {
  const { ply } = decision;
  const after = game.after(ply + 1);
  let line = moves[ply]?.refutation ?? [];
  const isWhole = () => after.with([...after.moves, ...line]).outcome !== null;
  if (ply >= 0 && !isWhole()) line = (await solve(after))?.pv ?? line;
  return { after, line, text: whyText(game, moves, decision, isWhole() ? line : null, who) };
}
