/**
 * The head of the page: rules, modes, theme, help.
 *
 * @import { App } from "./app.js"
 * @import { ModeName } from "./store.js"
 */

import { element, h, setAttributeIf, setText } from "./dom.js";
import { isSameStart } from "./game.js";
import { KEYS } from "./keyboard.js";
import { showRulesDialog } from "./rules-dialog.js";

/** @type {[name: ModeName, text: string][]} */
const MODES = [["analyse", "Analyse"], ["play", "Play"], ["learn", "Learn"], ["review", "Review"],
  ["puzzles", "Puzzles"]];
/** @type {Record<string, [scheme: string, sign: string, label: string]>} */
const THEMES = {
  auto: ["light dark", "◐", "Theme: follow the system"],
  light: ["light", "☀", "Theme: light"],
  dark: ["dark", "☾", "Theme: dark"],
};

/** @param {App} app */
export function showHeader(app) {
  showModes(app);
  showRules(app);
  showTheme(app);
  element("help").addEventListener("click", () => showHelp(app));
}

/** @param {App} app */
function showModes(app) {
  const buttons = MODES.map(([name, text]) =>
    h("button", { type: "button", id: `mode-${name}`, onclick: () => app.switchTo(name) }, text));
  element("modes").append(...buttons);
  const mark = () => buttons.forEach((button, index) =>
    setAttributeIf(button, "aria-current", "page", MODES[index][0] === app.store.state.mode));
  app.store.subscribe(mark);
  mark();
}

/** @param {App} app */
function showRules(app) {
  const button = element("rules");
  const show = () => {
    const { width, height, connect, diagonals } = app.store.state.game.rules;
    setText(button, `${width} × ${height}, ${connect} in a row${diagonals ? "" : ", no diagonals"}`);
    button.title = "Change the board";
  };
  button.addEventListener("click", () => showRulesDialog(app));
  app.store.subscribe((state, before) => {
    if (!isSameStart(state.game, before.game)) show();
  });
  show();
}

/** @param {App} app */
function showTheme(app) {
  const button = element("theme");
  const names = Object.keys(THEMES);
  const show = () => {
    const [scheme, sign, label] = THEMES[app.store.state.settings.theme] ?? THEMES.auto;
    document.documentElement.style.colorScheme = scheme;
    setText(button, sign);
    button.title = label;
    button.setAttribute("aria-label", label);
  };
  button.addEventListener("click", () => {
    const { theme } = app.store.state.settings;
    app.store.set({ theme: names[(names.indexOf(theme) + 1) % names.length] });
    show();
  });
  show();
}

/** @param {App} app */
function showHelp({ store }) {
  const sound = h("input", { type: "checkbox", id: "sound", checked: store.state.settings.sound,
    onchange: () => store.set({ sound: sound.checked }) });
  const dialog = h("dialog", { "aria-labelledby": "help-title", onclose: () => dialog.remove() },
    h("h2", { id: "help-title" }, "Keys"),
    h("dl", { class: "keys" }, ...KEYS.flatMap(([key, words]) => [h("dt", {}, key), h("dd", {}, words)])),
    h("p", {}, "Columns count from 1. A value is the expected result of a player: 1 a win, ½ a draw, 0 a loss. " +
      "Scores are the solver’s: +1 wins with the last disc, +2 with one disc to spare and so on, −1 and −2 the same " +
      "for the other side; 0 is a draw."),
    h("label", { class: "check" }, sound, "Sound of the discs"),
    h("form", { method: "dialog", class: "row end" }, h("button", { class: "primary" }, "Close")),
  );
  document.body.append(dialog);
  dialog.showModal();
}
