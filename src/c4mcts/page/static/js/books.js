/**
 * Openings: what a player answers to each reply, as a tree that opens reply by reply, and a drill of it. One book is
 * the plan to win, the others are the user's own (repertoire.js).
 *
 * @import { App, MountView } from "./app.js"
 * @import { Boxes } from "./progress.js"
 * @import { Repertoire } from "./repertoire.js"
 * @import { Question, Source } from "./trainer.js"
 */

import { solverOf } from "./combination.js";
import { Latest } from "./connection.js";
import { confirmed } from "./dialogs.js";
import { button, h, setText } from "./dom.js";
import { pause } from "./effects.js";
import { Explanation } from "./explanation.js";
import { menu } from "./fields.js";
import { colour, colourName, messageOf, playerName, whole } from "./format.js";
import { Game } from "./game.js";
import { note } from "./positions.js";
import { planBook } from "./plan.js";
import { afterAnswer, isDue, keyOf, nextIndex } from "./progress.js";
import { addGames, newRepertoire, ownBook, removed, repertoires } from "./repertoire.js";
import { counted, fill, texts } from "./texts.js";
import { Trainer, boxNumbers, notJudged } from "./trainer.js";

const TEXTS = texts.books;

/**
 * What is played after a reply.
 *
 * @typedef {object} Answer
 * @property {number | null} reply null: none, at the start, where the player of the book is to move
 * @property {number | null} move null: nothing yet
 * @property {boolean} isEnd whether the line ends with the move
 * @property {string} short why, in one or two words
 * @property {(before: Game) => Promise<string>} reason why, in a sentence; before: the position after the reply
 */
/**
 * @typedef {object} Book
 * @property {Game} start
 * @property {string} about
 * @property {(position: Game) => Promise<readonly Answer[]>} answersTo each reply, or at the start the first move
 * @property {() => Boxes} boxes of its positions
 * @property {(boxes: Boxes) => void} keep
 * @property {(before: Game, column: number) => void} [set] what is played there
 */

/**
 * The choice of a book.
 *
 * @param {App} app
 * @param {() => void} onChange called when the user has chosen
 */
function bookMenu(app, onChange) {
  const { store } = app;
  const list = repertoires();
  const options = /** @type {[number, string][]} */ ([[0, texts.plan.title],
    ...[1, 2].map((column) => [-column, fill(texts.plan.titleAfter, { column })]),
    ...list.map((each, index) => [index + 1, nameOf(each, store.state.flipped)])]);
  const found = menu(options, store.state.settings.book, (index) => {
    store.set({ book: index });
    onChange();
  }, { id: "book" });
  const element = h("label", { class: "theme-field" }, TEXTS.book, found.element);
  const chosen = () => list[found.value() - 1];
  const open = async () => (chosen() ? ownBook(app, chosen()) : planBook(app, found.value()));
  const recount = () => setText(found.element.selectedOptions[0], nameOf(chosen(), store.state.flipped));
  return { element, chosen, open, recount };
}

/**
 * @param {Repertoire} repertoire
 * @param {boolean} flipped
 */
function nameOf({ start, side, answers }, flipped) {
  const name = fill(TEXTS.own, { name: playerName(side, flipped), count: whole(Object.keys(answers).length) });
  return start ? `${name}: ${start}` : name;
}

/** @type {MountView} */
export function mountBook(app, place) {
  const { store } = app;
  /** @type {Book | null} */
  let book = null;
  const latest = new Latest(); // book, or what is added to it
  let game = new Game(); // on the board
  /** @type {HTMLElement} */
  let branch; // whose position that is
  let isAsked = false; // whether the board asks what is to be played in that position
  const explanation = new Explanation(app);
  const about = h("p", { class: "soft" });
  const tree = h("div", { class: "plan-tree" });
  const wait = h("p", {}, "…");
  const own = h("div", { class: "row" });
  /** @type {ReturnType<typeof bookMenu>} */
  let choice;
  draw();

  /** @param {number} [wanted] the book to be opened */
  function draw(wanted = store.state.settings.book) {
    if (wanted !== store.state.settings.book) store.set({ book: wanted });
    choice = bookMenu(app, open);
    place.replaceChildren(h("h1", {}, TEXTS.title), choice.element, about, own, tree, explanation.element);
    open();
  }

  /** Open the book that is chosen, with what can be done with it. */
  function open() {
    const { chosen } = choice;
    const begins = [0, 1].map((side) => button(fill(TEXTS.new, { name: colourName(side, store.state.flipped) }),
      () => draw(newRepertoire(store.shown, side)), { title: TEXTS.newTitle }));
    const learn = button(TEXTS.addGames, () => latest.ask({ done: addGames(app, chosen()) }, (count) => {
      note(counted(TEXTS.added, count));
      draw();
    }, fail), { title: TEXTS.addGamesTitle });
    const remove = button(TEXTS.remove, async () => {
      if (await confirmed(TEXTS.removeQuestion, TEXTS.remove)) draw(removed(chosen()));
    }, { class: "quiet" });
    own.replaceChildren(...begins, ...(chosen() ? [learn, remove] : []));
    latest.ask({ done: choice.open() }, begin, fail);
  }

  /** @param {string} problem */
  function fail(problem) {
    app.showError(problem);
  }

  /** @param {Book} opened */
  async function begin(opened) {
    book = opened;
    setText(about, book.about);
    tree.replaceChildren(wait);
    show(book.start, tree);
    await grow(tree, game);
    wait.remove();
    if (book === opened) tree.querySelector("summary")?.click();
  }

  /**
   * @param {Game} position
   * @param {HTMLElement} parent of what follows it
   */
  function show(position, parent, isQuestion = false) {
    [game, branch, isAsked] = [position, parent, isQuestion];
    app.drawBoard();
    explanation.follow(game);
    if (isAsked) app.announce(fill(TEXTS.ask, { name: playerName(game.turn, store.state.flipped) }));
  }

  /**
   * Add what the book answers to each reply in a position, or its first move.
   *
   * @param {HTMLElement} parent
   * @param {Game} position
   */
  async function grow(parent, position) {
    const mine = book;
    try {
      const answers = await book?.answersTo(position) ?? [];
      if (mine !== book) return;
      for (const old of parent.querySelectorAll(":scope > details")) old.remove();
      parent.append(...answers.map((answer) => branchOf(position, answer, parent)));
    } catch (error) {
      if (mine === book) parent.append(h("p", { class: "error" }, messageOf(error)));
    }
  }

  /**
   * A reply with the answer of the book. Of the replies in a position, one is open.
   *
   * @param {Game} position before the reply
   * @param {Answer} answer
   * @param {HTMLElement} parent
   */
  function branchOf(position, answer, parent) {
    const { flipped } = store.state;
    const { reply, move, short } = answer;
    const before = reply === null ? position : position.play(reply);
    const words = h("p", { class: "small" });
    const disc = (/** @type {Game} */ { turn }, /** @type {number | null} */ column) => [h("span", { role: "img",
      class: `chip ${colour(turn, flipped)}`, "aria-label": colourName(turn, flipped) }),
    column === null ? "?" : `${column + 1}`];
    const ask = () => show(before, found, true);
    const change = button(TEXTS.change, ask, { class: "quiet", hidden: !book?.set || move === null });
    const open = () => (found.open ? show(position, parent) : move === null ? ask() : show(before.play(move), found));
    const found = h("details", { name: `plan ${position.moves.join("")}`, ontoggle: async () => {
      if (!found.open || words.textContent) return;
      setText(words, "…");
      if (move !== null && !before.play(move).outcome) grow(found, before.play(move));
      setText(words, await answer.reason(before));
    } }, h("summary", { onclick: open },
      ...(reply === null ? [] : [...disc(position, reply), h("span", {}, "→")]),
      ...disc(before, move), h("span", { class: "soft small" }, short)), words, change);
    found.dataset.reply = `${reply}`;
    return found;
  }

  /** @param {number | null} reply whose branch is opened */
  function openReply(reply) {
    const summary = branch.querySelector(`:scope > [data-reply="${reply}"] > summary`);
    if (!(summary instanceof HTMLElement)) return;
    summary.click();
    summary.scrollIntoView({ block: "nearest" });
  }

  return {
    get game() {
      return game;
    },
    unmount() {
      latest.begin();
      book = null;
      explanation.follow(null);
    },
    async onColumn(column) {
      if (!isAsked) return openReply(column);
      if (app.refuses(game, column)) return;
      book?.set?.(game, column);
      choice.recount();
      const [parent, reply] = [/** @type {HTMLElement} */ (branch.parentElement), branch.dataset.reply];
      await grow(parent, reply === "null" ? game : game.after(game.moves.length - 1));
      branch = parent;
      openReply(reply === "null" ? null : Number(reply));
    },
    onState(state, before) {
      if (state.flipped !== before.flipped) draw();
      else explanation.follow(game);
    },
    onConnect() {
      if (!tree.querySelector("details") || tree.querySelector(".error")) draw();
    },
  };
}

/**
 * A drill: the user finds the moves of a book along a line of replies, first those that are due. Moves that are known
 * are played by themselves.
 *
 * @type {MountView}
 */
export function mountDrill(app, place) {
  const choice = bookMenu(app, () => trainer.begin());
  const trainer = new Trainer(app, place, new Drill(app, choice));
  return trainer;
}

/** @implements {Source} */
class Drill {
  title = TEXTS.drill;
  next = TEXTS.next;

  /** @type {Book | null} */
  book = null;

  #key = ""; // of the position that is asked; "-": none

  /**
   * @param {App} app
   * @param {ReturnType<typeof bookMenu>} choice of the book
   */
  constructor(app, choice) {
    this.app = app;
    this.choice = choice;
    this.solve = solverOf(app.connection);
    this.controls = [choice.element];
  }

  get end() {
    return this.#key ? TEXTS.lineIsOver : TEXTS.nothing;
  }

  /** @type {Source["ask"]} the first move of a line that is due */
  async ask(_, isStale) {
    const book = await this.choice.open();
    if (isStale()) return null;
    this.#key = "";
    this.book = book;
    return this.#due(await this.#answer(book, book.start));
  }

  /**
   * @typedef {{ book: Book, before: Game, answer: Answer & { move: number } }} Asked before: the position of the user
   * @param {Asked | null} asked null: the line is over
   * @returns {Promise<Question | null>}
   */
  async #due(asked) {
    while (asked && !isDue(asked.book.boxes(), keyOf(asked.before), Date.now())) {
      const following = await this.#after(asked);
      if (!following) break; // the line is known: its last move is asked
      asked = following;
    }
    return asked && this.#question(asked);
  }

  /** @param {Asked} asked */
  async #after({ book, before, answer }) {
    const later = before.play(answer.move);
    return later.outcome || answer.isEnd ? null : this.#answer(book, later);
  }

  /**
   * One of the answers in a position, after the reply that leads to what is due.
   *
   * @param {Book} book
   * @param {Game} position
   * @returns {Promise<Asked | null>}
   */
  async #answer(book, position) {
    const answers = (await book.answersTo(position)).flatMap(({ move, ...rest }) =>
      (move === null ? [] : [{ ...rest, move }]));
    const positions = answers.map(({ reply }) => (reply === null ? position : position.play(reply)));
    const index = nextIndex(book.boxes(), positions.map(keyOf), Date.now());
    return answers.length ? { book, before: positions[index], answer: answers[index] } : null;
  }

  /**
   * @param {Asked} asked
   * @returns {Question}
   */
  #question(asked) {
    const { book, before, answer } = asked;
    this.#key = keyOf(before);
    const why = answer.reason(before);
    return {
      position: before, goesOn: true,
      title: () => {
        const { flipped } = this.app.store.state;
        const [name, other] = [colourName(before.turn, flipped), playerName(1 - before.turn, flipped)];
        return answer.reply === null ? fill(TEXTS.first, { name })
          : fill(TEXTS.question, { name, other, column: answer.reply + 1 });
      },
      judge: async (column) => {
        const position = before.play(column);
        if (column !== answer.move && !position.outcome) {
          const found = await this.solve(position);
          if (!found || found.score === null) return notJudged(column);
          return found.score < 0 ? { kind: "again", words: [fill(TEXTS.winsToo, { column: column + 1 })] }
            : { kind: "wrong" };
        }
        const next = async () => {
          await pause();
          return this.#due(await this.#after({ book, before, answer: { ...answer, move: column } }));
        };
        return { kind: "right", words: [fill(TEXTS.right, { why: await why }).trim()], position, next };
      },
      solution: async () => [fill(TEXTS.solution, { column: answer.move + 1, why: await why }).trim()],
      looks: [{ name: "", position: before, line: [answer.move] }],
    };
  }

  /** @param {boolean} isRight */
  tried(isRight) {
    this.book?.keep(afterAnswer(this.book.boxes(), this.#key, isRight, Date.now()));
  }

  numbers() {
    const boxes = this.book?.boxes() ?? {};
    return boxNumbers(boxes, Object.keys(boxes));
  }
}
