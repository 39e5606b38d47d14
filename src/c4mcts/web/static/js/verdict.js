/**
 * Who is ahead: a headline and a bar with the best knowledge, the solver's exact answer, and what the search says.
 *
 * @import { Game, Player } from "./game.js"
 * @import { Analysis, RootInfo, Solution } from "./protocol.js"
 */

import { h, setStyle, setText } from "./dom.js";
import { colour, columns, counted, proven, score, sentence, value } from "./format.js";
import { certain, emptyCells, exactValue } from "./moves.js";

/** @type {[least: number, words: string][]} */
const WORDS = [[0.95, "is winning"], [0.75, "is clearly ahead"], [0.57, "is ahead"]];

export class Verdict {
  constructor() {
    this.title = h("h1", {});
    this.belief = h("span", { class: "number" });
    this.exact = h("span", { class: "number" });
    this.bar = h("div", { class: "balance", "aria-hidden": "true" }, h("div", { class: "part" }));
    this.element = h("div", { class: "verdict" }, this.title, this.bar,
      h("dl", { class: "facts" },
        h("dt", {}, "Solver"), h("dd", {}, this.exact), h("dt", {}, "Search"), h("dd", {}, this.belief)));
  }

  /**
   * Show the current knowledge.
   *
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
    setText(this.exact, exactText(solution));
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
  const name = (/** @type {Player} */ player) => sentence(colour(player, flipped));
  if (game.outcome) return game.outcome.winner === null ? "A draw" : `${name(game.outcome.winner)} has won`;
  const known = certain(root, solution?.score ?? null, emptyCells(game));
  if (known.proof === "draw") return "A draw with best play";
  if (known.proof) {
    const wins = `${name(known.proof === "win" ? game.turn : 1 - game.turn)} wins`;
    if (known.distance === null) return wins;
    return `${wins} in ${known.bound === "exact" ? "" : "at most "}${counted(known.distance, "move", "moves")}`;
  }
  if (root === null || root.winrate === null) return `${name(game.turn)} to move`;
  const best = Math.max(root.winrate, 1 - root.winrate);
  const words = WORDS.find(([least]) => best >= least)?.[1];
  return words ? `${name(best === root.winrate ? game.turn : 1 - game.turn)} ${words}` : "Even";
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
  const text = `${says} for ${colour(root.currentPlayer, flipped)}, column ${move + 1}`;
  if (!solution || solution.score === null) return text;
  if (!solution.best.includes(move)) return `${text}: not the best move`;
  return root.proof ? text : `${text}: no proof yet`;
}

/** @param {Solution | null} solution */
function exactText(solution) {
  if (!solution || solution.score === null) return "–";
  return `${score(solution.score)}, best ${columns(solution.best)}`;
}
