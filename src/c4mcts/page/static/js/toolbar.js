/**
 * Below the board: back and forward, the moves as text, undo and redo, sharing, file, colours.
 *
 * @import { App } from "./app.js"
 * @import { Lecture } from "./lecture.js"
 * @import { Store } from "./store.js"
 * @import { Undo } from "./undo.js"
 */

import { mayReplace } from "./dialogs.js";
import { button, download, element, h, iconButton, setAttributeIf } from "./dom.js";
import { showEditor } from "./editor.js";
import { messageOf } from "./format.js";
import { Game, STANDARD } from "./game.js";
import { LONGEST_FILE, readGame, writeGame } from "./game-text.js";
import { GameTree } from "./game-tree.js";
import { isTyping } from "./keyboard.js";
import { LONGEST, writeText } from "./notation.js";
import { chosenPast, loadText, positionReader } from "./positions.js";
import { showShareDialog } from "./share.js";
import { pastGames } from "./storage.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.toolbar;

/**
 * @param {App} app
 * @param {Undo} undo
 * @param {Lecture | null} lecture null: there can be none
 */
export function showToolbar(app, undo, lecture) {
  const { store } = app;
  const { back, forward } = stepButtons(store);
  const field = h("input", { id: "moves", spellcheck: false, autocomplete: "off", placeholder: TEXTS.placeholder,
    "aria-label": TEXTS.movesLabel });
  const form = h("form", { class: "moves", onsubmit: async (event) => {
    event.preventDefault();
    if (await loadText(app, field.value)) field.blur();
  } }, field);
  field.addEventListener("focus", () => field.select());
  field.addEventListener("blur", () => setTimeout(show));
  const file = h("input", { type: "file", id: "file", accept: ".txt,.json,text/plain,application/json", hidden: true,
    onchange: () => openFile(app, file) });
  element("steps").append(...back, form, ...forward);
  element("actions").append(
    ...undoButtons(store, undo),
    action("new", TEXTS.newGame, TEXTS.newTitle, async () => {
      if (await mayReplace(app)) store.load(new Game(store.state.game.rules));
    }),
    action("edit", TEXTS.edit, TEXTS.editTitle, () => showEditor(app)),
    action("share", TEXTS.share, TEXTS.shareTitle, () => showShareDialog(app, lecture)),
    action("save", TEXTS.save, TEXTS.saveTitle, () =>
      download("connect4.txt", new Blob([writeGame(store.state)], { type: "text/plain" }))),
    action("open", TEXTS.open, TEXTS.openTitle, () => file.click()),
    file,
    action("past", TEXTS.games, TEXTS.gamesTitle, () => openPast(app)),
    action("flip", TEXTS.swap, TEXTS.swapTitle, () => store.update({ flipped: !store.state.flipped })),
  );
  function show() {
    if (document.activeElement !== field) field.value = writeText(store.shown);
  }
  store.subscribe(show);
  show();
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text");
    if (!text) return; // a picture, for example
    if (isTyping(event.target) && event.target !== field) return;
    if (event.target === field && text.length <= LONGEST) return; // Enter loads it
    event.preventDefault();
    loadText(app, text);
  });
}

/** @param {App} app */
async function openPast(app) {
  const games = pastGames();
  const chosen = await chosenPast(app, games);
  if (chosen === null || !(await mayReplace(app))) return;
  const { line, id } = games[chosen];
  readGame(line, STANDARD, positionReader(app.connection)).then(
    ({ start, root, opening }) => app.store.load(new GameTree(start, root, opening, id)),
    (error) => app.showError(messageOf(error)));
}

/**
 * Buttons that go back and forward in the game: two each, which follow the store.
 *
 * @param {Store} store
 */
export function stepButtons(store) {
  const back = [
    iconButton("«", TEXTS.first, () => store.go(0), { id: "first" }),
    iconButton("‹", TEXTS.back, () => store.go(store.state.ply - 1), { id: "back" }),
  ];
  const forward = [
    iconButton("›", TEXTS.forward, () => store.go(store.state.ply + 1), { id: "forward" }),
    iconButton("»", TEXTS.last, () => store.go(Infinity), { id: "final" }),
  ];
  function show() {
    const { game, ply } = store.state;
    for (const each of back) setAttributeIf(each, "aria-disabled", "true", ply === 0); // they keep the focus
    for (const each of forward) setAttributeIf(each, "aria-disabled", "true", ply === game.moves.length);
  }
  store.subscribe(show);
  show();
  return { back, forward };
}

/**
 * @param {Store} store
 * @param {Undo} undo
 */
function undoButtons(store, undo) {
  const back = action("undo", TEXTS.undo, TEXTS.undoTitle, () => undo.undo());
  const again = action("redo", TEXTS.redo, TEXTS.redoTitle, () => undo.redo());
  const show = () => {
    back.disabled = !undo.canUndo;
    again.disabled = !undo.canRedo;
  };
  store.subscribe(show);
  show();
  return [back, again];
}

/**
 * @param {string} id
 * @param {string} text
 * @param {string} title
 * @param {() => void} onclick
 */
function action(id, text, title, onclick) {
  return button(text, onclick, { id, class: "quiet", title });
}

/**
 * @param {App} app
 * @param {HTMLInputElement} input
 */
async function openFile(app, input) {
  const file = input.files?.[0];
  if (!file) return;
  if (file.size > LONGEST_FILE) app.showError(fill(TEXTS.largeFile, { name: file.name }));
  else if (file.size === 0) app.showError(fill(TEXTS.emptyFile, { name: file.name }));
  else await loadText(app, await file.text());
  input.value = ""; // otherwise the same file could not be chosen again
}
