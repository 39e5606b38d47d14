import assert from "node:assert/strict";
import { test } from "node:test";

import { Game, STANDARD, isSameStart } from "../../../src/c4mcts/page/static/js/game.js";
import { LONG_GAME, countedLooks } from "./fakes.js";

const WON = [0, 1, 0, 1, 0, 1, 0]; // by the first player

test("a move makes another game, and leaves the old one as it was", () => {
  const game = new Game();
  const next = game.play(3);
  assert.deepEqual([game.moves, game.discs, game.last], [[], 0, null]);
  assert.deepEqual([next.moves, next.discs, next.last, next.turn], [[3], 1, [3, 0], 1]);
  assert.throws(() => /** @type {number[]} */ (next.moves).push(0), TypeError);
});

test("moves that can't be played get a reason", () => {
  const full = new Game(STANDARD, [3, 3, 3, 3, 3, 3]);
  assert.equal(full.refusal(3), "Column 4 is full.");
  assert.equal(full.refusal(7), "There is no column 8: the board has columns 1 to 7.");
  assert.equal(full.refusal(NaN), "There is no column NaN: the board has columns 1 to 7.");
  assert.equal(new Game(STANDARD, WON).refusal(6), "The game is over.");
  assert.throws(() => full.play(3), { name: "RangeError", message: "Column 4 is full." });
  assert.deepEqual(full.legalColumns, [0, 1, 2, 4, 5, 6]);
});

test("a line longer than needed wins with all its cells, also at the start of a game", () => {
  const [moves, cells] = [[0, 0, 1, 1, 3, 3, 4, 4, 2], [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]]];
  const won = new Game(STANDARD, moves);
  assert.deepEqual(won.outcome, { winner: 0, cells });
  assert.deepEqual(new Game(STANDARD, [], { fen: "", columns: won.columns, turn: 1 }).outcome, { winner: 0, cells });
});

test("a long game looks once for the lines through each disc, however often one goes back and forward", () => {
  const { looks, start } = countedLooks();
  const game = LONG_GAME.reduce((position, column) => position.play(column), start);
  for (const count of [...LONG_GAME.keys(), ...LONG_GAME.keys()]) {
    assert.deepEqual([game.after(count).outcome, game.after(count).moves.length], [null, count]);
  }
  assert.ok(looks.count <= LONG_GAME.length, `${looks.count}`);
});

test("a game with other moves shares the positions before they differ", () => {
  const game = new Game(STANDARD, [3, 3, 4]);
  const other = game.with([3, 3, 5, 5]);
  assert.deepEqual([other.moves, other.turn, game.with([3]).moves], [[3, 3, 5, 5], 0, [3]]);
  assert.equal(other.after(2), game.after(2));
  assert.equal(game.with(game.moves), game);
});

test("a game continues from its start", () => {
  const start = { fen: "7/7/7/7/7/2xo3 x 7x6x4", columns: [[], [], [0], [1], [], [], []], turn: 0 };
  const game = new Game(STANDARD, [2], start);
  assert.deepEqual([game.columns[2], game.turn, game.discs], [[0, 0], 1, 3]);
  assert.deepEqual(game.query, { moves: [2], fen: start.fen });
  assert.deepEqual(start.columns[2], [0]);
  assert.deepEqual(new Game(STANDARD, [2]).query, { moves: [2], rules: STANDARD });
  assert.ok(isSameStart(game, game.after(0)));
  assert.ok(!isSameStart(game, new Game()));
});

test("keys are equal for equal games only", () => {
  const games = [new Game(), new Game(STANDARD, [1]), new Game(STANDARD, [1, 2]), new Game({ ...STANDARD, height: 7 })];
  assert.equal(new Set(games.map((game) => game.key)).size, games.length);
  assert.equal(new Game(STANDARD, [1, 2]).key, new Game({ ...STANDARD }, [1]).play(2).key);
});
