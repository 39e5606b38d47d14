/**
 * The board and the analysis of the page in a cell of a notebook, as an anywidget (c4mcts/widget/analysis_board.py).
 *
 * All is drawn in a shadow root, so that its styles and those of the notebook don't meet.
 */

import * as analyse from "./analyse.js";
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { h, setText } from "./dom.js";
import { stateOf } from "./format.js";
import { Game } from "./game.js";
import { positionReader } from "./positions.js";
import { DEFAULTS } from "./settings.js";
import { stepButtons } from "./steps.js";
import { Store } from "./store.js";

/** Messages of the widget's model in place of a WebSocket: {view, text} there and back, {view, isGone} at the end. */
class ModelSocket {
  readyState = WebSocket.CONNECTING;

  constructor(model, view) {
    this.model = model;
    this.view = view;
    this.listener = (message) => message.view === view && this.onmessage({ data: message.text });
    model.on("msg:custom", this.listener);
    queueMicrotask(() => {
      this.readyState = WebSocket.OPEN;
      this.onopen();
    });
  }

  send(text) {
    this.model.send({ view: this.view, text });
  }

  close() {
    this.model.send({ view: this.view, isGone: true });
    this.model.off("msg:custom", this.listener);
  }
}

/** Draw a model in an element; returns a function that ends it. style: the style sheets. */
export function show(model, element, style) {
  const socket = new ModelSocket(model, crypto.randomUUID?.() ?? `${Math.random()}`);
  const connection = new Connection(() => socket, () => {});
  const readFen = positionReader(connection);
  const store = new Store(Object.freeze(DEFAULTS));
  const place = (name) => h("div", { class: name });
  const [panel, graph, boardBox] = [place("panel"), place("graph-box"), place("board-box")];
  const error = h("p", { class: "error", role: "alert", hidden: true });
  const live = h("p", { class: "hidden", "aria-live": "polite" });
  const { back, forward } = stepButtons(store);
  const flip = h("button", { type: "button", class: "quiet", onclick: () => store.update({ flipped: !store.state.flipped }) }, "Swap colours");
  let mode = null;
  let serverFacts = null;

  const app = {
    store,
    connection,
    panel,
    graph,
    board: new Board(boardBox, { onColumn: playColumn, onHover: (column) => mode?.onHover(column) }),
    announce: (text) => setText(live, text),
    showError,
    playColumn,
    server: () => (serverFacts ??= connection.request({ action: "query_version" })),
  };
  const game = h("section", { class: "game" }, boardBox, error, h("div", { class: "row steps" }, ...back, ...forward, flip), graph);
  const root = element.attachShadow({ mode: "open" });
  root.append(h("style", {}, style), h("main", {}, game, panel), live);
  element.dataset.lmSuppressShortcuts = "true"; // JupyterLab leaves keys in here alone
  root.addEventListener("keydown", (event) => event.stopPropagation());
  const observer = new ResizeObserver(() => (element.style.colorScheme = isDark(element) ? "dark" : "light"));
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
      showError(refusal.message);
    }
    if (mode) return;
    draw();
    mode = analyse.mount(app);
  }

  function onState(state, before) {
    showError(null);
    if (!mode) return; // the first position
    draw();
    mode.onState(state, before);
    if (state.game === before.game && state.ply === before.ply) return;
    app.announce(stateOf(store.shown, state.flipped));
    model.set("position", store.shown.query);
    model.save_changes();
  }

  function draw() {
    app.board.draw(store.shown, { flipped: store.state.flipped, label: stateOf(store.shown, store.state.flipped) });
  }

  function playColumn(column) {
    try {
      store.play(column);
    } catch (refusal) {
      showError(refusal.message);
    }
  }

  function showError(message) {
    error.hidden = message === null;
    setText(error, message ?? "");
  }

  return () => {
    model.off("change:position", load);
    observer.disconnect();
    mode?.unmount();
    socket.close();
  };
}

/** Whether what is behind an element is dark: notebooks have themes of their own. */
function isDark(element) {
  for (let each = element; each; each = each.parentElement) {
    const [red, green, blue, opacity = 1] = getComputedStyle(each).backgroundColor.match(/[\d.]+/g).map(Number);
    if (opacity > 0.5) return 0.3 * red + 0.6 * green + 0.1 * blue < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
