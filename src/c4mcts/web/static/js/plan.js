/**
 * A plan to win: what the first player plays on 7 x 6 after each reply, and why, by the proof of the package, as a tree
 * that opens reply by reply.
 *
 * @import { PlanAnswer } from "./protocol.js"
 * @import { MountView } from "./views.js"
 */

import { solverOf } from "./combination.js";
import { h, setText } from "./dom.js";
import { Explanation } from "./explanation.js";
import { colour, colourName, messageOf } from "./format.js";
import { Game } from "./game.js";
import { reasonOf, shortReasonOf } from "./plan-words.js";
import { texts } from "./texts.js";

const TEXTS = texts.plan;

/** @type {MountView} */
export function mountPlan(app, place) {
  const { connection, store } = app;
  let game = new Game(); // on the board
  /** @type {HTMLElement} */
  let branch; // whose position that is
  const explanation = new Explanation(app);
  const tree = h("div", { class: "plan-tree" });
  place.append(h("h1", {}, TEXTS.title), h("p", { class: "soft" }, TEXTS.about), tree, explanation.element);
  begin();

  async function begin() {
    tree.replaceChildren();
    show(new Game(), tree);
    await grow(tree, game);
    tree.querySelector("summary")?.click();
  }

  /**
   * @param {Game} position
   * @param {HTMLElement} parent of what follows it
   */
  function show(position, parent) {
    [game, branch] = [position, parent];
    app.drawBoard();
    explanation.follow(game);
  }

  /**
   * Add what the plan answers to each reply in a position, or its first move.
   *
   * @param {HTMLElement} parent
   * @param {Game} position
   */
  async function grow(parent, position) {
    try {
      const { answers } = await connection.request({ action: "plan", ...position.query });
      parent.append(...answers.map((answer) => branchOf(position, answer, parent)));
    } catch (error) {
      parent.append(h("p", { class: "error" }, messageOf(error)));
    }
  }

  /**
   * A reply with the plan's answer. Of the replies in a position, one is open.
   *
   * @param {Game} position before the reply
   * @param {PlanAnswer} answer
   * @param {HTMLElement} parent
   */
  function branchOf(position, answer, parent) {
    const { flipped } = store.state;
    const before = answer.reply === null ? position : position.play(answer.reply);
    const after = before.play(answer.move);
    const words = h("p", { class: "small" });
    const disc = (/** @type {Game} */ { turn }, /** @type {number} */ column) => [h("span", { role: "img",
      class: `chip ${colour(turn, flipped)}`, "aria-label": colourName(turn, flipped) }), `${column + 1}`];
    const found = h("details", { name: `plan ${position.moves.join("")}`, ontoggle: async () => {
      if (!found.open || words.textContent) return;
      setText(words, "…");
      if (!after.outcome) grow(found, after);
      setText(words, await reasonOf(answer, before, flipped, solverOf(connection)));
    } }, h("summary", { onclick: () => (found.open ? show(position, parent) : show(after, found)) },
      ...(answer.reply === null ? [] : [...disc(position, answer.reply), h("span", {}, "→")]),
      ...disc(before, answer.move), h("span", { class: "soft small" }, shortReasonOf(answer))), words);
    found.dataset.reply = `${answer.reply}`;
    return found;
  }

  return {
    get game() {
      return game;
    },
    unmount: () => explanation.follow(null),
    onColumn(column) {
      const reply = branch.querySelector(`:scope > [data-reply="${column}"] > summary`);
      if (!(reply instanceof HTMLElement)) return;
      reply.click();
      reply.scrollIntoView({ block: "nearest" });
    },
    onState(state, before) {
      if (state.flipped !== before.flipped) begin();
      else explanation.follow(game);
    },
    onConnect() {
      if (tree.childElementCount === 0) begin();
    },
  };
}
