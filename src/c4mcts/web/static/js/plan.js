/**
 * A plan to win: what the first player plays on 7 x 6 after each reply, and why, by the proof of the package, as a tree
 * that opens reply by reply.
 *
 * @import { MountView } from "./app.js"
 * @import { Solve } from "./combination.js"
 * @import { PlanAnswer } from "./protocol.js"
 */

import { solverOf } from "./combination.js";
import { h, setText } from "./dom.js";
import { Explanation, cellName } from "./explanation.js";
import { colour, colourName, columns, messageOf, playerName } from "./format.js";
import { Game } from "./game.js";
import { fill, texts } from "./texts.js";

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
