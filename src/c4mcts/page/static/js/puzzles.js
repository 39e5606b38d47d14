/**
 * Puzzles: positions with exactly one right move, which the solver has checked, chosen by the user's rating. Short wins
 * are played to their end.
 *
 * The game of the other modes stays as it is: the position of a puzzle is not part of it.
 *
 * @import { Mount, MountView } from "./app.js"
 * @import { Puzzle } from "./protocol.js"
 */

import { mountViews } from "./app.js";
import { Combination, isCombination, solverOf } from "./combination.js";
import { mayReplace } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { pause } from "./effects.js";
import { Explanation } from "./explanation.js";
import { messageOf } from "./format.js";
import { Game as Position } from "./game.js";
import { ghostsOf } from "./moves.js";
import { mountDrill, mountPlan } from "./plan.js";
import { note } from "./positions.js";
import { PuzzlePanel, refutationOf, taskOf, zugzwangOf } from "./puzzle-panel.js";
import { afterTry, loadProgress, nextPuzzle, saveProgress } from "./progress.js";
import { fill, texts } from "./texts.js";

const [LINE_GHOSTS, REFUTATION_GHOSTS] = [9, 4];
const TEXTS = texts.puzzles;

/** @type {readonly Puzzle[] | null} */
let puzzles = null; // the server's, once they are here

/** @type {Mount} */
export function mount(app) {
  return mountViews(app, "puzzles", TEXTS.label,
    [["tasks", TEXTS.title, mountPuzzles], ["plan", texts.plan.title, mountPlan],
      ["drill", texts.plan.drill, mountDrill]], (state, before) => state.puzzle !== before.puzzle);
}

/** @type {MountView} */
function mountPuzzles(app, place) {
  const { store, board, connection } = app;
  const solve = solverOf(connection);
  const stored = loadProgress();
  let { progress } = stored;
  /** @type {Combination | null} */
  let combination = null; // the moves of the current puzzle; null before the first
  let game = new Position(); // the one on the board
  let number = 0; // of the puzzle
  let isOver = false; // whether the solution has been found or shown
  let isAway = false; // whether the mode has been left
  let tries = 0; // at this puzzle
  let line = /** @type {readonly number[]} */ ([]); // on the board

  const explanation = new Explanation(app);
  const panel = new PuzzlePanel(explanation.element, progress.theme, {
    onShow: () => (isOver ? showLine() : finish(TEXTS.solution, false)),
    onNext: () => {
      note("");
      go();
    },
    onAnalyse: analyse,
    onTheme: (theme) => saveProgress(progress = { ...progress, theme }),
  });
  if (stored.problem) note(stored.problem);
  load();

  async function load() {
    if (!puzzles) {
      const about = h("p", { class: "soft" }, TEXTS.loading);
      place.replaceChildren(h("h1", {}, TEXTS.title), about);
      try {
        ({ puzzles } = await connection.request({ action: "puzzles" }));
      } catch (error) {
        return setText(about, messageOf(error));
      }
      if (isAway || combination) return; // or the answer to an earlier question has begun one
    }
    place.replaceChildren(panel.element);
    begin();
  }

  /** Show the puzzle of the state. */
  function begin() {
    if (!puzzles) return;
    if (store.state.puzzle === 0) return go();
    const puzzle = puzzles[store.state.puzzle - 1];
    if (puzzle === undefined) {
      note(fill(TEXTS.noPuzzle, { puzzle: store.state.puzzle, count: puzzles.length }));
      return go();
    }
    number = store.state.puzzle;
    combination = new Combination(puzzle, new Position(undefined, puzzle.moves), solve);
    isOver = false;
    tries = 0;
    panel.say("");
    show(combination.start, []);
    app.announce(fill(TEXTS.task, { task: panel.title.textContent ?? "" }));
  }

  /** Go to another puzzle. */
  function go() {
    if (puzzles) store.update({ puzzle: nextPuzzle(progress, puzzles, number) });
    if (number !== store.state.puzzle) begin(); // before the mode is told of changes
  }

  /**
   * @param {Position} position on the board
   * @param {readonly number[]} moves shown as a line
   */
  function show(position, moves) {
    game = position;
    line = moves;
    app.drawBoard();
    draw();
  }

  function draw() {
    if (!combination) return;
    const { puzzle, start, played } = combination;
    const isLine = isOver && game === start;
    const left = puzzle.depth - (isOver ? 0 : played);
    const task = taskOf({ ...puzzle, depth: left }, start, store.state.flipped);
    const cost = progress.rating - afterTry(progress, number, puzzle, false).rating;
    panel.draw(task, puzzle, number, { isBegun: played > 0, isOver, isLine, cost });
    panel.drawProgress(progress, puzzles?.length ?? 0);
    board.setGhosts(ghostsOf(game, line, LINE_GHOSTS));
    explanation.element.hidden = !isLine;
    explanation.follow(isLine ? start : null, isLine ? zugzwangOf(puzzle, start) : null);
  }

  /** @param {number} column */
  async function play(column) {
    const mine = combination;
    if (!mine || isOver || app.refuses(game, column)) return;
    const position = game;
    const judgement = await mine.judge(column);
    if (judgement === null || isPast(mine) || position !== game) return;
    if (judgement === "wrong") return refute(mine, column);
    if (judgement === "slower") return panel.say(fill(TEXTS.slower, { column: column + 1 }));
    if (mine.played === 0) tried(true);
    if (!isCombination(mine.puzzle)) return finish(TEXTS.right, true);
    mine.play(column);
    show(mine.position, []);
    if (game.outcome) finish(TEXTS.right, true);
    else reply(mine);
  }

  /** @param {Combination} mine */
  function isPast(mine) {
    return mine !== combination || isOver || isAway;
  }

  /** @param {Combination} mine */
  async function reply(mine) {
    panel.say(TEXTS.rightSoFar, "right");
    const column = await mine.answer(pause());
    if (isPast(mine)) return;
    if (column === null) return finish(TEXTS.right, true); // no connection
    show(mine.position, []);
    panel.say(fill(TEXTS.defence, { column: column + 1 }), "right");
  }

  /**
   * @param {string} words
   * @param {boolean} isSolved
   */
  function finish(words, isSolved) {
    isOver = true;
    tried(isSolved);
    if (combination) panel.saySolution(words, combination.puzzle, isSolved);
    if (game.outcome) draw();
    else showLine();
    panel.next.focus();
  }

  /** Show the puzzle's position, with the line of best play. */
  function showLine() {
    if (combination) show(combination.start, combination.puzzle.line);
  }

  /**
   * @param {Combination} mine
   * @param {number} column
   */
  async function refute(mine, column) {
    tried(false);
    const [position, now] = [game, ++tries];
    const found = await solve(position.play(column));
    if (isPast(mine) || now !== tries || position !== game) return;
    show(game, [column, ...(found?.pv ?? [])].slice(0, REFUTATION_GHOSTS));
    panel.say(fill(TEXTS.wrong, { refutation: refutationOf(column, found) }), "wrong");
  }

  /** @param {boolean} isSolved */
  function tried(isSolved) {
    if (combination) progress = afterTry(progress, number, combination.puzzle, isSolved);
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
      return key === "n";
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
