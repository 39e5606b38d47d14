/**
 * The head of the page: rules, modes, theme, help.
 *
 * @import { App } from "./app.js"
 * @import { Rules } from "./game.js"
 * @import { ModeName, Store } from "./store.js"
 */

import { closingRow, mayReplace, openDialog } from "./dialogs.js";
import { button, element, h, problemLine, setAttributeIf, setText, showText, terms } from "./dom.js";
import { messageOf, sentence } from "./format.js";
import { Game, STANDARD } from "./game.js";
import { KEYS } from "./keyboard.js";
import { checkedRules, writeText } from "./notation.js";
import { LANGUAGES, fill, texts } from "./texts.js";

const TEXTS = texts.header;
const LONGEST_NAME = 44; // characters of a position in the title of the page
/** @type {[name: ModeName, text: string][]} */
const MODES = [["analyse", TEXTS.analyse], ["play", TEXTS.play], ["learn", TEXTS.learn], ["review", TEXTS.review],
  ["puzzles", TEXTS.puzzles]];
/** @type {Record<string, [scheme: string, sign: string, label: string]>} */
const THEMES = {
  auto: ["light dark", "◐", TEXTS.autoTheme],
  light: ["light", "☀", TEXTS.lightTheme],
  dark: ["dark", "☾", TEXTS.darkTheme],
};
/** @type {Rules[]} */
const USUAL = [STANDARD, { ...STANDARD, width: 8, height: 7 }, { ...STANDARD, width: 9, height: 7, connect: 4 },
  { ...STANDARD, width: 10, height: 10, connect: 5 }, { ...STANDARD, width: 20, height: 14, connect: 5 }];

/** @param {App} app */
export function showHeader(app) {
  showModes(app);
  showRules(app);
  showTheme(app);
  element("help").addEventListener("click", () => showHelp(app));
}

/** @param {App} app */
function showModes(app) {
  const buttons = MODES.map(([name, text]) => button(text, () => app.store.switchTo(name), { id: `mode-${name}` }));
  element("modes").append(...buttons);
  const mark = () => {
    const { mode, puzzle } = app.store.state;
    buttons.forEach((each, index) => setAttributeIf(each, "aria-current", "page", MODES[index][0] === mode));
    const position = mode === "puzzles" ? `${puzzle || ""}` : writeText(app.store.shown);
    const shown = position.length > LONGEST_NAME ? `${position.slice(0, LONGEST_NAME)}…` : position;
    document.title = `${TEXTS[mode]}${shown && ` ${shown}`} | c4mcts`;
  };
  app.store.subscribe(mark);
  mark();
}

/** @param {App} app */
function showRules(app) {
  const place = element("rules");
  place.title = TEXTS.rulesTitle;
  place.addEventListener("click", () => showRulesDialog(app));
  app.onRules = ({ width, height, connect, diagonals }) =>
    setText(place, fill(TEXTS.rules, { width, height, connect, diagonals: diagonals ? "" : TEXTS.noDiagonals }));
}

/** @param {App} app */
function showTheme(app) {
  const place = element("theme");
  const names = Object.keys(THEMES);
  const show = () => {
    const [scheme, sign, label] = THEMES[app.store.state.settings.theme] ?? THEMES.auto;
    document.documentElement.style.colorScheme = scheme;
    setText(place, sign);
    place.title = label;
    place.setAttribute("aria-label", label);
  };
  place.addEventListener("click", () => {
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
  const keys = h("input", { type: "checkbox", id: "single-keys", checked: store.state.settings.keys,
    onchange: () => store.set({ keys: keys.checked }) });
  openDialog(TEXTS.keys, {},
    h("p", {}, howToPlay(store.state.game.rules)),
    h("label", {}, TEXTS.language, languageField(store)),
    h("label", { class: "check" }, sound, TEXTS.sound),
    h("dl", { class: "keys" }, ...terms(KEYS)),
    h("p", {}, TEXTS.help),
    h("p", {}, TEXTS.counting),
    h("label", { class: "check" }, keys, TEXTS.singleKeys),
    closingRow(h("button", { class: "primary" }, TEXTS.close)));
}

/** @param {Rules} rules */
function howToPlay({ connect, diagonals }) {
  return fill(TEXTS.howToPlay, { connect, diagonals: diagonals ? TEXTS.orDiagonally : "" });
}

/**
 * The choice of the language, which begins with a reload: the page keeps the game.
 *
 * @param {Store} store
 */
export function languageField(store) {
  const select = h("select", { id: "language", onchange: () => {
    store.set({ language: select.value });
    location.reload();
  } }, h("option", { value: "auto" }, TEXTS.ofBrowser),
  ...LANGUAGES.map((value) => h("option", { value, lang: value },
    sentence(`${new Intl.DisplayNames(value, { type: "language" }).of(value)}`)))); // in itself
  select.value = store.state.settings.language;
  return select;
}

/** @param {App} app */
function showRulesDialog(app) {
  const { rules } = app.store.state.game;
  const number = (/** @type {"width" | "height" | "connect"} */ name, /** @type {number} */ min, max = 20) =>
    h("input", { type: "number", name, value: `${rules[name]}`, min: `${min}`, max: `${max}`, required: true,
      inputMode: "numeric" });
  const [width, height, connect] = [number("width", 1), number("height", 1, 14), number("connect", 2)];
  const diagonals = h("input", { type: "checkbox", name: "diagonals", checked: rules.diagonals });
  const error = problemLine();
  const start = async (/** @type {Rules} */ wanted) => {
    try {
      const game = new Game(checkedRules(wanted));
      if (!(await mayReplace(app))) return;
      app.store.load(game);
      dialog.close();
    } catch (refusal) {
      showText(error, messageOf(refusal));
    }
  };
  const form = h("form", { method: "dialog", noValidate: true, onsubmit: (event) => {
    event.preventDefault();
    start({ width: width.valueAsNumber, height: height.valueAsNumber, connect: connect.valueAsNumber,
      diagonals: diagonals.checked });
  } },
  h("div", { class: "chips" }, ...USUAL.map((usual) =>
    button(`${usual.width} × ${usual.height}, ${usual.connect}`, () => start(usual)))),
  h("div", { class: "fields" }, h("label", {}, TEXTS.columns, width), h("label", {}, TEXTS.rows, height),
    h("label", {}, TEXTS.inARow, connect)),
  h("label", { class: "check" }, diagonals, TEXTS.diagonals),
  error,
  h("div", { class: "row end" },
    button(TEXTS.cancel, () => dialog.close()),
    h("button", { class: "primary" }, TEXTS.newGame)));
  const dialog = openDialog(TEXTS.title, {}, h("p", { class: "soft" }, howToPlay(rules)), form);
}
