/**
 * The exam: in each of its positions one move is to be found, and a certificate says how many were, by theme. It is
 * that of `c4mcts exam`: the same positions, each answer graded as a move in a review.
 *
 * @import { MountView } from "./app.js"
 * @import { ExamQuestion, ReviewedMove } from "protocol"
 */

import { Latest } from "./connection.js";
import { button, h, headRow, setText, table } from "./dom.js";
import { percent, playerName, whole } from "./format.js";
import { Game } from "./game.js";
import { loadProgress, saveProgress } from "./progress.js";
import { isTurn } from "./review-words.js";
import { counted, fill, texts } from "./texts.js";

const TEXTS = texts.exam;
const KINDS = { ...texts.reviewWords.faults, ...TEXTS.oversights };
const STRIDE = 21; // from one question to the next: they are sorted by theme, and this takes the themes in turn
const Z = 1.959964; // of an interval of 95 %

/** @type {MountView} */
export function mountExam(app, place) {
  const { store, connection } = app;
  const latest = new Latest(); // request
  /** @type {readonly ExamQuestion[]} */
  let questions = [];
  let errors = loadProgress().progress.exam; // by question, in the order in which they are asked; "" for a right answer
  let asked = new Game(); // the position of the question
  let game = asked; // on the board
  const title = h("h1", {}, TEXTS.title);
  const text = h("div", { class: "certificate puzzle" }, h("p", { class: "soft" }, "…"));
  const result = button(TEXTS.certificate, showCertificate, { id: "certificate" });
  const next = button(TEXTS.next, ask, { id: "next" });
  const again = button(TEXTS.again, () => keep([]), { id: "again" });
  place.append(h("div", { class: "puzzle" }, title, text, h("div", { class: "row" }, next, result, again)));
  load();

  function load() {
    next.hidden = result.hidden = again.hidden = true;
    latest.ask(connection.stream({ action: "exam" }), ({ questions: found }) => {
      questions = found;
      ask();
    }, (problem) => setText(text, problem));
  }

  /** @param {readonly string[]} found */
  function keep(found) {
    errors = found;
    saveProgress({ exam: errors });
    ask();
  }

  function ask() {
    const count = questions.length;
    if (errors.length === count) return showCertificate();
    show(asked = new Game(undefined, questionOf(questions, errors.length).moves));
    setText(title, fill(TEXTS.question, { number: errors.length + 1, count,
      name: playerName(game.turn, store.state.flipped) }));
    text.replaceChildren(h("p", { class: "soft" }, TEXTS.about));
    next.hidden = again.hidden = true;
    result.hidden = errors.length === 0;
    app.announce(title.textContent ?? "");
  }

  /** @param {Game} position */
  function show(position) {
    game = position;
    app.drawBoard();
  }

  /** @param {number} column */
  function choose(column) {
    if (game !== asked || !again.hidden || !questions.length || app.refuses(game, column)) return;
    show(asked.play(column));
    const query = { ...game.query, opening: asked.moves.length };
    latest.ask(connection.stream({ action: "review", ...query }),
      ({ review }) => keep([...errors, errorOf(review.moves[0])]),
      (problem) => {
        show(asked);
        app.showError(problem);
      });
  }

  function showCertificate() {
    latest.begin();
    show(asked);
    setText(title, TEXTS.certificate);
    text.replaceChildren(...certificate(questions, errors));
    next.hidden = errors.length === questions.length;
    result.hidden = true;
    again.hidden = false;
  }

  return {
    get game() {
      return game;
    },
    unmount: () => void latest.begin(),
    onColumn: choose,
    onState(state, before) {
      if (state.flipped !== before.flipped && questions.length && again.hidden) ask();
    },
    onConnect() {
      if (!questions.length) load();
    },
  };
}

/**
 * @param {readonly ExamQuestion[]} questions
 * @param {number} number from 0
 */
function questionOf(questions, number) {
  return questions[(number * STRIDE) % questions.length];
}

/** @param {ReviewedMove} move its kind of error; "" if it is right */
export function errorOf(move) {
  return isTurn(move) ? move.oversight ?? move.kind : "";
}

/**
 * For each theme, and for all together: right answers, answers, and the 95 % interval of the share, as of
 * c4mcts.play.ratings.wilson.
 *
 * @param {readonly ExamQuestion[]} questions
 * @param {readonly string[]} errors
 */
export function rowsOf(questions, errors) {
  const names = /** @type {(keyof typeof TEXTS.themes)[]} */ (Object.keys(TEXTS.themes));
  return names.flatMap((theme) => {
    const some = errors.filter((_, number) => theme === "all" || questionOf(questions, number).theme === theme);
    const [right, n] = [some.filter((error) => error === "").length, some.length];
    if (n === 0) return [];
    const [share, scale] = [right / n, 1 + Z ** 2 / n];
    const middle = (share + Z ** 2 / (2 * n)) / scale;
    const half = (Z / scale) * Math.sqrt((share * (1 - share)) / n + (Z / (2 * n)) ** 2);
    return [{ theme, right, n, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }];
  });
}

/**
 * @param {readonly ExamQuestion[]} questions
 * @param {readonly string[]} errors
 */
function certificate(questions, errors) {
  const rows = rowsOf(questions, errors).map(({ theme, right, n, low, high }) => h("tr", {},
    h("th", { scope: "row" }, TEXTS.themes[theme]),
    h("td", {}, fill(texts.puzzles.solvedOf, { solved: whole(right), count: whole(n) })),
    h("td", {}, `${Math.round(100 * low)}–${percent(high)}`)));
  const kinds = /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS));
  const found = kinds.flatMap((kind) => {
    const count = errors.filter((error) => error === kind).length;
    return count ? [counted(KINDS[kind], count)] : [];
  });
  return [table(TEXTS.certificate, headRow([TEXTS.theme, TEXTS.right, TEXTS.interval], "left"), h("tbody", {}, ...rows),
    { class: "table" }), h("p", {}, found.join(", ") || texts.reviewWords.noMistakes)];
}
