/**
 * A search of the position on the board, and its tree to explore.
 *
 * @import { App } from "./app.js"
 * @import { State } from "./store.js"
 */

import { Controls } from "./controls.js";
import { h, setText } from "./dom.js";
import { LiveSearch } from "./search.js";
import { concernSearches } from "./settings.js";
import { texts } from "./texts.js";
import { TreeExplorer, showPath } from "./tree-explorer.js";

const TEXTS = texts.learnExplore;

export class TreeView {
  /**
   * @param {App} app
   * @param {HTMLElement} place
   */
  constructor(app, place) {
    this.app = app;
    this.problem = h("p", { class: "error", role: "alert", hidden: true });
    this.explorer = new TreeExplorer(app, (line) => showPath(app, line));
    this.search = new LiveSearch(app, () => this.#onChange());
    this.controls = new Controls(app, this.search);
    place.append(h("h1", {}, TEXTS.title),
      h("p", { class: "soft" }, TEXTS.about),
      this.problem, this.controls.element, this.explorer.element);
    this.search.follow(app.store.shown);
  }

  #onChange() {
    const { reply, isRunning, error } = this.search;
    this.problem.hidden = error === null;
    setText(this.problem, error ?? "");
    this.controls.show();
    if (reply) this.explorer.update(!isRunning);
  }

  /** @param {string} key */
  onKey(key) {
    if (key === " ") this.controls.toggle();
    return key === " ";
  }

  /**
   * @param {Readonly<State>} state
   * @param {Readonly<State>} before
   */
  onState(state, before) {
    if (state.game !== before.game || state.ply !== before.ply) {
      this.explorer.follow();
      this.search.follow(this.app.store.shown);
    } else if (concernSearches(state.settings, before.settings)) this.search.start();
  }

  onConnect() {
    this.search.start();
  }

  unmount() {
    this.explorer.close();
    this.search.close();
  }
}
