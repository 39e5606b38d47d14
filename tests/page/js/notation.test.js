import assert from "node:assert/strict";
import { test } from "node:test";

import { STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { readHash, readText, writeHash, writeText } from "../../../src/c4mcts/page/static/js/notation.js";
import { understood } from "../../../src/c4mcts/page/static/js/positions.js";
import { NotationError } from "../../../src/c4mcts/page/static/js/tree-text.js";

const START = { fen: "7/7/7/7/7/2xo3 x 7x6x4", columns: [[], [], [0], [1], [], [], []], turn: 0 };
const readFen = async (/** @type {string} */ fen) => ({ rules: STANDARD, start: { ...START, fen } });

for (const address of [
  "", "445", "20x14x5:9,10,19", "20x14x5:9,", "9x7x4:129", "7x6x4-no-diagonals:44", "7/7/7/7/7/2xo3_x_7x6x4:45",
  "10x10x5:",
]) {
  test(`the text ${address} comes back as it was`, async () => {
    const link = await readHash(address, readFen);
    assert.deepEqual([writeText(link.game), link.mode, link.flipped], [address, null, null]);
  });
}

for (const address of [
  "/analyse/7x6x4/", "/learn/7x6x4/445", "/play/20x14x5/9,10,19?flip", "/review/7x6x4-no-diagonals/44?ply=0",
  "/analyse/7/7/7/7/7/2xo3_x_7x6x4/45?ply=1&flip", "/analyse/10x10x5/9,", "/puzzles/17", "/puzzles",
]) {
  test(`the address #${address} comes back as it was`, async () => {
    const { mode, ...link } = await readHash(address, readFen);
    assert.ok(mode);
    assert.equal(writeHash({ ...link, mode }), address);
  });
}

test("a link to a puzzle is not a position", async () => {
  await assert.rejects(readText("http://127.0.0.1/#/puzzles/17", STANDARD, readFen), NotationError);
});

test("an address beyond the end of its line is at the end", async () => {
  const { game, ply } = await readHash("/analyse/7x6x4/445?ply=9&more", readFen);
  assert.deepEqual([game.moves, ply], [[3, 3, 4], 3]);
});

for (const text of [
  "445", "4 4 5", "3,3,4", "3, 3, 4\n", "3,3,4,", " 445 ", "http://127.0.0.1/#445", "#445", "7x6x4:445",
  "#/play/7x6x4/4453?ply=3",
]) {
  test(`${JSON.stringify(text)} are the moves 445`, async () => {
    assert.deepEqual((await readText(text, STANDARD, readFen)).moves, [3, 3, 4]);
  });
}

test("moves alone are on the board that is there", async () => {
  const rules = { width: 12, height: 8, connect: 5, diagonals: true };
  const game = await readText("11,0", rules, readFen);
  assert.deepEqual([game.moves, game.rules], [[11, 0], rules]);
});

test("a FEN is read by the server", async () => {
  const game = await readText("7/7/7/7/7/2xo3 x 7x6x4", STANDARD, readFen);
  assert.deepEqual([game.start?.fen, game.discs], ["7/7/7/7/7/2xo3 x 7x6x4", 2]);
});

for (const [text, message] of [
  ["44a4", "Character 3, “a” is not a column: without commas, moves are digits from 1."],
  ["40", "Character 2, “0” is not a column: without commas, moves are digits from 1."],
  ["48", "Character 2, move 2: There is no column 8: the board has columns 1 to 7."],
  ["4 4 4 4 4 4 4", "Character 13, move 7: Column 4 is full."],
  ["4453 11", "Digits in groups can be moves, or moves and a score: write moves without blanks."],
  ["4\uFEFF5", "Character 2, “\uFEFF” is not a column: without commas, moves are digits from 1."],
  ["http://x/#44#5", "Character 3, “#” is not a column: without commas, moves are digits from 1."],
  ["44(3)5", "Character 3, “(” is not a column: without commas, moves are digits from 1."],
  ["12121211", "Character 8, move 8: The game is over."],
  ["3,a", "Character 3, “a” is not a column: with commas, moves are numbers from 0."],
  ["3,7", "Character 3, move 2: There is no column 7: the board has columns 0 to 6."],
  ["3,3,3,3,3,3,3", "Character 13, move 7: Column 3 is full."],
  ["20x14x5:12", "With more than 9 columns, write moves as a list with commas, columns from 0: 3,11,2."],
  ["21x14x5:1", "The width must be 1 to 20 on this page, not 21."],
  ["7x6x1:1", "The connect must be 2 to 20 on this page, not 1."],
  ["1".repeat(20_001), "A text of 20,001 characters is too long for a position."],
  ["http://x/#4%", "The part of the address after # can't be read."],
  ["http://x/#7x:4", "“7x” is not a board: write 7x6x4, for example."],
]) {
  test(`${text.slice(0, 20)} is an error that says where`, async () => {
    await assert.rejects(readText(text, STANDARD, readFen), (error) => {
      assert.ok(error instanceof NotationError);
      assert.equal(error.message, message);
      return true;
    });
  });
}

for (const [text, words] of [
  ["4453", "Read as the columns 4 4 5 3 of the board: digits count columns from 1."],
  ["3,3,4,2", "Read as the columns 4 4 5 3 of the board: a list with commas counts columns from 0."],
  ["#20x14x5:9,10", "Read as the columns 10 11 of the board: a list with commas counts columns from 0."],
  ["7x6x4:", "Read as a position without moves."],
  ["12345671234567", "Read as the columns 1 2 3 4 5 6 7 1 2 3 4 5 … of the board: digits count columns from 1."],
]) {
  test(`the page says how it read ${text}`, async () => {
    assert.equal(understood(text, await readText(text, STANDARD, readFen)), words);
  });
}
