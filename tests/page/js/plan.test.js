import assert from "node:assert/strict";
import { test } from "node:test";

import { Game } from "../../../src/c4mcts/page/static/js/game.js";
import { reasonOf, shortReasonOf } from "../../../src/c4mcts/page/static/js/plan.js";
import { afterAnswer, isDue, nextIndex } from "../../../src/c4mcts/page/static/js/progress.js";
import { solution } from "./fakes.js";

/** @import { PlanAnswer } from "protocol" */

const DAY = 86_400_000;
const first = () => 0;

test("a known position comes again after 1, 3, 7, 16 and 35 days, another one at once", () => {
  /** @type {ReturnType<typeof afterAnswer>} */
  let boxes = {};
  assert.ok(isDue(boxes, "3", 0), "a new one");
  for (const days of [1, 3, 7, 16, 35, 35]) {
    boxes = afterAnswer(boxes, "3", true, 0);
    assert.deepEqual([isDue(boxes, "3", days * DAY - 1), isDue(boxes, "3", days * DAY)], [false, true]);
  }
  boxes = afterAnswer(boxes, "3", false, 0);
  assert.ok(isDue(boxes, "3", 0));
  assert.equal(afterAnswer(boxes, "3", true, 0)["3"][1], DAY, "from the first box on");
});

test("the next reply leads to what is due, else to what is new", () => {
  const known = afterAnswer(afterAnswer({}, "30", true, 0), "31", true, 0);
  assert.equal(nextIndex(known, ["30", "31", "32"], 0, first), 2);
  assert.equal(nextIndex(afterAnswer(known, "3145", false, 0), ["30", "31", "32"], 0, first), 1, "below it");
  assert.equal(nextIndex(known, ["30", "31"], 0, () => 0.9), 1);
});

test("reasons in words", async () => {
  const position = new Game(undefined, [3, 0]);
  const solve = async () => solution({ columns: [-1, -2, 1, 0, 3, null, 2] });
  /** @type {PlanAnswer} */
  const answer = { reply: 0, move: 4, reason: "proof", zugzwang: null };
  assert.equal(await reasonOf(answer, position, false, solve), "It wins; so would 3, 7.");
  assert.equal(await reasonOf(answer, position, false, async () => null), "It wins against every reply.");
  assert.equal(await reasonOf({ ...answer, reason: "win" }, position, true, solve), "Red has four in a row.");
  /** @type {NonNullable<PlanAnswer["zugzwang"]>} */
  const zugzwang = { player: 0, cell: [3, 2], isOdd: true };
  assert.match(await reasonOf({ ...answer, reason: "follow up", zugzwang }, position, false, solve),
    /claimeven.*red has to play below column 4, row 3 \(odd\), where Yellow wins/);
  assert.match(await reasonOf({ ...answer, reason: "follow up" }, position, false, solve), /a line for Yellow/);
  assert.equal(shortReasonOf({ ...answer, reason: "follow up", zugzwang }), "zugzwang");
  assert.equal(shortReasonOf({ ...answer, reason: "threat" }), "threat");
  assert.equal(shortReasonOf(answer), "");
});
