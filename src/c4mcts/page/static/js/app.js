/**
 * Shared by all modes: the store, the connection, the board, and places to draw in. The page (main.js) and a notebook's
 * widget (notebook.js) create one each.
 *
 * @import { Connection } from "./connection.js"
 * @import { Game, Rules } from "./game.js"
 * @import { Store, Subscriber } from "./store.js"
 * @import { Variations } from "./variations.js"
 */

import { Board } from "./board.js";
import { button, h, setText, showText } from "./dom.js";
import { stateOf } from "./format.js";

/**
 * A mode that is on the page. A mode's module exports `mount`, which draws it and returns this.
 *
 * @typedef {object} Mode
 * @property {() => void} unmount ends everything that the mode has begun
 * @property {Subscriber} onState called after each change of the state; the board is drawn already
 * @property {() => void} onConnect called when the server can be reached, again or for the first time
 * @property {Game} [game] the position on the board, instead of the store's
 * @property {(column: number) => void} [onColumn] called with the chosen column, instead of playing it
 * @property {(column: number | null) => void} [onHover] called with the column under the pointer
 * @property {(key: string) => boolean} [onKey] called with a key, as in KeyboardEvent.key; returns whether the mode
 * uses it
 */
/** @typedef {(app: App) => Mode} Mount */
/** @typedef {(app: App, place: HTMLElement) => Mode} MountView draws it in the place */
/** @typedef {[name: string, text: string, mount: MountView]} View */
/**
 * The elements of the page.
 *
 * @typedef {object} Places
 * @property {HTMLElement} board
 * @property {HTMLElement} panel of the mode
 * @property {HTMLElement} graph of the mode, below the board
 * @property {HTMLElement} error
 * @property {HTMLElement} live read by screen readers
 */

const STEPS = ["ArrowLeft", "ArrowRight", "Home", "End"]; // keys that go through the game of the store

/**
 * Let the focus stay in an element when the focused control in it goes: it is then on the element itself.
 *
 * @param {HTMLElement} place
 */
function keepFocus(place) {
  /** @type {Element | null} */
  let focused = null; // in the place, last
  const follow = (/** @type {Event} */ { target }) =>
    (focused = target instanceof Element && place.contains(target) ? target : null);
  document.addEventListener("focusin", follow);
  document.addEventListener("pointerdown", follow);
  new MutationObserver(() => {
    if (!focused || document.activeElement !== document.body) return;
    if (!focused.isConnected || !focused.checkVisibility()) place.focus({ preventScroll: true });
  }).observe(place, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });
}

export class App {
  /** @type {Mode | null} */
  mode = null; // the mounted one

  /** @type {Variations | null} */
  variations = null; // the list of moves, which a notebook does not have

  /** @type {(rules: Rules) => void} */
  onRules = () => {}; // called with those of the board that is drawn

  /** @type {Places} */
  #places;

  /**
   * @param {Store} store
   * @param {Connection} connection
   * @param {Places} places
   */
  constructor(store, connection, places) {
    this.store = store;
    this.connection = connection;
    this.panel = places.panel;
    this.graph = places.graph;
    this.#places = places;
    keepFocus(places.panel);
    this.board = new Board(places.board, {
      onColumn: (column) => this.choose(column),
      onHover: (column) => this.mode?.onHover?.(column),
    });
  }

  /** @param {Mount} mount of the mode that replaces the current one */
  mount(mount) {
    this.mode?.unmount();
    this.mode = null;
    this.drawBoard();
    this.clearBoard();
    this.variations?.setMarks();
    this.panel.replaceChildren();
    this.graph.replaceChildren();
    this.graph.hidden = false;
    this.mode = mount(this);
    if (this.mode.game) this.drawBoard();
  }

  /** Remove from the board what is not a disc. */
  clearBoard() {
    this.board.setBars(null);
    this.board.setGhosts([]);
    this.board.setMarks([]);
    this.board.setThreats([]);
  }

  /** Draw the position of the mode, or else of the store. */
  drawBoard() {
    const { flipped } = this.store.state;
    const game = this.mode?.game ?? this.store.shown;
    this.board.draw(game, { flipped, label: stateOf(game, flipped) });
    this.onRules(game.rules);
  }

  /** @param {number} column chosen on the board or by a key */
  choose(column) {
    if (this.mode?.onColumn) this.mode.onColumn(column);
    else this.play(column);
  }

  /** @param {number} column to be played; if that can't be, the page says why */
  play(column) {
    if (!this.refuses(this.store.shown, column)) this.store.play(column);
  }

  /**
   * Whether a column can't be played, which the page says then.
   *
   * @param {Game} game
   * @param {number} column
   */
  refuses(game, column) {
    const refusal = game.refusal(column);
    this.showError(refusal);
    return refusal !== null;
  }

  /** @param {string | null} message shown below the board until the next change; null: none */
  showError(message) {
    showText(this.#places.error, message);
  }

  /** @param {string} text for screen readers */
  announce(text) {
    setText(this.#places.live, text);
  }
}

/**
 * A mode with several views, and the buttons that choose one.
 *
 * @param {App} app
 * @param {string} mode with whose name the ids of the buttons begin
 * @param {string} label of the choice
 * @param {View[]} views of which the first is shown
 * @param {(...change: Parameters<Subscriber>) => boolean} [leadsBack] whether a change leads to the first
 * @returns {Mode}
 */
export function mountViews(app, mode, label, views, leadsBack = () => false) {
  const place = h("div", { class: "view" });
  const buttons = views.map(([name, text], index) => button(text, () => show(index), { id: `${mode}-${name}` }));
  app.panel.append(h("div", { class: "row views", role: "group", "aria-label": label }, ...buttons), place);
  let shown = 0;
  /** @type {Mode | null} */
  let view = null;
  show(0);

  /** @param {number} index */
  function show(index) {
    view?.unmount();
    place.replaceChildren();
    app.clearBoard();
    shown = index;
    view = views[index][2](app, place);
    app.drawBoard();
    buttons.forEach((each, at) => each.setAttribute("aria-pressed", `${at === index}`));
    if (app.store.state.view !== index) app.store.update({ view: index });
  }

  return {
    get game() {
      return view?.game;
    },
    unmount: () => view?.unmount(),
    onColumn: (column) => (view?.onColumn ? view.onColumn(column) : app.play(column)),
    onKey: (key) => view?.onKey?.(key) || (view?.game !== undefined && STEPS.includes(key)),
    onState(state, before) {
      if (state.view !== before.view && state.view !== shown && views[state.view]) show(state.view);
      else if (shown > 0 && leadsBack(state, before)) show(0);
      else view?.onState(state, before);
    },
    onConnect: () => view?.onConnect(),
  };
}
