/**
 * Who is ahead: a headline, the search's value as a bar, and the solver's exact answer.
 *
 * @import { Game, Player } from "./game.js"
 * @import { RootInfo, Solution } from "./protocol.js"
 */

import { h, setStyle, setText } from "./dom.js";
import { colour, columns, counted, score, sentence, value } from "./format.js";

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
        h("dt", {}, "Search"), h("dd", {}, this.belief), h("dt", {}, "Solver"), h("dd", {}, this.exact)));
  }

  /**
   * Show the current knowledge.
   *
   * @param {Game} game
   * @param {boolean} flipped
   * @param {RootInfo | null} root of a search
   * @param {Solution | null} solution
   */
  show(game, flipped, root, solution) {
    setText(this.title, headline(game, flipped, root, solution));
    const forYellow = valueForYellow(game, flipped, root, solution);
    setStyle(this.bar, "--part", forYellow ?? 0.5);
    this.bar.classList.toggle("empty", forYellow === null);
    setText(this.belief, beliefText(game, flipped, root));
    setText(this.exact, exactText(solution));
  }
}

/**
 * The best available knowledge in a few words.
 *
 * @param {Game} game
 * @param {boolean} flipped
 * @param {RootInfo | null} root
 * @param {Solution | null} solution
 */
export function headline(game, flipped, root, solution) {
  const name = (/** @type {Player} */ player) => sentence(colour(player, flipped));
  if (game.outcome) return game.outcome.winner === null ? "A draw" : `${name(game.outcome.winner)} has won`;
  const known = certain(root, solution);
  if (known) {
    if (known.result === 0) return "A draw with best play";
    const winner = name(known.result > 0 ? game.turn : 1 - game.turn);
    return known.distance === null ? `${winner} wins` : `${winner} wins in ${counted(known.distance, "ply", "plies")}`;
  }
  if (root === null || root.winrate === null) return `${name(game.turn)} to move`;
  const best = Math.max(root.winrate, 1 - root.winrate);
  const words = WORDS.find(([least]) => best >= least)?.[1];
  return words ? `${name(best === root.winrate ? game.turn : 1 - game.turn)} ${words}` : "Even";
}

/**
 * The certain result for the player to move: {result: 1, 0 or -1, distance}; null if there is none.
 *
 * @param {RootInfo | null} root
 * @param {Solution | null} solution
 */
function certain(root, solution) {
  if (solution && solution.score !== null) {
    return { result: Math.sign(solution.score), distance: solution.distance };
  }
  if (root?.proof) return { result: { win: 1, draw: 0, loss: -1 }[root.proof], distance: root.distance };
  return null;
}

/**
 * The value for yellow in [0, 1]: the search's, or the solver's until there is one; or null.
 *
 * @param {Game} game
 * @param {boolean} flipped
 * @param {RootInfo | null} root
 * @param {Solution | null} solution
 */
function valueForYellow(game, flipped, root, solution) {
  const yellow = flipped ? 1 : 0;
  if (game.outcome) return game.outcome.winner === null ? 0.5 : Number(game.outcome.winner === yellow);
  const score = solution?.score ?? null;
  const exact = score === null ? null : (Math.sign(score) + 1) / 2;
  const number = root?.winrate ?? exact;
  return number === null ? null : game.turn === yellow ? number : 1 - number;
}

/**
 * @param {Game} game
 * @param {boolean} flipped
 * @param {RootInfo | null} root
 */
function beliefText(game, flipped, root) {
  if (game.outcome || root === null || root.winrate === null) return "–";
  const text = `${value(root.winrate)} for ${colour(game.turn, flipped)}`;
  return root.proof ? `${text}, proven` : text;
}

/** @param {Solution | null} solution */
function exactText(solution) {
  if (!solution || solution.score === null) return "–";
  return `${score(solution.score)}, best ${columns(solution.best)}`;
}
