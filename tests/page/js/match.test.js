import assert from "node:assert/strict";
import { test } from "node:test";

import { GameTree } from "../../../src/c4mcts/page/static/js/game-tree.js";
import { Game, STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import {
  clockOf, clockText, isPersonsTurn, newMatch, onlyPerson, paused, played, resultOf, takenBack,
} from "../../../src/c4mcts/page/static/js/match.js";
import { pack, unpack } from "../../../src/c4mcts/page/static/js/storage.js";

const LEVEL = { number: 1 };
const ENGINE = { preset: "uct", visits: 100 };
const SEATS = [null, LEVEL];

test("one minute and a second for each move", () => {
  let match = newMatch(new Game(), SEATS, 60, 0);
  match = played(match, 3, 10_000);
  assert.deepEqual([clockOf(match, 0, 12_000), clockOf(match, 1, 12_000)], [51, 58]);
  match = played(match, 3, 15_000);
  assert.deepEqual([clockOf(match, 0, 66_000), clockOf(match, 1, 66_000)], [0, 56]);
  assert.equal(resultOf(match), null);
  const last = newMatch(new Game(STANDARD, [0, 1, 0, 1, 0, 1]), SEATS, 60, 0);
  assert.equal(clockOf(played(last, 0, 5_000), 1, 50_000), 60, "it stands still when the game is over");
  assert.equal(clockOf(played(newMatch(new Game(), SEATS, 0, 0), 3, 1e9), 1, 2e9), Infinity, "without clocks");
});

test("clocks stand still in a pause, also while the page is closed", () => {
  const match = paused(played(newMatch(new Game(), [ENGINE, ENGINE], 60, 0), 3, 10_000), 15_000);
  const { game } = match;
  const kept = unpack(pack({ mode: "play", tree: GameTree.of(game), game, ply: 1, flipped: false, match, results: [],
    puzzle: 0 }, 500_000), 700_000).match;
  for (const each of [match, kept]) {
    assert.ok(each);
    assert.deepEqual([each.since, clockOf(each, 1, 900_000)], [null, 55]);
    assert.equal(clockOf(paused(each, 900_000), 1, 905_000), 50);
  }
});

test("results, by the first reason", () => {
  const match = newMatch(new Game(), SEATS, 60, 0);
  assert.deepEqual(resultOf({ ...match, timeout: 0 }), { winner: 1, end: "time" });
  assert.deepEqual(resultOf({ ...match, resigned: 1 }), { winner: 0, end: "resignation" });
  const won = new Game(STANDARD, [0, 1, 0, 1, 0, 1, 0]);
  assert.deepEqual(resultOf({ ...match, game: won }), { winner: 0, end: "line" });
  const full = new Game({ width: 2, height: 1, connect: 3, diagonals: true }, [0, 1]);
  assert.deepEqual(resultOf({ ...match, game: full }), { winner: null, end: "full board" });
});

test("taking back after the flag fell gives the time back that was left before the move", () => {
  const begun = newMatch(new Game(), [null, null], 60, 0);
  const ended = { ...played(played(begun, 3, 10_000), 3, 15_000), left: [0, 56], timeout: 0 };
  const back = takenBack(ended, 80_000);
  assert.deepEqual([back.game.moves, resultOf(back), clockOf(back, 0, 80_000), clockOf(back, 1, 80_000)],
    [[3], null, 51, 60]);
});

test("taking back undoes the user's last move and the reply to it", () => {
  const match = newMatch(new Game(STANDARD, [3, 3, 4, 4]), SEATS, 60, 0);
  const back = takenBack({ ...match, hint: 2, resigned: 0 }, 7);
  assert.deepEqual([back.game.moves, back.hint, back.resigned, back.since], [[3, 3], null, null, 7]);
  assert.deepEqual(takenBack({ ...match, seats: [LEVEL, null] }, 7).game.moves, [3, 3, 4]);
  assert.deepEqual(takenBack({ ...match, seats: [null, null] }, 7).game.moves, [3, 3, 4]); // one move of two people
  const engines = { ...match, seats: [ENGINE, ENGINE] };
  assert.equal(takenBack(engines, 7), engines);
  const first = newMatch(new Game(STANDARD, [3]), [LEVEL, null], 60, 0); // the level's move
  assert.equal(takenBack(first, 7), first);
});

test("seconds as texts", () => {
  assert.deepEqual([65.9, 9.44, -1, 600].map(clockText), ["1:05", "9.4", "0.0", "10:00"]);
});

test("who plays", () => {
  const found = [[null, LEVEL], [LEVEL, null], [null, null], [ENGINE, LEVEL]].map((seats) => {
    const match = newMatch(new Game(), seats, 0, 0);
    return [onlyPerson(match), isPersonsTurn(match)];
  });
  assert.deepEqual(found, [[0, true], [1, false], [null, true], [null, false]]);
});

test("the opinion of an engine stays until it moves again", () => {
  const opinion = { value: 0.6, proof: null, distance: null, bound: null, pv: [3, 3] };
  const match = newMatch(new Game(), [ENGINE, ENGINE], 0, 0);
  const next = played(played(match, 3, 1, opinion), 3, 2, { ...opinion, value: 0.3 });
  assert.deepEqual(next.opinions.map((each) => each?.value), [0.6, 0.3]);
  assert.deepEqual(match.opinions, [null, null]);
});
