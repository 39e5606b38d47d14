/**
 * Learn: the simulations of a search one by one, with selection, expansion, rollout and backup, in the tree and on the
 * board. Its other views are a tree to explore, and two searches side by side.
 *
 * @import { App, Mode, Mount } from "./app.js"
 * @import { Cell } from "./game.js"
 * @import { Wanted } from "./learn-player.js"
 * @import { Stop } from "./learn-story.js"
 * @import { Ghost } from "./moves.js"
 * @import { Step } from "protocol"
 */

import { mountViews } from "./app.js";
import { Comparison } from "./compare.js";
import { Latest } from "./connection.js";
import { h, problemLine, setText } from "./dom.js";
import { isStill } from "./effects.js";
import { NodeLook } from "./learn-node.js";
import { StoryControls, StoryPlayer, settingsForm } from "./learn-player.js";
import { BACKUP, PHASES, ROLLOUT, SELECTION, Story } from "./learn-story.js";
import { TreePicture } from "./learn-tree.js";
import { formula, rewardTable, scoreRows, spokenOf, summaryOf, wordsOf } from "./learn-words.js";
import { followed } from "./lecture.js";
import { ghostsOf } from "./moves.js";
import { isOtherPosition } from "./store.js";
import { texts } from "./texts.js";
import { TreeView } from "./tree-explorer.js";

const VIEWS = texts.learn;
const TEXTS = texts.learnSteps;
const NARROW = matchMedia("(max-width: 56rem)"); // as in style.css

/** @type {Mount} */
export function mount(app) {
  const mode = mountViews(app, "learn", VIEWS.label, [
    ["steps", VIEWS.steps, (...where) => new StepByStep(...where)],
    ["tree", VIEWS.tree, (...where) => new TreeView(...where)],
    ["compare", VIEWS.compare, (...where) => new Comparison(...where)],
  ]);
  app.panel.focus({ preventScroll: true }); // Space would press the button of the mode
  return mode;
}

class StepByStep {
  #latest = new Latest(); // request
  #game; // of the simulations

  /** @type {Wanted} */
  #wanted = { preset: "uct", exploration: null, seed: null };

  /** @type {{ here: Stop, story: Story, flipped: boolean } | null} */
  #drawn = null; // the last stop shown

  /** @type {{ step: Step, discs: Ghost[], cells: Cell[] } | null} */
  #line = null; // of the simulation that was shown last

  #player = new StoryPlayer({ onShow: () => this.#show(), isStill });
  #controls = new StoryControls(this.#player);
  #tree = new TreePicture();
  #words = h("p", { class: "learn-words" });
  #detail = h("div", { class: "learn-detail" });
  #look;
  #problem = problemLine();
  #content = h("div", { class: "learn-content", hidden: true },
    this.#controls.range, this.#controls.phases, this.#words, this.#tree.svg);

  /**
   * @param {App} app
   * @param {HTMLElement} place
   */
  constructor(app, place) {
    this.app = app;
    this.#game = app.store.shown;
    this.#look = new NodeLook(app, this.#player, this.#tree, { detail: this.#detail, start: () => this.#game,
      onLeave: () => {
        this.#drawn = null;
        this.#show();
      } });
    this.form = settingsForm(app, this.#wanted, (fields) => {
      Object.assign(this.#wanted, fields);
      this.request();
    });
    const { title, transport } = this.#controls;
    place.append(h("div", { class: "row learn-head" }, title, transport), this.#problem, this.#content,
      this.form.element);
    NARROW.addEventListener("change", this.#placeDetail);
    this.#placeDetail();
    this.request();
  }

  /** The details are below the board, or below the tree if everything is in one column. */
  #placeDetail = () => {
    if (NARROW.matches) this.#content.append(this.#detail);
    else this.app.graph.replaceChildren(this.#detail);
    this.app.graph.hidden = false; // another mode may have hidden it
  };

  /** Ask for the simulations of the position on the board. */
  request() {
    this.#latest.begin();
    const { store, connection } = this.app;
    const game = store.shown;
    this.#player.pause();
    this.#clear();
    this.#hold(true);
    this.form.preset.follow();
    if (game.outcome) return this.#fail(TEXTS.over);
    const { exploration, seed } = this.#wanted;
    this.#latest.ask(connection.stream({
      action: "steps", ...game.query, preset: this.form.preset.value,
      ...(exploration !== null && { overrideSettings: { exploration } }),
      ...(seed !== null && { seed }),
    }), (reply) => {
      this.#wanted.seed = reply.seed; // so that another preset gets the same random numbers
      this.#game = game;
      if (!reply.steps.length) return this.#fail(TEXTS.known);
      this.#hide(false);
      this.#hold(false);
      const { place } = store.state;
      this.#player.load(new Story(reply));
      if (followed) this.#player.goTo(...place); // which may have come before the reply
    }, (problem) => this.#fail(problem));
  }

  /** @param {string} text */
  #fail(text) {
    this.#hide(true);
    setText(this.#controls.title, TEXTS.title);
    setText(this.#problem, text);
  }

  /** @param {boolean} isProblem whether there is a problem, and nothing to show */
  #hide(isProblem) {
    this.#problem.hidden = !isProblem;
    this.#content.hidden = this.#controls.transport.hidden = this.#detail.hidden = isProblem;
  }

  /** @param {boolean} isAsking whether another story is on its way, so that the one that is shown cannot be used */
  #hold(isAsking) {
    this.#content.inert = this.#controls.transport.inert = isAsking;
  }

  get #isUsable() {
    return !this.#content.hidden && !this.#content.inert;
  }

  #clear() {
    this.app.board.setGhosts([]);
    this.app.board.setMarks([]);
  }

  #show() {
    const { story, step, here, index, tick } = this.#player;
    const { flipped } = this.app.store.state;
    const drawn = this.#drawn;
    const isNewStop = drawn?.here !== here || drawn.story !== story || drawn.flipped !== flipped;
    this.#controls.show(this.#player);
    document.body.dataset.phase = PHASES[here.phase]; // for the presentation
    if (isNewStop) {
      this.#look.end();
      setText(this.#words, wordsOf(story, step, here, flipped));
      this.#detail.replaceChildren(...this.#details());
    }
    if (isNewStop || here.phase === BACKUP) this.#tree.show({ story, index, stop: here, tick, flipped });
    this.#drawn = { here, story, flipped };
    this.#showBoard(isNewStop);
    if (isNewStop) this.#tell();
    const { store } = this.app;
    const place = /** @type {const} */ ([index, this.#player.stop]);
    if (isNewStop && store.state.place.join() !== place.join()) store.update({ place });
  }

  /** @param {boolean} isNewStop */
  #showBoard(isNewStop) {
    const { step, here, tick } = this.#player;
    const { board } = this.app;
    if (this.#line?.step !== step) this.#line = { step, ...this.#lineOf(step) };
    const { discs, cells } = this.#line;
    const counts = [here.level + 1, step.path.length, step.path.length + tick + 1, discs.length]; // by phase
    const count = Math.min(counts[here.phase], discs.length);
    const isNewDisc = here.phase === ROLLOUT ? step.rollout.length > 0 : here.phase < ROLLOUT && isNewStop && count > 0;
    board.setGhosts(discs.slice(0, count), { isFalling: isNewDisc && !isStill() });
    board.setMarks(here.phase >= ROLLOUT && count === discs.length ? cells : []);
  }

  /**
   * The discs of a simulation, numbered as far as the path goes, and the cells of the winning line.
   *
   * @param {Step} step
   */
  #lineOf({ path, rollout }) {
    const moves = [...path, ...rollout];
    /** @type {Ghost[]} */
    const discs = ghostsOf(this.#game, moves, moves.length);
    const unnumbered = discs.splice(path.length).map((disc) => ({ ...disc, text: /** @type {const} */ ("") }));
    const end = moves.reduce((game, column) => game.play(column), this.#game);
    return { discs: [...discs, ...unnumbered], cells: end.outcome?.cells ?? [] };
  }

  /** Below the sentence: the scores of a selection, or the rewards of the backup. */
  #details() {
    const { step, here, story, index } = this.#player;
    if (here.phase === BACKUP) return [rewardTable(story, index, this.app.store.state.flipped)];
    if (here.phase === SELECTION && index === 0) return [h("p", { class: "learn-intro" }, VIEWS.intro)];
    if (here.phase !== SELECTION || here.level < 0) return [];
    const selected = step.selected[here.level];
    return [formula(selected, story.reply), scoreRows(selected)];
  }

  /** For screen readers: each stop when stepping by hand, each simulation when playing. */
  #tell() {
    const { story, step, here, isPlaying, isFast } = this.#player;
    const { flipped } = this.app.store.state;
    if (!isPlaying) this.app.announce(spokenOf(story, step, here, flipped));
    else if (here.phase === BACKUP && !isFast) this.app.announce(summaryOf(story, step, flipped));
  }

  /** @param {string} key */
  onKey(key) {
    const player = this.#player;
    /** @type {Record<string, () => void>} */
    const actions = {
      " ": () => player.toggle(),
      ArrowRight: () => player.forward(),
      ArrowLeft: () => player.back(),
      ArrowDown: () => player.toSimulation(player.index + 1),
      ArrowUp: () => player.toSimulation(player.index - 1),
      Home: () => player.toSimulation(0),
      End: () => player.toSimulation(Infinity),
    };
    if (!actions[key] || this.#content.hidden) return false;
    if (this.#isUsable) actions[key]();
    return true;
  }

  /** @type {Mode["onState"]} */
  onState(state, before) {
    if (isOtherPosition(state, before)) this.request();
    else if (followed && state.place !== before.place && this.#isUsable) this.#player.goTo(...state.place);
    else if (state.flipped !== before.flipped && this.#isUsable) this.#show();
  }

  onConnect() {
    if (this.#content.hidden) this.request();
  }

  unmount() {
    this.#latest.begin();
    this.#player.pause();
    this.#clear();
    NARROW.removeEventListener("change", this.#placeDetail);
    delete document.body.dataset.phase;
    this.app.graph.replaceChildren();
  }
}
