/**
 * Puzzles: positions with exactly one right move, which the solver has checked, chosen by the user's rating.
 *
 * The game of the other modes stays as it is: the position of a puzzle is not part of it.
 *
 * @import { App, Mode } from "./app.js"
 * @import { Cell } from "./game.js"
 * @import { Progress } from "./puzzle-progress.js"
 * @import { Puzzle, Solution, Theme, Threat } from "./protocol.js"
 */

import { mayReplace } from "./confirmation.js";
import { h, setText } from "./dom.js";
import { Explanation } from "./explanation.js";
import { messageOf, whole } from "./format.js";
import { Game } from "./game.js";
import { ghostsOf } from "./moves.js";
import { note } from "./positions.js";
import { afterTry, loadProgress, nextPuzzle, saveProgress } from "./puzzle-progress.js";
import { THEMES, lineOf, meanings, refutationOf, solutionOf, taskOf } from "./puzzle-words.js";

const LINE_GHOSTS = 9;
const REFUTATION_GHOSTS = 4;
const SOLVER_SECONDS = 2;
const STEPS = ["ArrowLeft", "ArrowRight", "Home", "End"]; // keys that go through the game of the other modes

/** @type {readonly Puzzle[] | null} */
let puzzles = null; // those of the server, once they are here

/**
 * @param {App} app
 * @returns {Mode}
 */
export function mount(app) {
  const { store, board, connection } = app;
  const stored = loadProgress();
  /** @type {Progress} */
  let progress = stored.progress;
  let game = new Game(); // the position of the puzzle
  let number = 0; // of the puzzle
  let isOver = false; // whether the solution is shown
  let tries = 0; // at this puzzle
  let isAway = false; // whether the mode has been left
  /** @type {readonly number[]} */
  let line = []; // on the board

  const title = h("h1", {});
  const about = h("p", { class: "soft" });
  const answer = h("div", { class: "now-text puzzle-answer", role: "status" });
  const show = button("show", "Show the solution", "", () => finish("The solution: "));
  const next = button("next", "Next puzzle", "Next (N)", go);
  const open = button("analyse", "Analyse", "Open the position in Analyse", analyse);
  const numbers = h("dl", { class: "facts puzzle-facts" });
  const theme = h("select", { id: "theme-of-puzzles", onchange: choose },
    ...THEMES.map(([value, name]) => h("option", { value }, name)));
  theme.value = progress.theme;
  const explanation = new Explanation(app);
  const content = h("div", { class: "puzzle" }, title, about, answer, h("div", { class: "row" }, show, next, open),
    numbers, h("label", { class: "theme-field" }, "Theme of the next puzzles", theme), explanation.element);
  if (stored.problem) note(stored.problem);
  load();

  async function load() {
    if (!puzzles) {
      app.panel.replaceChildren(h("h1", {}, "Puzzles"), h("p", { class: "soft" }, "Loading …"));
      try {
        ({ puzzles } = await connection.request({ action: "puzzles" }));
      } catch (error) {
        if (!isAway) app.panel.replaceChildren(h("h1", {}, "Puzzles"), h("p", { class: "soft" }, messageOf(error)));
        return;
      }
      if (isAway) return;
    }
    app.panel.replaceChildren(content);
    begin();
  }

  /** Show the puzzle of the state. */
  function begin() {
    if (!puzzles) return;
    if (store.state.puzzle === 0) return go();
    if (puzzles[store.state.puzzle - 1] === undefined) {
      note(`There is no puzzle ${store.state.puzzle}: they are 1 to ${puzzles.length}.`);
      return go();
    }
    number = store.state.puzzle;
    game = new Game(undefined, current().moves);
    isOver = false;
    tries = 0;
    line = [];
    answer.replaceChildren();
    app.drawBoard();
    draw();
    app.announce(`${title.textContent}. Find the first move.`);
  }

  /** @returns {Puzzle} */
  function current() {
    return /** @type {readonly Puzzle[]} */ (puzzles)[number - 1];
  }

  /** Go to another puzzle. */
  function go() {
    if (puzzles) store.update({ puzzle: nextPuzzle(progress, puzzles, number) });
    if (number !== store.state.puzzle) begin(); // before the mode is told of changes
  }

  function draw() {
    const puzzle = current();
    setText(title, taskOf(puzzle, game, store.state.flipped));
    const words = isOver ? `From level ${puzzle.level} on, the engine finds it.` : "Exactly one move is right.";
    setText(about, `Puzzle ${number}, rated ${puzzle.rating}. ${words}`);
    show.hidden = isOver;
    next.classList.toggle("primary", isOver);
    board.setGhosts(ghostsOf(game, line, LINE_GHOSTS));
    explanation.element.hidden = !isOver;
    explanation.follow(isOver ? game : null, isOver ? zugzwangOf(puzzle, game) : null);
    const solved = Object.values(progress.results).filter(Boolean).length;
    const facts = [["Rating", `${progress.rating}`], ["Streak", `${progress.streak}, longest ${progress.longest}`],
      ["Solved", `${whole(solved)} of ${whole(puzzles?.length ?? 0)}`]];
    numbers.replaceChildren(...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }

  /** @param {number} column */
  function play(column) {
    const refusal = game.refusal(column);
    app.showError(refusal);
    if (isOver || refusal || number === 0) return;
    if (column === current().line[0]) finish("Right: ", true);
    else refute(column);
  }

  /**
   * Show the solution.
   *
   * @param {string} words
   */
  function finish(words, isSolved = false) {
    const puzzle = current();
    isOver = true;
    line = puzzle.line;
    tried(isSolved);
    answer.replaceChildren(h("p", { class: isSolved ? "right" : "" }, `${words}${solutionOf(puzzle)}.`),
      ...meanings(puzzle).map((text) => h("p", { class: "small" }, text)),
      h("p", { class: "soft small" }, lineOf(puzzle)));
    draw();
    next.focus();
  }

  /**
   * Show why a move is wrong.
   *
   * @param {number} column
   */
  async function refute(column) {
    tried(false);
    const [puzzle, mine] = [number, ++tries];
    const reply = await solved(game.play(column));
    if (puzzle !== number || mine !== tries || isOver || isAway) return;
    line = [column, ...(reply?.pv ?? [])].slice(0, REFUTATION_GHOSTS);
    answer.replaceChildren(h("p", { class: "wrong" }, `${refutationOf(column, reply)} Try again.`));
    draw();
  }

  /**
   * The solver's answer for a position; null without one.
   *
   * @param {Game} position
   * @returns {Promise<Solution | null>}
   */
  async function solved(position) {
    try {
      return await connection.request({ action: "solve", ...position.query, columns: false, includePv: true,
        maxTime: SOLVER_SECONDS });
    } catch {
      return null;
    }
  }

  /** @param {boolean} isSolved */
  function tried(isSolved) {
    progress = afterTry(progress, number, current(), isSolved);
    saveProgress(progress);
  }

  function choose() {
    progress = { ...progress, theme: /** @type {Theme | ""} */ (theme.value) };
    saveProgress(progress);
  }

  async function analyse() {
    if (await mayReplace(app)) store.load(game);
  }

  return {
    get game() {
      return game;
    },
    unmount() {
      isAway = true;
      explanation.follow(null);
    },
    onColumn: play,
    onKey(key) {
      if (key === "n" && puzzles) go();
      return key === "n" || STEPS.includes(key);
    },
    onState(state) {
      if (!puzzles || number === 0) return;
      if (state.puzzle !== number) begin();
      else draw();
    },
    onConnect() {
      if (!puzzles) load();
    },
  };
}

/**
 * The cell in which a puzzle is won by zugzwang: the last one of its line.
 *
 * @param {Puzzle} puzzle
 * @param {Game} game
 * @returns {Threat | null}
 */
function zugzwangOf({ themes, line }, game) {
  if (!themes.includes("zugzwang")) return null;
  const cell = /** @type {Cell} */ (line.reduce((position, column) => position.play(column), game).last);
  return { player: game.turn, cell, isOdd: themes.includes("odd threat") };
}

/**
 * @param {string} id
 * @param {string} text
 * @param {string} title
 * @param {() => void} onclick
 */
function button(id, text, title, onclick) {
  return h("button", { type: "button", id, title, onclick }, text);
}
