/**
 * Analyse: a search that grows as you watch.
 *
 * @import { Mount } from "./app.js"
 * @import { Game } from "./game.js"
 * @import { Point } from "./graph.js"
 * @import { KnownMove } from "./moves.js"
 * @import { Analysis, RootInfo } from "protocol"
 */

import { button, h, headRow, problemLine, setStyle, setText, showText, table } from "./dom.js";
import { Explanation } from "./explanation.js";
import { Controls } from "./fields.js";
import { columns, percent, short, value } from "./format.js";
import { Graph, scoreHeight } from "./graph.js";
import { Headline, headline } from "./headline.js";
import { Line } from "./line.js";
import { barsOf, ghostsOf, knownMoves } from "./moves.js";
import { Openings } from "./openings.js";
import { Course, LiveSearch } from "./search.js";
import { concernSearches } from "./settings.js";
import { isOtherPosition } from "./store.js";
import { counted, fill, texts } from "./texts.js";
import { TreeExplorer } from "./tree-explorer.js";
import { proven } from "./verdict.js";

const TEXTS = texts.analyse;
const WITHOUT = texts.without;
const NUMBERS_EVERY = 250; // milliseconds: numbers that change faster can't be read
const LINE_GHOSTS = 6; // discs of a line on the board
const ROWS = 9; // of the table of moves

/** @type {Mount} */
export function mount(app) {
  const { store, board } = app;
  /** @type {readonly number[] | null} */
  let line = null; // the one under the pointer
  let shownAt = 0;
  let wasRunning = false;

  const search = new LiveSearch(app, onChange);
  const verdict = new Headline();
  const movesTable = new MovesTable({ onLine: showMove, onOpen: openLine, onPlay: (column) => app.play(column) });
  /** @type {{ column: number, line: Line } | null} */
  let opened = null; // the move whose whole line is below the table
  const wholeLine = h("div", { class: "whole-line" });
  const numbers = h("p", { class: "numbers soft small" });
  const legend = h("p", { class: "legend soft small", "aria-hidden": "true" },
    TEXTS.legend, h("i", { class: "visits" }), TEXTS.legendVisits);
  const problem = problemLine();
  const controls = new Controls(app, search);
  const explanation = new Explanation(app);
  const without = new Without(search);
  const openings = new Openings(app, showLine);
  const tree = new TreeExplorer(app, showLine);
  const treeBox = h("details", { id: "tree", ontoggle: followTree }, h("summary", {}, TEXTS.tree), tree.element);
  const graph = new Graph((ply) => store.go(ply));
  const course = new Course(app, showGraph);
  app.panel.append(verdict.element, movesTable.element, wholeLine, h("div", {}, numbers, legend), problem,
    controls.element, explanation.element, without.element, openings.element, treeBox);
  app.graph.append(graph.svg);
  search.follow(store.shown);
  openings.follow(store.shown);
  course.fill(store.state.game);

  function onChange() {
    board.setBars(barsOf(moves(), search.game.rules.width));
    if (line === null) showGhosts();
    const isEnd = !search.isRunning;
    if (isEnd || search.reply === null || performance.now() - shownAt > NUMBERS_EVERY) showNumbers();
    if (isEnd && wasRunning && search.reply) announce(search.reply);
    wasRunning = search.isRunning;
    followTree();
  }

  function followTree() {
    if (treeBox.open && search.reply) tree.update(!search.isRunning);
  }

  function moves() {
    const { game, reply, solution } = search;
    return knownMoves(game, reply, solution, (column) => search.lineOf(column), search.columns);
  }

  function showNumbers() {
    shownAt = search.reply ? performance.now() : 0;
    const { reply, solution, game, isRunning, error } = search;
    const root = reply?.rootInfo ?? null;
    verdict.show(game, store.state.flipped, reply, solution);
    movesTable.show(moves(), game.rules.width);
    setText(numbers, root ? facts(root) : game.outcome ? "" : isRunning ? "…" : TEXTS.searchIsOff);
    showText(problem, error);
    controls.show();
    without.show();
    explanation.follow(store.shown, solution?.zugzwang ?? null);
    showGraph();
  }

  function showGraph() {
    const { game, ply, flipped } = store.state;
    app.graph.hidden = game.moves.length < 2;
    const points = Array.from({ length: game.moves.length + 1 }, (_, count) => point(game.after(count), flipped));
    graph.show(points, ply, fill(TEXTS.course, { ply, count: game.moves.length }));
  }

  /**
   * @param {Game} game
   * @param {boolean} flipped
   * @returns {Point | null}
   */
  function point(game, flipped) {
    const { root, score } = store.knowledge(game);
    const sign = game.turn === (flipped ? 1 : 0) ? 1 : -1;
    if (game.outcome) return { height: game.outcome.winner === null ? 0 : -sign };
    if (score !== undefined) return { height: sign * scoreHeight(score, (game.rules.width * game.rules.height) / 2) };
    if (root === undefined || root.winrate === null) return null;
    return { height: sign * (2 * root.winrate - 1), isEstimate: true };
  }

  /** @param {readonly number[] | null} found */
  function showLine(found) {
    line = found;
    showGhosts();
  }

  /**
   * Show the line of a move, and once it is found, the line of best play to the end.
   *
   * @param {KnownMove | null | undefined} move
   */
  async function showMove(move) {
    showLine(move?.pv ?? null);
    if (!move?.isCut || !await search.findLine(move.column) || line !== move.pv) return;
    showLine(search.lineOf(move.column));
    showNumbers();
  }

  /**
   * Show the whole line of a move below the table, as it is now or to the end of the game; the second time, hide it.
   *
   * @param {KnownMove | null} move
   */
  async function openLine(move) {
    const game = store.shown;
    const isOpen = move === null || (move.column === opened?.column && opened.line.before === game.moves.length);
    wholeLine.replaceChildren();
    opened = null;
    if (isOpen) return;
    const mine = draw(game, move.column, move.pv);
    const isFound = move.isCut && await search.findLine(move.column);
    if (isFound && opened === mine) draw(game, move.column, search.lineOf(move.column) ?? move.pv);
  }

  /**
   * @param {Game} game
   * @param {number} column
   * @param {readonly number[]} moves
   */
  function draw(game, column, moves) {
    opened = { column, line: new Line(app, game, moves) };
    wholeLine.replaceChildren(opened.line.element);
    opened.line.show();
    return opened;
  }

  function showGhosts() {
    const best = moves()[0]?.pv ?? [];
    board.setGhosts(ghostsOf(store.shown, line ?? best, LINE_GHOSTS));
  }

  /** @param {Analysis} reply */
  function announce({ rootInfo }) {
    const verdict = headline(search.game, store.state.flipped, rootInfo, search.solution);
    app.announce(fill(TEXTS.announcement, { verdict, column: moves()[0].column + 1 }));
  }

  return {
    unmount() {
      search.close();
      tree.close();
      openings.close();
      course.stop();
      explanation.follow(null);
    },
    onHover(column) {
      showMove(moves().find((move) => move.column === column));
    },
    onKey(key) {
      if (key === " ") controls.toggle();
      return key === " " || opened?.line.onKey(key) === true;
    },
    onState(state, before) {
      line = null;
      if (isOtherPosition(state, before)) {
        if (!opened?.line.show()) openLine(null);
        tree.follow();
        openings.follow(store.shown);
        search.follow(store.shown);
      } else if (concernSearches(state.settings, before.settings)) search.start();
      else showNumbers();
      if (state.game !== before.game) course.fill(state.game);
      showGhosts();
    },
    onConnect() {
      search.start();
      openings.restart();
      course.fill(store.state.game);
    },
  };
}

/** @param {RootInfo} root */
function facts({ simulations, seconds, visits, nodes, bytes }) {
  const rate = simulations > 0 && seconds > 0 ? [`${short(simulations / seconds)}/s`] : []; // none for a kept result
  return [counted(texts.counts.simulations, visits), ...rate, fill(TEXTS.nodes, { nodes: short(nodes) }),
    fill(TEXTS.megabytes, { megabytes: Math.round(bytes / 1e6) })].join("  ·  ");
}

class MovesTable {
  /** @type {KnownMove[]} */
  #moves = []; // the one of each row

  #body = h("tbody", {});
  #onLine;
  #onOpen;
  #onPlay;

  /**
   * @param {object} listeners
   * @param {(move: KnownMove | null) => void} listeners.onLine called with the move of the row that the pointer is on,
   *   that was tapped or has the focus, or null
   * @param {(move: KnownMove) => void} listeners.onOpen called with the move of a row that was clicked
   * @param {(column: number) => void} listeners.onPlay called with the column of the row that was chosen
   */
  constructor({ onLine, onOpen, onPlay }) {
    this.#onLine = onLine;
    this.#onOpen = onOpen;
    this.#onPlay = onPlay;
    const head = headRow([TEXTS.move, TEXTS.result, TEXTS.search, TEXTS.visits, TEXTS.line],
      ["", "left", "number", "number", ""]);
    const leave = (/** @type {PointerEvent} */ { pointerType }) => pointerType === "mouse" && onLine(null); // no finger
    this.table = table(TEXTS.caption, head, this.#body, { class: "table", onpointerleave: leave });
    this.element = h("div", { class: "moves-table" }, this.table);
  }

  /**
   * @param {KnownMove[]} moves the best first
   * @param {number} width of the board: there is space for as many moves, so that nothing below moves
   */
  show(moves, width) {
    setStyle(this.element, "--rows", Math.min(width, ROWS));
    this.table.hidden = moves.length === 0;
    const visits = moves.reduce((sum, move) => sum + move.visits, 0) || 1;
    this.#moves = moves.slice(0, ROWS);
    const { rows } = this.#body;
    while (rows.length > this.#moves.length) this.#body.deleteRow(-1);
    while (rows.length < this.#moves.length) this.#body.append(this.#row(rows.length));
    this.#moves.forEach((move, index) => {
      const [column, result, number, share, line] = rows[index].cells;
      const play = /** @type {HTMLButtonElement} */ (column.firstChild);
      setText(play, `${move.column + 1}`);
      play.title = fill(TEXTS.play, { column: move.column + 1 });
      rows[index].classList.toggle("best", move.isBest);
      setText(share, move.visits ? percent(move.visits / visits) : "–");
      setText(number, value(move.value));
      setText(result, proven(move));
      result.className = move.proof ?? "";
      setText(/** @type {Element} */ (line.firstChild),
        move.isCut && move.pv.length ? `${columns(move.pv)} …` : columns(move.pv));
    });
  }

  /**
   * An empty row, whose buttons and pointers refer to the move currently in it.
   *
   * @param {number} index
   */
  #row(index) {
    const show = () => this.#onLine(this.#moves[index]);
    const play = button("", () => this.#onPlay(this.#moves[index].column),
      { class: "move", onfocus: show, onblur: () => this.#onLine(null) });
    const open = (/** @type {MouseEvent} */ { target }) => {
      show();
      if (target !== play) this.#onOpen(this.#moves[index]);
    };
    return h("tr", { onpointerenter: show, onclick: open }, h("th", { scope: "row" }, play),
      ...["", "number", "number"].map((name) => h("td", { class: name })),
      h("td", { class: "line" }, button("", () => {}, { class: "quiet", title: TEXTS.wholeLine }))); // the row opens it
  }
}

/** What if some columns must not be played? Their buttons. */
class Without {
  #summary = h("summary", {});
  #buttons = h("div", { class: "row" });

  /** @param {LiveSearch} search */
  constructor(search) {
    this.search = search;
    this.element = h("details", { id: "without" }, this.#summary, this.#buttons);
  }

  /** Show the columns of the search's position, and which are left out. */
  show() {
    const { without, columns: left, game: { legalColumns } } = this.search;
    const out = legalColumns.filter((column) => without.has(column));
    setText(this.#summary, out.length ? fill(WITHOUT.without, { columns: columns(out, ", ") }) : WITHOUT.title);
    this.element.hidden = legalColumns.length < 2;
    if (this.#buttons.children.length !== legalColumns.length) {
      this.#buttons.replaceChildren(...legalColumns.map(() => button("", () => {})));
    }
    legalColumns.forEach((column, index) => {
      const each = /** @type {HTMLButtonElement} */ (this.#buttons.children[index]);
      setText(each, `${column + 1}`);
      each.setAttribute("aria-pressed", `${without.has(column)}`);
      each.disabled = left.length === 1 && left[0] === column; // one must be played
      each.onclick = () => this.search.leaveOut(column);
    });
  }
}
