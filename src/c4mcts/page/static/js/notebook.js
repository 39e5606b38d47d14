/**
 * The board and the analysis of the page in a cell of a notebook, as an anywidget (c4mcts/page/widget).
 *
 * Everything is drawn in a shadow root, so that its styles and the notebook's don't interfere.
 *
 * @import { Places } from "./app.js"
 * @import { Subscriber } from "./store.js"
 * @import { Model } from "./transports.js"
 */

import * as analyse from "./analyse.js";
import { App } from "./app.js";
import { Connection } from "./connection.js";
import { button, h, problemLine } from "./dom.js";
import { messageOf, stateOf } from "./format.js";
import { Game } from "./game.js";
import { positionReader } from "./positions.js";
import { DEFAULTS } from "./settings.js";
import { Store, isOtherPosition } from "./store.js";
import { texts } from "./texts.js";
import { stepButtons } from "./toolbar.js";
import { widgetModel } from "./transports.js";

const TEXTS = texts.notebook;

/**
 * Draw a model in an element; returns a function that ends it.
 *
 * @param {Model} model
 * @param {HTMLElement} element
 * @param {string} style the style sheets
 */
export function show(model, element, style) {
  const connection = new Connection(widgetModel(model, crypto.randomUUID?.() ?? `${Math.random()}`));
  const readFen = positionReader(connection);
  const store = new Store(DEFAULTS);
  const places = {
    board: h("div", { class: "board-box" }),
    panel: h("div", { class: "panel" }),
    graph: h("div", { class: "graph-box" }),
    error: problemLine(),
    live: h("p", { class: "hidden", "aria-live": "polite" }),
  };
  const app = new App(store, connection, places);
  draw(element, style, store, places);
  const observer = new ResizeObserver(() => (element.style.colorScheme = isDark(element) ? "dark" : "light"));
  element.lang = texts.language;
  observer.observe(element);
  store.subscribe(onState);
  model.on("change:position", load);
  load();

  async function load() {
    const { moves, rules, fen } = model.get("position");
    try {
      const start = fen === undefined ? { rules, start: null } : await readFen(fen);
      const wanted = new Game(start.rules, moves, start.start);
      if (wanted.key !== store.shown.key) store.load(wanted);
    } catch (refusal) {
      app.showError(messageOf(refusal));
    }
    if (!app.mode) app.mount(analyse.mount);
  }

  /** @type {Subscriber} */
  function onState(state, before) {
    app.showError(null);
    if (!app.mode) return; // the first position
    app.drawBoard();
    app.mode.onState(state, before);
    if (!isOtherPosition(state, before)) return;
    app.announce(stateOf(store.shown, state.flipped));
    model.set("position", store.shown.query);
    model.save_changes();
  }

  return () => {
    model.off("change:position", load);
    observer.disconnect();
    app.mode?.unmount();
    connection.close();
  };
}

/**
 * @param {HTMLElement} element
 * @param {string} style
 * @param {Store} store
 * @param {Places} places
 */
function draw(element, style, store, { board, panel, graph, error, live }) {
  const { back, forward } = stepButtons(store);
  const flip = button(TEXTS.swapColours, () => store.update({ flipped: !store.state.flipped }), { class: "quiet" });
  const steps = h("div", { class: "row steps" }, ...back, ...forward, flip);
  const root = element.attachShadow({ mode: "open" });
  root.append(h("style", {}, style), h("main", {}, h("section", { class: "game" }, board, error, steps, graph), panel),
    live);
  root.addEventListener("keydown", (event) => event.stopPropagation());
  element.dataset.lmSuppressShortcuts = "true"; // JupyterLab leaves keys in here alone
}

/**
 * Whether the background of an element is dark: notebooks have their own themes.
 *
 * @param {HTMLElement} element
 */
function isDark(element) {
  for (let each = /** @type {HTMLElement | null} */ (element); each; each = each.parentElement) {
    const numbers = getComputedStyle(each).backgroundColor.match(/[\d.]+/g) ?? [];
    const [red, green, blue, opacity = 1] = numbers.map(Number);
    if (opacity > 0.5) return 0.3 * red + 0.6 * green + 0.1 * blue < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
