/**
 * The head of the page: rules, modes, theme, help.
 *
 * @import { App } from "./app.js"
 * @import { ModeName, Store } from "./store.js"
 */

import { element, h, setAttributeIf, setText } from "./dom.js";
import { sentence } from "./format.js";
import { isSameStart } from "./game.js";
import { KEYS } from "./keyboard.js";
import { showRulesDialog } from "./rules-dialog.js";
import { LANGUAGES, fill, texts } from "./texts.js";

const TEXTS = texts.header;

/** @type {[name: ModeName, text: string][]} */
const MODES = [["analyse", TEXTS.analyse], ["play", TEXTS.play], ["learn", TEXTS.learn], ["review", TEXTS.review],
  ["puzzles", TEXTS.puzzles]];
/** @type {Record<string, [scheme: string, sign: string, label: string]>} */
const THEMES = {
  auto: ["light dark", "◐", TEXTS.autoTheme],
  light: ["light", "☀", TEXTS.lightTheme],
  dark: ["dark", "☾", TEXTS.darkTheme],
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
    setText(button, fill(TEXTS.rules, { width, height, connect, diagonals: diagonals ? "" : TEXTS.noDiagonals }));
    button.title = TEXTS.rulesTitle;
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
    h("h2", { id: "help-title" }, TEXTS.keys),
    h("dl", { class: "keys" }, ...KEYS.flatMap(([key, words]) => [h("dt", {}, key), h("dd", {}, words)])),
    h("p", {}, TEXTS.help),
    h("label", { class: "check" }, sound, TEXTS.sound),
    h("label", {}, TEXTS.language, languageField(store)),
    h("form", { method: "dialog", class: "row end" }, h("button", { class: "primary" }, TEXTS.close)),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * The choice of the language, which begins with a reload: the page keeps the game.
 *
 * @param {Store} store
 */
function languageField(store) {
  const select = h("select", { id: "language", onchange: () => {
    store.set({ language: select.value });
    location.reload();
  } }, h("option", { value: "auto" }, TEXTS.ofBrowser),
  ...LANGUAGES.map((value) => h("option", { value, lang: value }, nameOf(value))));
  select.value = store.state.settings.language;
  return select;
}

/**
 * The name of a language in itself.
 *
 * @param {string} language
 */
function nameOf(language) {
  return sentence(new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language);
}
