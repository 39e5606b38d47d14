/**
 * The address of the page and the browser's Back and Forward.
 *
 * Another game or mode is a new entry of the history, and so is a jump to a distant move, once for several jumps in a
 * row, so that Back returns to where they began. A move, or a step, changes the entry: nobody wants to press Back forty
 * times to leave a game, and moves have Undo. With ?embed=1 the page is within another one, such as slides: it shows a
 * position or a lesson, and stores nothing.
 *
 * @import { App } from "./app.js"
 * @import { Game } from "./game.js"
 * @import { Link } from "./notation.js"
 * @import { Content, State, Store, Subscriber } from "./store.js"
 */

import { Latest } from "./connection.js";
import { mayReplace } from "./dialogs.js";
import { element } from "./dom.js";
import { messageOf } from "./format.js";
import { isSameStart } from "./game.js";
import { GameTree } from "./game-tree.js";
import { readHash, writeHash } from "./notation.js";
import { note, positionReader, understood } from "./positions.js";
import { isEmbedded } from "./start.js";
import { isOtherPosition } from "./store.js";
import { fill, texts } from "./texts.js";

const TEXTS = texts.address;

export class Address {
  /** @type {Map<string, Content>} */
  #contents = new Map(); // of the games by their ids, as they were last

  #wasJump = false;
  #isFollowing = false; // while the page follows the address
  #latest = new Latest(); // address that is being read

  /** @type {string | null} */
  #reading = null; // that address: two events may tell of it

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    app.store.subscribe((state, before) => this.#onState(state, before));
    addEventListener("popstate", () => this.read());
    addEventListener("hashchange", () => this.read());
  }

  /** Follow the address: to a position of the game, to a game that was here before, or to another one. */
  async read(isFirst = false) {
    const { store } = this.app;
    const hash = location.hash.slice(1);
    const { tree } = store.state;
    const id = history.state?.game;
    if (hash === writeHash(store.state) && (id === undefined || id === tree.id)) return;
    if (hash === this.#reading) return;
    const isStale = this.#latest.begin();
    this.#reading = hash;
    try {
      const { rules, start } = tree.start;
      const readFen = positionReader(this.app.connection);
      const link = await readHash(hash, async (fen) => (start?.fen === fen ? { rules, start } : readFen(fen)));
      if (!isStale()) await this.#visit(link, this.#contents.get(id), hash, isFirst);
    } catch (error) {
      if (isStale()) return;
      note("");
      this.app.showError(fill(TEXTS.problem, { problem: messageOf(error) }));
    } finally {
      if (!isStale()) this.#reading = null;
    }
  }

  /** Put the state into the address. */
  write(isNew = false) {
    const { state } = this.app.store;
    const url = `#${writeHash(state)}`;
    const entry = { game: state.tree.id };
    if (isNew && !isEmbedded) history.pushState(entry, "", url);
    else history.replaceState(entry, "", url);
  }

  /**
   * @param {Link} link
   * @param {Content | undefined} kept the content of the game, if it was here before
   * @param {string} hash
   * @param {boolean} isFirst whether the page was opened with the address: a stored match is kept by Undo then
   */
  async #visit(link, kept, hash, isFirst) {
    const { store } = this.app;
    if (link.mode === "puzzles") return this.#follow({ mode: link.mode, puzzle: link.puzzle });
    const content = kept && nodeOf(kept.tree, link.game) ? kept : isLine(store.state, link.game) ? store.state : null;
    if (!content && !isFirst && !(await mayReplace(this.app))) return this.write();
    const tree = content?.tree ?? GameTree.of(link.game);
    const match = content?.match ? { ...content.match, ...(content !== store.state && { since: Date.now() }) } : null;
    const mode = store.state.mode === "puzzles" ? "analyse" : store.state.mode;
    this.#follow({
      mode: link.mode ?? mode, flipped: link.flipped ?? store.state.flipped, tree, game: tree.line(link.game.moves),
      ply: link.ply, match,
    });
    if (!content && hash.includes(",")) note(understood(hash, link.game)); // of which the columns count from 0
  }

  /** @param {Partial<State>} fields of an address */
  #follow(fields) {
    this.#isFollowing = true;
    try {
      this.app.store.update(fields);
    } finally {
      this.#isFollowing = false;
    }
    this.write();
  }

  /** @type {Subscriber} */
  #onState(state, before) {
    if (isOtherPosition(state, before)) note("");
    this.#contents.set(state.tree.id, state);
    if (this.#isFollowing || writeHash(state) === writeHash(before) && state.tree.id === before.tree.id) return;
    const isOther = state.mode !== before.mode || state.tree.id !== before.tree.id ||
      (state.puzzle !== before.puzzle && before.puzzle !== 0);
    const isJump = !isOther && state.tree === before.tree && Math.abs(state.ply - before.ply) > 1;
    this.write(isOther || (isJump && !this.#wasJump));
    this.#wasJump = isJump;
  }
}

/**
 * @param {GameTree} tree
 * @param {Game} game
 */
function nodeOf(tree, game) {
  return isSameStart(tree.start, game) ? tree.at(game.moves) : null;
}

/**
 * Whether a game is a whole line of the content, as the page writes them. A link to a part of it is another game.
 *
 * @param {Content} content
 * @param {Game} game
 */
function isLine(content, game) {
  return content.game.key === game.key || nodeOf(content.tree, game)?.children.length === 0;
}

/** @param {Store} store whose state the link to the whole page leads to */
export function showWayOut(store) {
  const link = /** @type {HTMLAnchorElement} */ (element("whole"));
  link.hidden = false;
  const follow = () => (link.href = `${location.pathname}${location.hash}`);
  store.subscribe(() => queueMicrotask(follow)); // after the address, which follows the store, too
  follow();
}
