import assert from "node:assert/strict";
import { test } from "node:test";

import { STANDARD } from "../../../src/c4mcts/page/static/js/game.js";
import { gameLines, positionReader, readAny, summaryOf } from "../../../src/c4mcts/page/static/js/positions.js";
import { connected, settled } from "./fakes.js";

const FEN = "7/7/7/7/2o4/2xo3 o 7x6x4";

test("a FEN is read by the server, whose rows begin at the top", async () => {
  const { server, connection } = connected();
  const read = positionReader(connection)(FEN);
  assert.equal(server.last("describe").fen, FEN);
  const empty = Array(7).fill(0);
  const board = [empty, empty, empty, empty, [0, 0, 2, 0, 0, 0, 0], [0, 0, 1, 2, 0, 0, 0]];
  await server.reply("describe", { rules: STANDARD, board, currentPlayer: 1 });
  assert.deepEqual(await read, {
    rules: STANDARD, start: { fen: FEN, turn: 1, columns: [[], [], [0, 1], [1], [], [], []] } });
});

test("a text in words is refused with the moves that may be meant", async () => {
  const { server, connection } = connected();
  const store = /** @type {any} */ ({ state: { game: { rules: STANDARD } } });
  for (const [text, words] of [
    ["After 4453, who wins?", /^“After 4453, who wins\?” can’t be read as a position\. .* If you mean 4453, paste/],
    ["4,4,5,3 (from 1)", /If you mean 4,4,5,3, paste/],
    ["puzzle 17", /^“puzzle 17” can’t be read as a position\. (?!.*mean)/],
    ['{"board": [0]}', /^The board must have 42 cells/],
  ]) {
    const refused = assert.rejects(readAny({ connection, store }, `${text}`), { message: words });
    await settled();
    await server.reply("describe", { error: "the board must have 42 cells" });
    await refused;
  }
});

test("the lines of a text that may be games", () => {
  assert.deepEqual(gameLines('\n 445 \r\n\n(4)\n"a start"4\nno game\n3,3 {"rules": "9x7x4"}'),
    ["445", "(4)", '"a start"4', '3,3 {"rules": "9x7x4"}']);
  assert.deepEqual(gameLines(""), []);
});

test("a game of a file in a few words", () => {
  const facts = '{"first": "level 4", "second": "you", "result": "0-1", "rules": "7x6x4"}';
  assert.equal(summaryOf(`444421 ${facts}`, 1), "2. level 4 and you, 0-1: 444421");
  assert.equal(summaryOf('44"a {"(3)5 {"first": "you"}', 0), '1. you: 44"a {"(3)5');
  assert.equal(summaryOf("445", 9), "10. 445");
  assert.equal(summaryOf("445 {broken", 0), "1. 445");
  assert.equal(summaryOf("445 null", 0), "1. 445 null");
  assert.equal(summaryOf('445 {"first": {}, "result": 3}', 0), "1. 445");
  assert.equal(summaryOf("4".repeat(40), 0), `1. ${"4".repeat(24)} …`);
});
