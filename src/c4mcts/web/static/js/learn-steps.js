/** The simulations of a search one by one: selection, expansion, rollout and backup, in the tree and on the board. */

import { h, setText } from "./dom.js";
import { colour, sentence, value } from "./format.js";
import { Player, SPEEDS } from "./learn-player.js";
import { formula, gain, scoreRows } from "./learn-scores.js";
import { settingsForm } from "./learn-settings.js";
import { BACKUP, PHASES, ROLLOUT, SELECTION, Story } from "./learn-story.js";
import { TreePicture } from "./learn-tree.js";
import { spokenOf, summaryOf, wordsOf } from "./learn-words.js";
import { CELL } from "./measures.js";
import { ghostsOf } from "./moves-table.js";

const NARROW = matchMedia("(max-width: 56rem)"); // as in style.css
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class StepByStep {
  #number = 0; // of the last request

  constructor(app, place) {
    this.app = app;
    this.query = { preset: "uct", exploration: null, seed: null };
    this.player = new Player({ onShow: () => this.#show(), isStill });
    this.tree = new TreePicture();
    this.#build(place);
    this.request();
  }

  #build(place) {
    const { player } = this;
    const button = (id, text, label, onclick, name = "icon") => h("button", { type: "button", id, class: name, title: label, "aria-label": label, onclick }, text);
    this.title = h("h1", {});
    this.playButton = button("learn-play", "▶", "Play (Space)", () => player.toggle(), "icon primary");
    this.range = h("input", { type: "range", id: "learn-range", min: 1, max: 1, "aria-label": "Simulation", oninput: () => player.toSimulation(this.range.valueAsNumber - 1) });
    this.speed = h("select", { id: "learn-speed", "aria-label": "Speed", onchange: () => (player.speed = this.speed.selectedIndex) },
      ...SPEEDS.map(({ name }, index) => h("option", { selected: index === player.speed }, name)));
    this.phases = PHASES.map((name, phase) => h("li", {}, h("button", { type: "button", class: "phase", onclick: () => player.toPhase(phase) }, h("b", {}, `${phase + 1}`), ` ${name}`)));
    this.words = h("p", { class: "learn-words" });
    this.detail = h("div", { class: "learn-detail" });
    this.problem = h("p", { class: "error", role: "alert", hidden: true });
    this.transport = h("div", { class: "row learn-transport" },
      button("learn-before", "«", "Simulation before (↑)", () => player.toSimulation(player.index - 1)),
      button("learn-back", "‹", "Back (←)", () => player.back()), this.playButton,
      button("learn-forward", "›", "Forward (→)", () => player.forward()),
      button("learn-after", "»", "Next simulation (↓)", () => player.toSimulation(player.index + 1)),
      this.speed);
    this.content = h("div", { class: "learn-content", hidden: true },
      this.range, h("ol", { class: "phases", "aria-label": "Phases" }, ...this.phases), this.words, this.tree.svg);
    place.append(h("div", { class: "row learn-head" }, this.title, this.transport), this.problem, this.content, settingsForm(this));
    NARROW.addEventListener("change", this.#placeDetail);
    this.#placeDetail();
    setText(this.title, "…");
  }

  /** The details stand below the board, or below the tree where all is in one column. */
  #placeDetail = () => {
    if (NARROW.matches) this.content.append(this.detail);
    else this.app.graph.replaceChildren(this.detail);
    this.app.graph.hidden = false; // another mode may have hidden it
  };

  /** Ask for the simulations of the position on the board. */
  async request() {
    const mine = ++this.#number;
    const { store, connection } = this.app;
    const game = store.shown;
    this.player.pause();
    this.#clear();
    if (game.outcome) {
      this.#fail("The game is over, so there is nothing to search. Go back to a position before the end.");
      return;
    }
    const { preset, exploration, seed } = this.query;
    const message = { action: "steps", ...game.query, preset };
    if (exploration !== null) message.overrideSettings = { exploration };
    if (seed !== null) message.seed = seed;
    try {
      const reply = await connection.request(message);
      if (mine !== this.#number) return;
      this.query.seed = reply.seed; // so that another preset gets the same luck
      this.game = game;
      if (!reply.steps.length) this.#fail("The outcome of this position is known without a search.");
      else this.#begin(new Story(reply));
    } catch (error) {
      if (mine === this.#number) this.#fail(error.message);
    }
  }

  #begin(story) {
    this.problem.hidden = true;
    this.content.hidden = this.transport.hidden = this.detail.hidden = false;
    this.range.max = story.length;
    this.player.load(story);
  }

  #fail(text) {
    this.content.hidden = this.transport.hidden = this.detail.hidden = true;
    setText(this.title, "Step by step");
    setText(this.problem, text);
    this.problem.hidden = false;
  }

  #clear() {
    this.app.board.setGhosts([]);
    this.app.board.setMarks([]);
  }

  /** Show the place at which the player is. */
  #show() {
    const { player, app } = this;
    const { story, step, here, index, tick } = player;
    const { flipped } = app.store.state;
    setText(this.title, `Simulation ${step.number} of ${story.length}`);
    this.range.value = index + 1;
    this.range.setAttribute("aria-valuetext", `Simulation ${step.number} of ${story.length}`);
    setText(this.playButton, player.isPlaying ? "❚❚" : "▶");
    this.playButton.title = player.isPlaying ? "Pause (Space)" : "Play (Space)";
    this.playButton.setAttribute("aria-label", this.playButton.title);
    this.phases.forEach((item, phase) => {
      item.classList.toggle("over", phase < here.phase);
      item.firstChild.disabled = !player.stops.some((each) => each.phase === phase);
      if (phase === here.phase) item.firstChild.setAttribute("aria-current", "step");
      else item.firstChild.removeAttribute("aria-current");
    });
    const isNewStop = this.drawn?.here !== here || this.drawn.story !== story || this.drawn.flipped !== flipped;
    if (isNewStop) {
      setText(this.words, wordsOf(story, step, here, flipped));
      this.detail.replaceChildren(...this.#details());
    }
    if (isNewStop || here.phase === BACKUP) this.tree.show(story, index, here, tick, flipped);
    this.drawn = { here, story, flipped };
    this.#showBoard(isNewStop);
    this.#tell(isNewStop);
  }

  /** The path and the rollout as discs that are not really there. */
  #showBoard(isNewStop) {
    const { step, here, tick } = this.player;
    const { board } = this.app;
    if (this.line?.step !== step) this.line = { step, ...this.#lineOf(step) };
    const { discs, cells } = this.line;
    const counts = [(here.level ?? -1) + 1, step.path.length, step.path.length + tick + 1, discs.length]; // by phase
    const count = Math.min(counts[here.phase], discs.length);
    board.setGhosts(discs.slice(0, count));
    board.setMarks(here.phase >= ROLLOUT && count === discs.length ? cells : []);
    const isNewDisc = here.phase === ROLLOUT ? step.rollout.length > 0 : here.phase < ROLLOUT && isNewStop && count > 0;
    if (isNewDisc && !isStill()) this.#drop(board.layers.ghosts.lastChild, discs[count - 1]);
  }

  /** The discs of a simulation, numbered as far as the path goes, and the cells of the line that wins. */
  #lineOf({ path, rollout }) {
    const moves = [...path, ...rollout];
    const discs = ghostsOf(this.game, moves, Infinity).map((disc, index) => (index < path.length ? disc : { ...disc, text: "" }));
    const end = moves.reduce((game, column) => game.play(column), this.game);
    return { discs, cells: end.outcome?.cells ?? [] };
  }

  /** Let the last disc fall. */
  #drop(ghost, { row }) {
    const from = `${(row - this.game.rules.height - 0.3) * CELL}px`;
    for (const part of ghost.children) {
      part.style.setProperty("--from", from);
      part.classList.add("falls");
    }
  }

  /** Below the sentence: the scores of a selection, or what the backup adds. */
  #details() {
    const { step, here, story } = this.player;
    if (here.phase === SELECTION && here.level !== null) {
      const selected = step.selected[here.level];
      return [formula(selected, story.reply), scoreRows(selected)];
    }
    return here.phase === BACKUP ? [this.#rewards()] : [];
  }

  #rewards() {
    const { step, story } = this.player;
    const { flipped } = this.app.store.state;
    const before = story.treeBefore(this.player.index);
    const rows = step.backup.map(({ node, visits, value: mean, reward }) => {
      const { column, player, parent } = story.nodes.get(node);
      const old = before.get(node);
      const name = parent === null ? "Root" : `${sentence(colour(player, flipped))} ${column + 1}`;
      return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number strong" }, gain(reward)),
        h("td", { class: "number" }, `${visits - 1} → ${visits}`), h("td", { class: "number" }, `${old ? value(old.value) : "–"} → ${value(mean)}`));
    });
    return h("table", { class: "table rewards" },
      h("thead", {}, h("tr", {}, ...["Node", "Reward", "Visits", "Value"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...rows.reverse()));
  }

  /** For screen readers: each stop when one goes by hand, each simulation when they go by themselves. */
  #tell(isNewStop) {
    const { player, app } = this;
    if (!isNewStop) return;
    const { step, story, here } = player;
    const { flipped } = app.store.state;
    if (!player.isPlaying) app.announce(spokenOf(story, step, here, flipped));
    else if (here.phase === BACKUP && !player.isFast) app.announce(summaryOf(story, step, flipped));
  }

  onKey(key) {
    const { player } = this;
    const actions = {
      " ": () => player.toggle(),
      ArrowRight: () => player.forward(),
      ArrowLeft: () => player.back(),
      ArrowDown: () => player.toSimulation(player.index + 1),
      ArrowUp: () => player.toSimulation(player.index - 1),
      Home: () => player.toSimulation(0),
      End: () => player.toSimulation(Infinity),
    };
    if (!actions[key] || this.content.hidden) return false;
    actions[key]();
    return true;
  }

  onState(state, before) {
    if (state.game !== before.game || state.ply !== before.ply) this.request();
    else if (state.flipped !== before.flipped && !this.content.hidden) this.#show();
  }

  onConnect() {
    if (this.content.hidden) this.request();
  }

  unmount() {
    this.#number++;
    this.player.pause();
    this.#clear();
    NARROW.removeEventListener("change", this.#placeDetail);
    this.app.graph.replaceChildren();
  }
}
