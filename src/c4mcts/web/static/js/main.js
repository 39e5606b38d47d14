/** Starts the page: the board, the socket, the modes, and what they share. */

import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { setText } from "./dom.js";
import { colour, sentence, stateOf } from "./format.js";
import { isSameStart } from "./game.js";
import { showHeader } from "./header.js";
import { listenToKeys } from "./keyboard.js";
import { followAddress, positionReader } from "./positions.js";
import { loadSettings, saveSettings } from "./settings.js";
import { Store } from "./store.js";
import { showTransport } from "./transport.js";
import * as analyse from "./analyse.js";
import * as learn from "./learn.js";
import * as play from "./play.js";
import * as review from "./review.js";

const MODES = { analyse, play, learn, review };
const element = (id) => document.getElementById(id);

const store = new Store(loadSettings());
const address = new URL("socket", location.href).href.replace(/^http/, "ws");
const connection = new Connection(() => new WebSocket(address), onStatus);

/** What a mode gets. */
const app = {
  store,
  connection,
  panel: element("panel"),
  graph: element("graph"),
  board: new Board(element("board"), { onColumn, onHover: (column) => mode?.onHover?.(column) }),
  announce,
  showError,
  playColumn,
  switchTo: (name) => store.update({ mode: name }),
  /** Show a position on the board that is not the store's; null: the store's again. */
  showOnBoard(game) {
    shownInstead = game;
    draw();
  },
  /** What the server can do: its reply to query_version; asked for once a connection. */
  server: () => (serverFacts ??= connection.request({ action: "query_version" })),
};

let mode = null; // the mounted mode
let shownInstead = null; // a game in place of the store's
let serverFacts = null;

showHeader(app, MODES);
showTransport(app);
listenToKeys(app, () => mode);
store.subscribe(onState);
mount();
followAddress(app, positionReader(connection));

function onState(state, before) {
  showError(null);
  if (state.settings !== before.settings) saveSettings(state.settings);
  if (state.mode !== before.mode) mount();
  else {
    draw();
    mode?.onState?.(state, before); // none while a mode that is being mounted changes the state
  }
  if (state.game !== before.game || state.ply !== before.ply) announceMove(state, before);
}

/** Replace the mounted mode by that of the state. */
function mount() {
  mode?.unmount();
  mode = null;
  shownInstead = null;
  draw();
  app.board.setBars(null);
  app.board.setGhosts([]);
  app.board.setMarks([]);
  app.panel.replaceChildren();
  app.graph.replaceChildren();
  app.graph.hidden = false;
  document.body.dataset.mode = store.state.mode;
  mode = MODES[store.state.mode].mount(app);
}

function draw() {
  const game = shownInstead ?? store.shown;
  app.board.draw(game, { flipped: store.state.flipped, label: stateOf(game, store.state.flipped) });
}

/** A column was chosen on the board or by a key. */
function onColumn(column) {
  if (mode?.onColumn) mode.onColumn(column);
  else playColumn(column);
}

/** Play a column, or say in place why it can't be played. */
function playColumn(column) {
  try {
    store.play(column);
  } catch (error) {
    showError(error.message);
  }
}

/** Show an error below the board until the next change; null takes it away. */
function showError(message) {
  element("error").hidden = message === null;
  setText(element("error"), message ?? "");
}

/** Tell a screen reader. */
function announce(text) {
  setText(element("live"), text);
}

function announceMove(state, before) {
  const game = store.shown;
  const isNext = isSameStart(state.game, before.game) && state.ply === before.ply + 1;
  const played = isNext
    ? `${sentence(colour(1 - game.turn, state.flipped))} played column ${game.last[0] + 1}. `
    : `Position after ${state.ply} moves. `;
  announce(played + stateOf(game, state.flipped));
}

function onStatus(isConnected, reason) {
  serverFacts = null;
  const notice = element("status");
  notice.hidden = isConnected;
  setText(notice, isConnected ? "" : `${reason} Trying again; your game is kept.`);
  if (isConnected) mode?.onConnect?.();
}
