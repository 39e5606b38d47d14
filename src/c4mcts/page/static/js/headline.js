/**
 * Who is ahead: a headline and a bar with the best knowledge, the solver's exact answer, and what the search says.
 *
 * @import { Game, Player } from "./game.js"
 * @import { Analysis, RootInfo, Solution } from "protocol"
 */

import { h, setStyle, setText, terms } from "./dom.js";
import { colourName, columns, playerName, score, value } from "./format.js";
import { emptyCells } from "./moves.js";
import { counted, fill, texts } from "./texts.js";
import { certain, exactValue, proven } from "./verdict.js";

const TEXTS = texts.verdict;

const WORDS = /** @type {const} */ ([[0.95, TEXTS.isWinning], [0.75, TEXTS.isClearlyAhead], [0.57, TEXTS.isAhead]]);

export class Headline {
  constructor() {
    this.title = h("h1", {});
    this.belief = h("span", { class: "number" });
    this.exact = h("span", { class: "number" });
    this.bar = h("div", { class: "balance", "aria-hidden": "true" }, h("div", { class: "part" }));
    this.element = h("div", { class: "verdict" }, this.title, this.bar,
      h("dl", { class: "facts" }, ...terms([[TEXTS.solver, this.exact], [TEXTS.search, this.belief]])));
  }

  /**
   * @param {Game} game
   * @param {boolean} flipped
   * @param {Analysis | null} reply of a search
   * @param {Solution | null} solution
   */
  show(game, flipped, reply, solution) {
    const root = reply?.rootInfo ?? null;
    setText(this.title, headline(game, flipped, root, solution));
    const forYellow = valueForYellow(game, flipped, root, solution);
    setStyle(this.bar, "--part", forYellow ?? 0.5);
    this.bar.classList.toggle("empty", forYellow === null);
    setText(this.belief, game.outcome || reply === null ? "–" : beliefText(flipped, reply, solution));
    setText(this.exact, solution?.score == null ? "–"
      : fill(TEXTS.exact, { score: score(solution.score), columns: columns(solution.best) }));
  }
}

/**
 * The best available knowledge in a few words: what is certain, or else what the search believes.
 *
 * @param {Game} game
 * @param {boolean} flipped
 * @param {RootInfo | null} root
 * @param {Solution | null} solution
 */
export function headline(game, flipped, root, solution) {
  const name = (/** @type {Player} */ player) => playerName(player, flipped);
  if (game.outcome) {
    return game.outcome.winner === null ? TEXTS.draw : fill(TEXTS.hasWon, { name: name(game.outcome.winner) });
  }
  const known = certain(root, solution?.score ?? null, emptyCells(game));
  if (known.proof === "draw") return TEXTS.drawWithBestPlay;
  if (known.proof) {
    const wins = fill(TEXTS.wins, { name: name(known.proof === "win" ? game.turn : 1 - game.turn) });
    if (known.distance === null) return wins;
    const moves = counted(texts.counts.moves, known.distance);
    return known.bound === "exact" ? fill(TEXTS.winsIn, { wins, moves }) : fill(TEXTS.winsInAtMost, { wins, moves });
  }
  if (root === null || root.winrate === null) return fill(TEXTS.toMove, { name: name(game.turn) });
  const best = Math.max(root.winrate, 1 - root.winrate);
  const words = WORDS.find(([least]) => best >= least)?.[1];
  return words ? fill(words, { name: name(best === root.winrate ? game.turn : 1 - game.turn) }) : TEXTS.even;
}

/**
 * The value for yellow in [0, 1]: what is certain, or else the search's; or null.
 *
 * @param {Game} game
 * @param {boolean} flipped
 * @param {RootInfo | null} root
 * @param {Solution | null} solution
 */
export function valueForYellow(game, flipped, root, solution) {
  const yellow = flipped ? 1 : 0;
  if (game.outcome) return game.outcome.winner === null ? 0.5 : Number(game.outcome.winner === yellow);
  const { proof } = certain(root, solution?.score ?? null, emptyCells(game));
  const number = exactValue(proof) ?? root?.winrate ?? null;
  return number === null ? null : game.turn === yellow ? number : 1 - number;
}

/**
 * What the search says, and whether the solver knows better.
 *
 * @param {boolean} flipped
 * @param {Analysis} reply
 * @param {Solution | null} solution
 */
export function beliefText(flipped, { rootInfo: root, moveInfos }, solution) {
  if (root.winrate === null) return "–";
  const [{ move }] = moveInfos;
  const says = root.proof ? proven(root) : value(root.winrate);
  const text = fill(TEXTS.belief, { says, name: colourName(root.currentPlayer, flipped), move: move + 1 });
  if (!solution || solution.score === null) return text;
  if (!solution.best.includes(move)) return fill(TEXTS.notBest, { text });
  return root.proof ? text : fill(TEXTS.noProof, { text });
}
