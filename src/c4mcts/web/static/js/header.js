/** The head of the page: rules, modes, theme, help. */

import { h, setText } from "./dom.js";
import { isSameStart } from "./game.js";
import { KEYS } from "./keyboard.js";
import { showRulesDialog } from "./rules-dialog.js";

const NAMES = { analyse: "Analyse", play: "Play", learn: "Learn", review: "Review" };
const THEMES = { auto: ["light dark", "◐", "Theme: as the system"], light: ["light", "☀", "Theme: light"], dark: ["dark", "☾", "Theme: dark"] };

export function showHeader(app, modes) {
  showModes(app, modes);
  showRules(app);
  showTheme(app);
  document.getElementById("help").addEventListener("click", showHelp);
}

function showModes(app, modes) {
  const buttons = Object.keys(modes).map((name) =>
    h("button", { type: "button", id: `mode-${name}`, onclick: () => app.switchTo(name) }, NAMES[name]),
  );
  document.getElementById("modes").append(...buttons);
  const mark = () => {
    Object.keys(modes).forEach((name, index) => {
      if (name === app.store.state.mode) buttons[index].setAttribute("aria-current", "page");
      else buttons[index].removeAttribute("aria-current");
    });
  };
  app.store.subscribe(mark);
  mark();
}

function showRules(app) {
  const button = document.getElementById("rules");
  const show = () => {
    const { width, height, connect, diagonals } = app.store.state.game.rules;
    setText(button, `${width} × ${height}, ${connect} in a row${diagonals ? "" : ", no diagonals"}`);
    button.title = "Change the board";
  };
  button.addEventListener("click", () => showRulesDialog(app));
  app.store.subscribe((state, before) => isSameStart(state.game, before.game) || show());
  show();
}

function showTheme(app) {
  const button = document.getElementById("theme");
  const names = Object.keys(THEMES);
  const show = () => {
    const [scheme, sign, label] = THEMES[app.store.state.settings.theme] ?? THEMES.auto;
    document.documentElement.style.colorScheme = scheme;
    setText(button, sign);
    button.title = label;
    button.setAttribute("aria-label", label);
  };
  button.addEventListener("click", () => {
    const { settings } = app.store.state;
    const theme = names[(names.indexOf(settings.theme) + 1) % names.length];
    app.store.update({ settings: { ...settings, theme } });
    show();
  });
  show();
}

function showHelp() {
  const dialog = h("dialog", { "aria-labelledby": "help-title", onclose: () => dialog.remove() },
    h("h2", { id: "help-title" }, "Keys"),
    h("dl", { class: "keys" }, ...KEYS.flatMap(([key, words]) => [h("dt", {}, key), h("dd", {}, words)])),
    h("p", {}, "Columns count from 1. A value is the expected result of a player: 1 a win, ½ a draw, 0 a loss. Scores are the " +
      "solver’s: +1 wins with the last disc, +2 with one disc to spare and so on, −1 and −2 the same for the other side; 0 is a draw."),
    h("form", { method: "dialog", class: "row end" }, h("button", { class: "primary" }, "Close")),
  );
  document.body.append(dialog);
  dialog.showModal();
}
