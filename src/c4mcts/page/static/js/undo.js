/**
 * Undo and redo of all that changes the game: moves, variations, comments, another game, the begin and end of a match.
 *
 * In a match, a move of the user and the reply to it are one step.
 *
 * @import { Content, State, Store, Subscriber } from "./store.js"
 */

import { isPersonsTurn, isRunning } from "./match.js";
import { keepSteps, keptSteps } from "./storage.js";

const KEPT = 1000; // steps

export class Undo {
  /** @type {Content[]} */
  #past = [];

  /** @type {Content[]} */
  #future = [];

  #isRestoring = false;
  #commented = ""; // the position on which the last change was a comment, which may go on

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    store.subscribe((state, before) => this.#onState(state, before));
  }

  /** Keep the steps for a reload of the page. */
  keep() {
    keepSteps([this.#past, this.#future]);
  }

  /** Bring back the steps that were kept. */
  restore() {
    [this.#past, this.#future] = keptSteps();
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  undo() {
    this.#restore(this.#past, this.#future);
  }

  redo() {
    this.#restore(this.#future, this.#past);
  }

  /** @type {Subscriber} */
  #onState(state, before) {
    const isChange = state.tree !== before.tree || state.match?.game !== before.match?.game ||
      isRunning(state.match) !== isRunning(before.match);
    if (!isChange || this.#isRestoring) return;
    this.#future = [];
    const commented = commentedIn(state, before);
    const isSame = commented !== "" && commented === this.#commented;
    this.#commented = commented;
    if (isSame) return; // typed letter by letter
    const isReply = state.match && before.match && !isPersonsTurn(before.match) &&
      state.match.game.moves.length === before.match.game.moves.length + 1;
    if (isReply) return; // of a level or an engine
    this.#past.push(contentOf(before, state.flipped !== before.flipped));
    if (this.#past.length > KEPT) this.#past.shift();
  }

  /**
   * @param {Content[]} from
   * @param {Content[]} to
   */
  #restore(from, to) {
    const content = from.pop();
    if (!content) return;
    to.push(contentOf(this.store.state, content.flipped !== undefined));
    this.#isRestoring = true;
    try {
      const match = content.match && { ...content.match, since: Date.now() }; // no clock ran meanwhile
      this.store.update({ ...content, match });
    } finally {
      this.#isRestoring = false;
    }
  }
}

/**
 * @param {Readonly<State>} state
 * @param {boolean} isSwapped whether the change also swapped the colours
 * @returns {Content}
 */
function contentOf({ tree, game, ply, match, flipped }, isSwapped) {
  return { tree, game, ply, match, ...(isSwapped && { flipped }) };
}

/**
 * The position on which a change was a comment; "" if it was another change.
 *
 * @param {Readonly<State>} state
 * @param {Readonly<State>} before
 */
function commentedIn(state, before) {
  const path = state.game.moves.slice(0, state.ply);
  const [now, then] = [state.tree.at(path), before.tree.at(path)];
  const isComment = state.game === before.game && state.ply === before.ply && now?.children === then?.children &&
    now?.comment !== then?.comment;
  return isComment ? path.join() || "start" : "";
}
