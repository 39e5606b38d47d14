/**
 * The page within another one: which positions its host asks for, and what it learns of them, as messages of windows
 * (docs/guide/web.md, "In another page").
 *
 * @import { App } from "./app.js"
 */

import { messageOf } from "./format.js";
import { writeText } from "./notation.js";
import { readAny } from "./positions.js";

/** @param {App} app */
export function listenToHost(app) {
  const { store } = app;
  const say = (/** @type {object} */ message) => parent.postMessage({ c4mcts: message }, "*"); // nothing is secret
  addEventListener("message", async ({ source, data }) => {
    if (source !== parent || typeof data?.c4mcts?.position !== "string") return;
    try {
      store.load(await readAny(app, data.c4mcts.position));
    } catch (error) {
      say({ error: messageOf(error) });
    }
  });
  store.onLearn = (game, { solution, root }) => {
    if (game.key !== store.shown.key) return;
    const { score = null, distance = null, best = [] } = solution ?? {};
    say({ position: writeText(game), score, distance, best: best.map((column) => column + 1),
      value: root?.winrate ?? null });
  };
  say({ isReady: true });
}
