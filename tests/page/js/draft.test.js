import assert from "node:assert/strict";
import { test } from "node:test";

import { Draft } from "../../../src/c4mcts/page/static/js/draft.js";
import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";

/** @import { Cell } from "../../../src/c4mcts/page/static/js/game.js" */
/** @import { Tool } from "../../../src/c4mcts/page/static/js/draft.js" */

const EMPTY = Draft.of(new Game(), false);

/**
 * A draft after tools were used on cells.
 *
 * @param {[cell: Cell, tool: Tool][]} steps
 */
function made(...steps) {
  return steps.reduce((draft, [cell, tool]) => {
    const target = draft.target(cell, tool);
    return target ? draft.changed(target, tool) : draft;
  }, EMPTY);
}

test("discs fall, change their colour where they are, and fall when one below is removed", () => {
  const column = (/** @type {[cell: Cell, tool: Tool][]} */ ...steps) => made(...steps).columns[3].join(" ");
  assert.equal(column([[3, 5], "yellow"], [[3, 2], "red"]), "yellow red");
  assert.equal(column([[3, 0], "yellow"], [[3, 0], "yellow"]), "yellow yellow");
  assert.equal(column([[3, 0], "yellow"], [[3, 1], "yellow"], [[3, 0], "red"]), "red yellow");
  assert.equal(column([[3, 0], "yellow"], [[3, 1], "red"], [[3, 2], "red"], [[3, 0], "none"]), "red red");
  assert.equal(column([[3, 0], "yellow"], [[3, 1], "red"], [[3, 5], "none"]), "yellow");
});

test("a full column takes no disc, an empty one has none to remove", () => {
  const full = made(...Array(6).fill([[3, 0], "yellow"]));
  assert.equal(full.target([3, 0], "yellow"), null);
  assert.deepEqual(full.target([3, 2], "red"), [3, 2]);
  assert.equal(EMPTY.target([3, 2], "none"), null);
  assert.deepEqual(EMPTY.columns.flat(), []);
});

test("the numbers of discs say who is to move, and who began", () => {
  const facts = (/** @type {Draft} */ { isEven, toMove, isFlipped }) => [isEven, toMove, isFlipped];
  assert.deepEqual(facts(EMPTY), [true, "yellow", false]);
  assert.deepEqual(facts(EMPTY.withTurn("red")), [true, "red", true]);
  assert.deepEqual(facts(made([[3, 0], "yellow"])), [false, "red", false]);
  assert.deepEqual(facts(made([[3, 0], "red"])), [false, "yellow", true]);
  assert.equal(made([[3, 0], "red"]).refusal, null);
  assert.match(made([[3, 0], "red"], [[2, 0], "red"]).refusal ?? "", /^There are 0 yellow discs and 2 red: players/);
});

test("the FEN has x for the player who began", () => {
  assert.equal(EMPTY.fen, "7/7/7/7/7/7 x 7x6x4");
  assert.equal(made([[3, 0], "yellow"], [[3, 1], "red"], [[0, 0], "yellow"]).fen, "7/7/7/7/3o3/x2x3 o 7x6x4");
  assert.equal(made([[3, 0], "red"], [[6, 0], "yellow"]).withTurn("red").fen, "7/7/7/7/7/3x2o x 7x6x4");
  const game = new Game({ ...STANDARD, width: 12, diagonals: false }, [11]);
  assert.equal(Draft.of(game, true).fen, "12/12/12/12/12/11x o 12x6x4 no-diagonals");
  assert.equal(Draft.of(game, true).isFlipped, true);
});

test("a refusal speaks of colours, and counts from 1", () => {
  const words = "The first player has won but did not move last: the line through (column, row) (0, 0), (1, 11).";
  const rest = "has won but did not move last: the line through (column, row) (1, 1), (2, 12).";
  assert.equal(EMPTY.inWords(words), `Yellow ${rest}`);
  assert.equal(EMPTY.withTurn("red").inWords(words), `Red ${rest}`);
});
