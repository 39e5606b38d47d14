/**
 * A review in words: the result, both players' accuracy, what a move was worth.
 *
 * @import { Game, Player } from "./game.js"
 * @import { Point } from "./graph.js"
 * @import { Match } from "./match.js"
 * @import { MoveKind, Review, ReviewedMove, ReviewedPlayer } from "protocol"
 * @import { Mark } from "./variations.js"
 */

import { button, h, setStyle } from "./dom.js";
import { colour, colourName, columns, playerName } from "./format.js";
import { scoreHeight } from "./graph.js";
import { onlyPerson, resultOf } from "./match.js";
import { levelName, nameOf } from "./seats.js";
import { counted, fill, texts } from "./texts.js";
import { certain, pliesOf, proven } from "./verdict.js";

const TEXTS = texts.reviewWords;

/** @typedef {{ readonly moves: readonly (ReviewedMove | undefined)[] }} Reviewed a review, or its beginning */

/** @type {[kind: "inaccuracy" | "mistake" | "missed win" | "blunder", mark: string][]} */
const FAULTS = [["inaccuracy", "?!"], ["mistake", "?"], ["missed win", "?"], ["blunder", "??"]];
/** @type {Partial<Record<MoveKind, string>>} */
const MARKS = { ...Object.fromEntries(FAULTS), only: "!" };

/**
 * Whether a move changed the result, or overlooked a win, a threat, or a cell under a win.
 *
 * @param {ReviewedMove | undefined} move
 * @returns {move is ReviewedMove}
 */
export function isTurn(move) {
  return move !== undefined && ["mistake", "missed win", "blunder"].includes(move.kind);
}

/**
 * The mistakes of a player: first those whose punishment, or whose win, is the nearest.
 *
 * @param {Reviewed["moves"]} moves of the game
 * @param {Player} player
 * @param {Game} game
 */
export function lessonsOf(moves, player, { rules }) {
  const plies = (/** @type {ReviewedMove} */ { ply, oversight, score_before: before, score_after: after }) => {
    if (oversight) return 1;
    const score = after !== null && after < 0 ? after : before;
    return score === null ? Infinity : pliesOf(score, rules.width * rules.height - ply);
  };
  return moves.filter(isTurn).filter((move) => move.player === player)
    .toSorted((one, other) => plies(one) - plies(other) || other.ply - one.ply);
}

/**
 * @param {Game} game
 * @param {boolean} flipped
 * @param {Match | null} match in which it was played, if it is known
 */
export function titleOf(game, flipped, match) {
  const count = counted(texts.counts.moves, game.moves.length);
  const you = match && onlyPerson(match);
  const level = match?.seats.find((seat) => seat && "number" in seat);
  const result = match ? resultOf(match) : game.outcome;
  if (!result) return fill(TEXTS.unfinished, { count });
  if (result.winner === null) return fill(TEXTS.draw, { count });
  if (you !== null && level && "number" in level) {
    const { number } = level;
    return fill(result.winner === you ? TEXTS.youWon : TEXTS.youLost, { number, name: levelName(number), count });
  }
  return fill(TEXTS.won, { name: playerName(result.winner, flipped), count });
}

/**
 * @param {Review} review
 * @param {boolean} flipped
 * @param {Match | null} match in which it was played, if it is known
 * @param {(player: Player) => void} onLearn called when the user wants to find a player's better moves
 */
export function accuracies({ players, moves }, flipped, match, onLearn) {
  const rows = players.map((player, number) => {
    const canLearn = moves.some((move) => isTurn(move) && move.player === number);
    const seat = match?.seats[number];
    const name = seat && "number" in seat ? fill(TEXTS.level, seat)
      : match ? nameOf(match, number, flipped) : playerName(number, flipped);
    return row(player, name, number, flipped, canLearn ? () => onLearn(number) : null);
  });
  return h("ul", { class: "accuracies" }, ...rows);
}

/**
 * @param {ReviewedPlayer} player
 * @param {string} shown the player's name
 * @param {Player} number
 * @param {boolean} flipped
 * @param {(() => void) | null} onclick
 */
function row({ accuracy, counts }, shown, number, flipped, onclick) {
  const [tint, name] = [colour(number, flipped), colourName(number, flipped)];
  const faults = FAULTS.flatMap(([kind]) => (counts[kind] ? [counted(TEXTS.faults[kind], counts[kind])] : []));
  const bar = h("span", { class: `accuracy ${tint}` });
  setStyle(bar, "--part", (accuracy ?? 0) / 100);
  const learn = onclick && button(TEXTS.learn, onclick,
    { class: "quiet learn", "aria-label": fill(TEXTS.learnLabel, { name }) });
  return h("li", {}, h("span", { class: `chip ${tint}` }), h("span", { class: "name" }, shown), bar,
    h("span", { class: "number strong" }, accuracy === null ? "–" : `${Math.round(accuracy)} %`),
    h("span", { class: "faults soft small" }, faults.join(", ") || TEXTS.noMistakes, learn));
}

/**
 * @param {Reviewed} review
 * @param {Game} game
 * @returns {Map<string, Mark>}
 */
export function marksOf({ moves }, game) {
  return new Map(moves.flatMap((move, index) => {
    const sign = move && MARKS[move.kind];
    if (!move || !sign) return [];
    const words = TEXTS.kinds[move.kind];
    return [[game.moves.slice(0, index + 1).join(), { sign, words, isBad: isTurn(move) }]];
  }));
}

/**
 * The move before the position on the board in words, or else the best next one. What it overlooks comes first.
 *
 * @param {Reviewed} review
 * @param {Game} game
 * @param {number} ply
 * @param {boolean} flipped
 */
export function moveText({ moves }, { rules }, ply, flipped) {
  const worth = (/** @type {number | null} */ exact, /** @type {number} */ discs) => (exact === null ? ""
    : fill(TEXTS.worth, { result: proven(certain(null, exact, rules.width * rules.height - discs)) }));
  const last = ply > 0 ? moves[ply - 1] : null;
  const next = moves[ply];
  const parts = [];
  if (last) {
    parts.push(fill(TEXTS.move, { ply, name: colourName(last.player, flipped), column: last.column + 1,
      kind: TEXTS.kinds[last.kind], worth: worth(last.score_after, last.ply) }));
    if (last.oversight) parts.push(oversightOf(last, last.oversight, flipped));
    if (!["only", "best"].includes(last.kind)) {
      parts.push(fill(TEXTS.best, { columns: columns(last.best), worth: worth(last.score_before, last.ply) }));
    }
  }
  if (isTurn(next) && !isTurn(last ?? undefined)) {
    const name = colourName(next.player, flipped);
    parts.push(fill(TEXTS.shouldPlay, { name, columns: columns(next.line), column: next.column + 1 }));
  }
  return parts.join(" ") || TEXTS.help;
}

/** @param {{ exact_from: number, moves: readonly (Pick<ReviewedMove, "ply"> | undefined)[] }} review */
export function estimates({ exact_from: first, moves }) {
  const index = moves.findIndex((move) => move && move.ply >= first);
  return index < 0 ? TEXTS.estimates : fill(TEXTS.exactFrom, { move: index + 1 });
}

/**
 * @param {ReviewedMove} move
 * @param {NonNullable<ReviewedMove["oversight"]>} oversight
 * @param {boolean} flipped
 */
function oversightOf({ player, best, refutation }, oversight, flipped) {
  const found = oversight === "overlooked win" ? best : refutation.slice(0, 1);
  return fill(TEXTS.oversights[oversight], { name: playerName(player, flipped),
    other: colourName(1 - player, flipped), columns: columns(found) });
}

/**
 * @param {Reviewed} review
 * @param {Game} game
 * @param {boolean} flipped
 * @returns {(Point | undefined)[]}
 */
export function pointsOf({ moves }, game, flipped) {
  const highest = (game.rules.width * game.rules.height) / 2;
  /**
   * @param {number | null} exact
   * @param {number} value
   * @param {Player} player
   */
  const height = (exact, value, player) => {
    const sign = colour(player, flipped) === "red" ? -1 : 1;
    return sign * (exact === null ? 2 * value - 1 : scoreHeight(exact, highest));
  };
  return [undefined, ...moves].map((move, ply) => {
    if (move) {
      return { isEstimate: move.score_after === null,
        height: height(move.score_after, move.value_after, move.player),
        mark: move.kind === "only" ? undefined : MARKS[move.kind],
        colour: colour(move.player, flipped),
        label: `${ply}. ${colourName(move.player, flipped)} ${move.column + 1}: ${TEXTS.kinds[move.kind]}` };
    }
    const next = moves[ply]; // the first that was reviewed
    return next && { isEstimate: next.score_before === null,
      height: height(next.score_before, next.value_before, next.player) };
  });
}
