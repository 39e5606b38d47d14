/**
 * A plan to win: what the first player plays on 7 x 6 after each reply, and why, by the proof of the package, as a tree
 * that opens reply by reply; and a drill of it.
 *
 * @import { MountView } from "./app.js"
 * @import { Solve } from "./combination.js"
 * @import { PlanAnswer } from "./protocol.js"
 */

import { solverOf } from "./combination.js";
import { Latest } from "./connection.js";
import { button, h, setText, terms } from "./dom.js";
import { pause } from "./effects.js";
import { Explanation, cellName } from "./explanation.js";
import { colour, colourName, columns, messageOf, playerName, whole } from "./format.js";
import { Game } from "./game.js";
import { ghostsOf } from "./moves.js";
import { afterAnswer, isDue, loadProgress, nextIndex, saveProgress } from "./progress.js";
import { refutationOf } from "./puzzle-panel.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.plan;

/** @typedef {{ position: Game, answer: PlanAnswer }} Asked the plan's answer in a position of the user */

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
 * A drill of the plan: the user finds its moves along a line of replies, first those that are due. Moves that are known
 * are played by themselves.
 *
 * @type {MountView}
 */
export function mountDrill(app, place) {
  const { store, connection } = app;
  const solve = solverOf(connection);
  const latest = new Latest(); // line, or reply in it
  let game = new Game(); // on the board
  /** @type {Asked | null} */
  let asked = null; // null: the line is over, or waits for a reply
  let why = Promise.resolve(""); // the plan's move wins
  let isFirst = true; // whether the next try at the question is the first
  let boxes = loadProgress().progress.plan;
  const question = h("h1", {});
  const said = h("div", { class: "now-text puzzle-answer", role: "status" });
  const numbers = h("dl", { class: "facts puzzle-facts" });
  const solution = button(texts.puzzlePanel.show, reveal, { id: "show" });
  const next = button(TEXTS.next, begin, { id: "next", title: texts.puzzlePanel.nextTitle });
  place.append(h("div", { class: "puzzle" }, question, said, h("div", { class: "row" }, solution, next), numbers));
  begin();

  /** Begin a line: ask for the first move in it that is due. */
  function begin() {
    const position = new Game();
    say("");
    goOn(answersTo(position).then(([answer]) => ({ position, answer })));
  }

  /**
   * Ask for the first move that is due.
   *
   * @param {Promise<Asked | null>} first the next question; null: the line is over
   */
  async function goOn(first) {
    const isStale = latest.begin();
    asked = null;
    try {
      let found = await first;
      while (found && !isDue(boxes, keyOf(found.position), Date.now())) {
        const following = await after(found);
        if (!following) break; // the line is known: its last move is asked
        found = following;
      }
      if (!isStale()) ask(found);
    } catch (error) {
      if (!isStale()) say(messageOf(error), "wrong");
    }
  }

  /** @param {Game} position */
  async function answersTo(position) {
    return (await connection.request({ action: "plan", ...position.query })).answers;
  }

  /**
   * The question after the plan's move and a reply; null if the line ends with that move.
   *
   * @param {Asked} before
   * @returns {Promise<Asked | null>}
   */
  async function after({ position, answer }) {
    const later = position.play(answer.move);
    if (later.outcome || answer.reason === "follow up") return null;
    const answers = await answersTo(later);
    const positions = answers.map(({ reply }) => later.play(Number(reply)));
    const index = nextIndex(boxes, positions.map(keyOf), Date.now());
    return { position: positions[index], answer: answers[index] };
  }

  /** @param {Asked | null} found null: the line is over */
  function ask(found) {
    asked = found;
    isFirst = true;
    solution.hidden = found === null;
    next.classList.toggle("primary", found === null);
    drawNumbers();
    if (!found) {
      setText(question, TEXTS.lineIsOver);
      return next.focus();
    }
    const { position, answer } = found;
    const { flipped } = store.state;
    why = reasonOf(answer, position, flipped, solve);
    show(position);
    const [name, other] = [colourName(position.turn, flipped), playerName(1 - position.turn, flipped)];
    setText(question, answer.reply === null ? fill(TEXTS.first, { name })
      : fill(TEXTS.question, { name, other, column: answer.reply + 1 }));
  }

  /** @param {number} column */
  async function choose(column) {
    const mine = asked;
    if (!mine || app.refuses(game, column)) return;
    const { position, answer } = mine;
    const later = position.play(column);
    if (column !== answer.move && !later.outcome) return refute(mine, column);
    const words = fill(TEXTS.right, { why: await why });
    if (mine !== asked) return;
    tried(true);
    say(words, "right");
    show(later);
    goOn(pause().then(() => after({ position, answer: { ...answer, move: column } })));
  }

  /**
   * @param {Asked} mine
   * @param {number} column
   */
  async function refute(mine, column) {
    const found = await solve(mine.position.play(column));
    if (mine !== asked) return;
    if ((found?.score ?? 0) < 0) return say(fill(TEXTS.winsToo, { column: column + 1 }));
    tried(false);
    say(fill(texts.puzzles.wrong, { refutation: refutationOf(column, found) }), "wrong");
  }

  async function reveal() {
    const mine = asked;
    const reason = await why;
    if (!mine || mine !== asked) return;
    tried(false);
    const { move } = mine.answer;
    app.board.setGhosts(ghostsOf(mine.position, [move], 1));
    say(fill(TEXTS.solution, { column: move + 1, why: reason }));
  }

  /** @param {boolean} isKnown */
  function tried(isKnown) {
    if (isFirst && asked) {
      boxes = afterAnswer(boxes, keyOf(asked.position), isKnown, Date.now());
      saveProgress({ ...loadProgress().progress, plan: boxes });
      drawNumbers();
    }
    isFirst = false;
  }

  function drawNumbers() {
    const all = Object.entries(boxes);
    const known = all.filter(([, [box]]) => box > 0);
    const due = all.filter(([position]) => isDue(boxes, position, Date.now()));
    numbers.replaceChildren(...terms([[TEXTS.known, whole(known.length)], [TEXTS.due, whole(due.length)]]));
  }

  /** @param {Game} position */
  function show(position) {
    game = position;
    app.board.setGhosts([]);
    app.drawBoard();
  }

  /**
   * @param {string} text
   * @param {"right" | "wrong" | ""} [name] of the class
   */
  function say(text, name = "") {
    said.replaceChildren(...(text ? [h("p", { class: name }, text)] : []));
  }

  return {
    get game() {
      return game;
    },
    unmount: () => void latest.begin(),
    onColumn: choose,
    onKey(key) {
      if (key === "n") begin();
      return key === "n";
    },
    onState(state, before) {
      if (state.flipped !== before.flipped) ask(asked);
    },
    onConnect() {
      if (!asked) begin();
    },
  };
}

/** @param {Game} position */
function keyOf({ moves }) {
  return moves.join("");
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
