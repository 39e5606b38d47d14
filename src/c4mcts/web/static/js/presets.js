/** What the presets of searches are, in a sentence each. */

/** @type {Record<string, string>} */
const WORDS = {
  strong: "What c4mcts plays with: rollouts that avoid blunders, proofs, and the exact solver.",
  uct: "Plain UCT, as in textbooks: random rollouts, c = 1.41, and nothing else.",
  perfect: "“strong” with the book of all positions of up to 12 discs.",
  "uct-timed": "The agent of a blog post: plain UCT for which a draw is a loss of both players.",
  "report-minimax": "A course report: plain UCT with rewards from −1 to 1; positions reached in two ways are one.",
  "report-random": "The same course report, with an opponent who moves at random.",
  "notebook-uct": "A lecture notebook: a draw counts as a loss, and the move with the highest value is played.",
  "no-diagonals": "A desktop game without diagonals: it plays the move with the highest score, and prefers quick wins.",
};

/**
 * What a preset is; "" for one of a newer server.
 *
 * @param {string} name
 */
export function aboutPreset(name) {
  return WORDS[name] ?? "";
}
