import assert from "node:assert/strict";
import { test } from "node:test";

import { STANDARD } from "../../../src/c4mcts/web/static/js/game.js";
import { positionReader } from "../../../src/c4mcts/web/static/js/positions.js";
import { connected } from "./fakes.js";

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

test("what is wrong with a FEN is said by the server", async () => {
  const { server, connection } = connected();
  const refused = assert.rejects(positionReader(connection)("7/7"), { message: "A FEN has 6 rows." });
  await server.reply("describe", { error: "a FEN has 6 rows", field: "fen" });
  await refused;
});
