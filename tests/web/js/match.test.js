import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD } from "../../../src/c4mcts/web/static/js/game.js";
import { clockOf, clockText, newMatch, played, resultOf, takenBack } from "../../../src/c4mcts/web/static/js/match.js";

const LEVEL = { number: 1, name: "Beginner" };

test("one minute and a second for each move", () => {
  let match = newMatch(new Game(), LEVEL, 0, 60, 0);
  match = played(match, 3, 10_000);
  assert.deepEqual([clockOf(match, 0, 12_000), clockOf(match, 1, 12_000)], [51, 58]);
  match = played(match, 3, 15_000);
  assert.deepEqual([clockOf(match, 0, 66_000), clockOf(match, 1, 66_000)], [0, 56]);
  assert.equal(resultOf(match), null);
});

test("clocks stand still when the game is over", () => {
  const match = newMatch(new Game(STANDARD, [0, 1, 0, 1, 0, 1]), LEVEL, 0, 60, 0);
  assert.equal(clockOf(played(match, 0, 5_000), 1, 50_000), 60);
});

test("without clocks nobody runs out of time", () => {
  assert.equal(clockOf(played(newMatch(new Game(), LEVEL, 0, 0, 0), 3, 1e9), 1, 2e9), Infinity);
});

test("results, by the first reason", () => {
  const match = newMatch(new Game(), LEVEL, 0, 60, 0);
  assert.deepEqual(resultOf({ ...match, timeout: 0 }), { winner: 1, reason: "time" });
  assert.deepEqual(resultOf({ ...match, resigned: 1 }), { winner: 0, reason: "resigned" });
  const won = new Game(STANDARD, [0, 1, 0, 1, 0, 1, 0]);
  assert.deepEqual(resultOf({ ...match, game: won }), { winner: 0, reason: "line" });
  const full = new Game({ width: 2, height: 1, connect: 3, diagonals: true }, [0, 1]);
  assert.deepEqual(resultOf({ ...match, game: full }), { winner: null, reason: "full" });
});

test("taking back undoes the user's last move and the reply to it", () => {
  const match = newMatch(new Game(STANDARD, [3, 3, 4, 4]), LEVEL, 0, 60, 0);
  const back = takenBack({ ...match, hint: 2, resigned: 0 }, 7);
  assert.deepEqual([back.game.moves, back.hint, back.resigned, back.since], [[3, 3], null, null, 7]);
  assert.deepEqual(takenBack({ ...match, side: 1 }, 7).game.moves, [3, 3, 4]);
  const first = newMatch(new Game(STANDARD, [3]), LEVEL, 1, 60, 0); // the level's move
  assert.equal(takenBack(first, 7), first);
});

test("seconds as texts", () => {
  assert.deepEqual([65.9, 9.44, -1, 600].map(clockText), ["1:05", "9.4", "0.0", "10:00"]);
});
