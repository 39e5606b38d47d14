/** Buttons that go back and forward in the game. */

import { h } from "./dom.js";

/** {back, forward}: two buttons each, which follow the store. */
export function stepButtons(store) {
  const step = (id, sign, label, ply) =>
    h("button", { type: "button", id, class: "icon", title: label, "aria-label": label, onclick: () => store.go(ply()) }, sign);
  const back = [step("first", "«", "To the start (Home)", () => 0), step("back", "‹", "Back (←)", () => store.state.ply - 1)];
  const forward = [step("forward", "›", "Forward (→)", () => store.state.ply + 1), step("final", "»", "To the end (End)", () => Infinity)];
  function show() {
    const { game, ply } = store.state;
    for (const button of back) button.disabled = ply === 0;
    for (const button of forward) button.disabled = ply === game.moves.length;
  }
  store.subscribe(show);
  show();
  return { back, forward };
}
