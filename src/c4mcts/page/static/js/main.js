/**
 * Starts the page: the state, the connection, the board, and the modes.
 *
 * @import { Mount } from "./app.js"
 * @import { Whereabouts } from "./lecture.js"
 * @import { ModeName, Subscriber } from "./store.js"
 */

import { Address, showWayOut } from "./address.js";
import * as analyse from "./analyse.js";
import { App } from "./app.js";
import { Connection } from "./connection.js";
import { element } from "./dom.js";
import { isFirstVisit, showDoors } from "./doors.js";
import { playSounds } from "./effects.js";
import { playerName, stateOf } from "./format.js";
import { listenToHost } from "./frame.js";
import { isSameStart } from "./game.js";
import { showHeader } from "./header.js";
import { listenToKeys, listenToPresentation } from "./keyboard.js";
import { Lecture, followed, lectureOf } from "./lecture.js";
import * as learn from "./learn.js";
import * as play from "./play.js";
import { note } from "./positions.js";
import * as puzzles from "./puzzles.js";
import * as review from "./review.js";
import { keepScore } from "./seats.js";
import { loadSettings, saveSettings } from "./settings.js";
import { exported, firstEngine, isAlone, isEmbedded, newEngine, scores } from "./start.js";
import { Status, install } from "./status.js";
import { keep, keepGames, kept } from "./storage.js";
import { Store, isOtherPosition } from "./store.js";
import { fill, showPageTexts, texts } from "./texts.js";
import { showToolbar } from "./toolbar.js";
import { enginePair, webSocket, webWorker } from "./transports.js";
import { Undo } from "./undo.js";
import { Variations } from "./variations.js";

const TEXTS = texts.main;

/** @type {Record<ModeName, { mount: Mount }>} */
const MODES = { analyse, play, learn, review, puzzles };

showPageTexts();
const isFirst = !isEmbedded && isFirstVisit();
const store = new Store(loadSettings());
store.scores = await scores;
const stored = isEmbedded ? { kept: null, problem: "" } : kept(); // the game of the reader's own page is another one
if (stored.kept) store.update(stored.kept);
const undo = new Undo(store);
if (!isEmbedded) undo.restore();
keepScore(store);
playSounds(store);
const status = new Status(element("status"));
const socket = new URL("socket", location.href).href.replace(/^http/, "ws");
const lecture = new Lecture();
const transport = followed ? lectureOf(followed, follow) : exported ? engineTransport(exported.size)
  : lecture.listenTo(webSocket(socket));
const connection = new Connection(transport, onStatus);
const app = new App(store, connection, {
  board: element("board"),
  panel: element("panel"),
  graph: element("graph"),
  error: element("error"),
  live: element("live"),
});

showHeader(app);
showToolbar(app, undo, exported || followed ? null : lecture);
if (!isEmbedded) keepGames(store, sayFull);
listenToKeys(app, undo);
listenToPresentation();
app.variations = new Variations(app);
element("variations").append(app.variations.element);
store.subscribe(onState);
mount();
const link = new Address(app);
if (location.hash.length > 1) link.read(true);
else link.write();
if (isFirst) showDoors(app);
if (stored.problem) note(stored.problem);
if (isEmbedded) {
  showWayOut(store);
  if (parent !== window) listenToHost(app);
} else {
  addEventListener("pagehide", () => {
    keep(store.state); // with the time on the clocks
    undo.keep();
  });
}

/** @type {Subscriber} */
function onState(state, before) {
  app.showError(null);
  if (!isEmbedded) {
    if (state.settings !== before.settings) saveSettings(state.settings, before.settings);
    else if (!keep(state)) sayFull();
  }
  if (state.mode !== before.mode) {
    note(""); // before the next mode may write its own
    mount();
  } else {
    app.drawBoard();
    app.mode?.onState(state, before);
  }
  if (isOtherPosition(state, before)) announceMove(state, before);
  lecture.say(state);
}

/** @param {Whereabouts} found where the lecturer is */
async function follow({ hash, settings, view, place }) {
  const { theme, language, sound } = store.state.settings;
  store.set({ ...settings, theme, language, sound });
  history.replaceState(history.state, "", `#${hash}`);
  await link.read(true);
  store.update({ view, place });
}

function sayFull() {
  app.showError(texts.storage.full);
}

function mount() {
  const { mode } = store.state;
  document.body.dataset.mode = mode;
  app.mount(MODES[mode].mount);
}

/** @type {Subscriber} */
function announceMove(state, before) {
  const game = store.shown;
  const { last } = game;
  const isNext = isSameStart(state.game, before.game) && state.ply === before.ply + 1;
  const played = isNext && last
    ? fill(TEXTS.played, { name: playerName(1 - game.turn, state.flipped), column: last[0] + 1 })
    : fill(TEXTS.position, { ply: state.ply });
  app.announce(`${played} ${stateOf(game, state.flipped)}`);
}

/** @param {number} size of the engine in bytes */
function engineTransport(size) {
  status.load(0);
  const first = webWorker(firstEngine, (loaded) => status.load(loaded / size));
  return isAlone ? first : enginePair(first, webWorker(() => newEngine("second")));
}

/**
 * @param {boolean} isConnected
 * @param {string} reason
 * @param {boolean} isFinal
 */
function onStatus(isConnected, reason, isFinal) {
  if (isConnected) {
    status.say("");
    app.mode?.onConnect();
    if (exported) install(status);
  } else if (isFinal) {
    status.offer(fill(TEXTS.failed, { reason }), TEXTS.restart, () => {
      status.load(0);
      connection.restart();
    });
  } else status.say(fill(TEXTS.trying, { reason }));
}
