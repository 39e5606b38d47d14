/**
 * The user's mistakes: those in a reviewed game; those in all games against the computer, with spaced repetition; and
 * where they come from.
 *
 * @import { App, MountView } from "./app.js"
 * @import { Game } from "./game.js"
 * @import { Mistake, OwnGame } from "./own-games.js"
 * @import { ReviewedMove } from "protocol"
 * @import { Question, Source } from "./trainer.js"
 */

import { solverOf } from "./combination.js";
import { Latest } from "./connection.js";
import { button, h, setStyle, setText } from "./dom.js";
import { colourName, columns, decimal, playerName, sentence, whole } from "./format.js";
import { ghostsOf } from "./moves.js";
import { writeText } from "./notation.js";
import { mistakesIn, ownGames } from "./own-games.js";
import { note } from "./positions.js";
import { afterAnswer, isDue, loadProgress, saveProgress } from "./progress.js";
import { levelName } from "./seats.js";
import { dateOf } from "./storage.js";
import { counted, fill, texts } from "./texts.js";
import { Trainer, boxNumbers, notJudged } from "./trainer.js";
import { proofOf } from "./verdict.js";

const TEXTS = texts.mistakes;
const INSIGHTS = texts.insights;
const USUAL = { best: TEXTS.isBest };
const WORDS = { // by the exact result before the mistake
  unknown: { ...USUAL, question: TEXTS.whatIsBetter, does: TEXTS.isBetter },
  win: { question: TEXTS.howToWin, does: TEXTS.wins, best: TEXTS.isFastest },
  draw: { ...USUAL, question: TEXTS.howToHold, does: TEXTS.holdsTheDraw },
  loss: { ...USUAL, question: TEXTS.howToLast, does: TEXTS.lastsLongest },
};
const PHASE = 8; // plies in a row of the insights
const VIEW = 4; // of the mistakes, in puzzles.js

/** @typedef {Pick<Question, "title" | "about" | "ghosts"> & { after?: string }} Look after: said with the answer */

/**
 * @param {App} app
 * @param {Game} game in which it was made
 * @param {ReviewedMove} move
 * @param {Look} look
 * @returns {Question}
 */
function questionOf({ connection }, game, move, { after, ...look }) {
  const ply = plyOf(game, move);
  const position = game.after(ply);
  const solve = solverOf(connection);
  const { does, best } = wordsOf(move);
  const isKept = move.keeping.includes(move.column); // the result, by an oversight, too: then only the best is right
  const said = (/** @type {string} */ words) => [words, ...(after ? [after] : [])];
  return {
    position, ...look,
    judge: async (column) => {
      const right = fill(TEXTS.right, { column: column + 1, does });
      if (move.best.includes(column)) return { kind: "right", words: said(right) };
      if (!isKept && move.keeping.includes(column)) {
        const why = fill(best, { columns: columns(move.best) });
        return { kind: "right", words: said(fill(TEXTS.rightAsWell, { column: column + 1, does, best: why })) };
      }
      if (!isKept) return { kind: "wrong" };
      const reply = await solve(position.play(column));
      if (!reply || reply.score === null) return notJudged(column);
      return reply.score < 0 ? { kind: "again", words: [fill(texts.puzzles.slower, { column: column + 1 })] }
        : { kind: "wrong" };
    },
    solution: async () => said(fill(TEXTS.solution, { columns: columns(move.best), does })),
    looks: [{ name: TEXTS.betterLine, position, line: move.line },
      { name: texts.review.refutation, position: game.after(ply + 1), line: move.refutation }],
  };
}

/**
 * @param {Game} game
 * @param {ReviewedMove} move
 */
function plyOf(game, { ply }) {
  return ply - game.after(0).discs;
}

/** @param {ReviewedMove} move */
function wordsOf({ score_before: score }) {
  return WORDS[score === null ? "unknown" : proofOf(score)];
}

/** @param {ReviewedMove} move */
function kindOf({ kind }) {
  return texts.reviewWords.kindsWithArticle[/** @type {"mistake" | "missed win" | "blunder"} */ (kind)];
}

/**
 * A lesson of some mistakes in a reviewed game.
 *
 * @param {App} app
 * @param {Game} game
 * @param {readonly ReviewedMove[]} moves the mistakes, in the order in which they are asked
 * @param {() => void} onEnd
 */
export function lessonOf(app, game, moves, onEnd) {
  let at = 0; // mistakes that were asked
  let ply = -1; // before the last of them
  let found = 0; // mistakes whose better move was found at once
  /** @type {Source} */
  const source = {
    title: TEXTS.better, next: TEXTS.next,
    ask: async () => {
      if (at === moves.length) {
        onEnd();
        if (at > 1) note(fill(TEXTS.summary, { found, count: counted(texts.counts.mistakes, at) }));
        return null;
      }
      const move = moves[at++];
      const number = at;
      ply = plyOf(game, move);
      app.store.go(ply);
      const name = () => colourName(move.player, app.store.state.flipped);
      return questionOf(app, game, move, {
        title: () => (moves.length > 1 ? fill(TEXTS.betterOf, { at: number, length: moves.length }) : TEXTS.better),
        about: () => {
          const [column, kind] = [move.column + 1, kindOf(move)];
          const played = fill(TEXTS.played, { ply: ply + 1, name: name(), column, kind });
          const asked = fill(wordsOf(move).question, { name: move.score_before === 0 ? sentence(name()) : name() });
          return `${played} ${asked}`;
        },
        ghosts: ghostsOf(game.after(ply), [move.column], 1).map((ghost) => ({ ...ghost, text: "?" })),
      });
    },
    tried: (isRight) => void (found += Number(isRight)),
    numbers: () => [],
    onState: (state) => {
      if (state.ply !== ply) onEnd(); // the user looks elsewhere
    },
    controls: [button(TEXTS.back, onEnd)],
  };
  return new Trainer(app, app.panel, source);
}

/** @type {Mistake[] | null} */
let chosen = null; // in the insights, to be asked next

/** @type {MountView} */
export function mountMistakes(app, place) {
  const all = chosen;
  chosen = null;
  return new Trainer(app, place, new Mistakes(app, all));
}

/** @implements {Source} */
class Mistakes {
  title = TEXTS.title;
  next = TEXTS.next;

  /** @type {Mistake[] | null} */
  #all; // null: not found yet

  #key = ""; // of the position that is asked

  /**
   * @param {App} app
   * @param {Mistake[] | null} all that are asked, due or not; null: those of all games, when they are due
   */
  constructor(app, all) {
    this.app = app;
    this.#all = all;
    this.isChosen = all !== null;
  }

  get end() {
    return this.#all?.length ? TEXTS.allKnown : TEXTS.nothing;
  }

  /** @type {Source["ask"]} */
  async ask(_, isStale) {
    const { connection } = this.app;
    const progress = (/** @type {number} */ reviewed, /** @type {number} */ count) =>
      note(fill(INSIGHTS.reviewing, { reviewed, count }));
    this.#all ??= await mistakesIn(connection, await ownGames(connection), progress, isStale);
    note("");
    const { mistakes } = loadProgress().progress;
    const found = this.#all.filter((each) => keyOf(each) !== this.#key || this.#all?.length === 1)
      .find((each) => (this.isChosen ? this.#all && !this.#asked.has(each) : isDue(mistakes, keyOf(each), Date.now())));
    if (!found) return null;
    this.#asked.add(found);
    this.#key = keyOf(found);
    const { own: { game, level, id }, move } = found;
    const { flipped } = this.app.store.state;
    return questionOf(this.app, game, move, {
      title: () => fill(TEXTS.task, { name: playerName(move.player, this.app.store.state.flipped) }),
      about: (isOver) => (isOver ? "" : TEXTS.aboutTask),
      after: fill(TEXTS.was, { date: dateOf(id), level, name: colourName(move.player, flipped), column: move.column + 1,
        kind: kindOf(move) }),
    });
  }

  /** @type {Set<Mistake>} */
  #asked = new Set();

  /** @param {boolean} isRight */
  tried(isRight) {
    const { mistakes } = loadProgress().progress;
    saveProgress({ mistakes: afterAnswer(mistakes, this.#key, isRight, Date.now()) });
  }

  numbers() {
    return boxNumbers(loadProgress().progress.mistakes, [...new Set(this.#all?.map(keyOf) ?? [])]);
  }
}

/** @param {Mistake} mistake as the position in which it was made */
function keyOf({ own, move }) {
  return writeText(own.game.after(plyOf(own.game, move)));
}

/**
 * Where the user's points come from: results by level, colour and opening, and mistakes by kind and by the stage of the
 * game. A click on a bar asks the mistakes behind it.
 *
 * @type {MountView}
 */
export function mountInsights(app, place) {
  const latest = new Latest();
  const text = h("p", { class: "soft" });
  const groups = h("div", { class: "insights" });
  place.append(h("h1", {}, INSIGHTS.title), text, groups);
  load();

  function load() {
    latest.ask(async (isStale) => {
      const games = await ownGames(app.connection);
      return { games, mistakes: await mistakesIn(app.connection, games, (reviewed, count) =>
        setText(text, fill(INSIGHTS.reviewing, { reviewed, count })), isStale) };
    }, ({ games, mistakes }) => {
      const over = games.filter(({ points }) => points !== null);
      setText(text, over.length ? counted(INSIGHTS.about, over.length, { mistakes: whole(mistakes.length) })
        : TEXTS.nothing);
      groups.replaceChildren(
        ...group(INSIGHTS.byLevel, over, mistakes, ({ level }) => `${level}  ${levelName(level)}`),
        ...group(INSIGHTS.byColour, over, mistakes, ({ side }) => playerName(side, app.store.state.flipped)),
        ...group(INSIGHTS.byOpening, over, mistakes, ({ game }) => writeText(game.after(2))),
        ...group(INSIGHTS.byKind, [], mistakes, (_, move) => sentence(texts.reviewWords.kinds[move?.kind ?? "best"])),
        ...group(INSIGHTS.byPly, [], mistakes, (_, move) => stageOf((move?.ply ?? 0) + 1)));
    }, (problem) => setText(text, problem));
  }

  /**
   * The bars of a group: the share of the points, or else the number of mistakes.
   *
   * @param {string} title
   * @param {readonly OwnGame[]} games none: bars of mistakes
   * @param {readonly Mistake[]} mistakes
   * @param {(own: OwnGame, move: ReviewedMove | null) => string} nameOf
   */
  function group(title, games, mistakes, nameOf) {
    const named = mistakes.map(({ own, move }) => nameOf(own, move));
    const names = [...new Set(games.length ? games.map((own) => nameOf(own, null)) : named)].toSorted((one, other) =>
      one.localeCompare(other, texts.language, { numeric: true }));
    const most = Math.max(...names.map((name) => named.filter((each) => each === name).length));
    return names.length ? [h("h2", {}, title), h("div", { role: "list" }, ...names.map((name) => {
      const mine = mistakes.filter((_, index) => named[index] === name);
      const own = games.filter((each) => nameOf(each, null) === name);
      const points = own.reduce((sum, each) => sum + (each.points ?? 0), 0);
      const bar = h("span", { class: "accuracy" });
      setStyle(bar, "--part", games.length ? points / own.length : mine.length / most);
      const count = counted(texts.counts.mistakes, mine.length);
      const words = games.length ? `${fill(INSIGHTS.points, { points: decimal(points, points % 1 ? 1 : 0),
        count: whole(own.length) })}, ${count}` : count;
      return h("div", { class: "insight", role: "listitem" }, button(name, () => ask(mine),
        { disabled: mine.length === 0, title: INSIGHTS.ask }), bar, h("span", { class: "soft small" }, words));
    }))] : [];
  }

  /** @param {Mistake[]} mistakes */
  function ask(mistakes) {
    chosen = mistakes;
    app.store.update({ view: VIEW });
  }

  return { unmount: () => void latest.begin(), onState() {}, onConnect: load };
}

/** @param {number} ply as the stage of the game that it belongs to, "1–8" */
function stageOf(ply) {
  const first = Math.floor((ply - 1) / PHASE) * PHASE + 1;
  return `${first}–${first + PHASE - 1}`;
}
