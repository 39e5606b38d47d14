// A session as a Web Worker drives it, with the event loop of JavaScript: node session.mjs WHEELS [LIBRARY [MODULE...]]
// The modules are imported at the end.
import assert from "node:assert/strict";
import { load, main } from "./host.mjs";

const START = `
import json
from c4mcts.protocol import Caps, Session

def start(post):
    """A session; post: called with each reply, as text. Returns what takes the messages, as text."""
    return Session(lambda reply: post(json.dumps(reply))).receive

start
`;

// A session whose replies are kept; `until` resolves with the first that fulfils a condition.
class Client {
  constructor(python) {
    this.replies = [];
    this.waiting = [];
    this.receive = python.runPython(START)((text) => this.#arrived(JSON.parse(text)));
  }

  send(query) {
    this.receive(JSON.stringify(query));
  }

  until(condition) {
    const found = this.replies.find(condition);
    return found ? Promise.resolve(found) : new Promise((resolve) => this.waiting.push({ condition, resolve }));
  }

  #arrived(reply) {
    this.replies.push(reply);
    for (const { condition, resolve } of this.waiting) if (condition(reply)) resolve(reply);
  }
}

const last = (id) => (reply) => reply.id === id && !reply.isDuringSearch;
const turn = () => new Promise((resolve) => setImmediate(resolve));

const tests = {
  async "requests of each kind are answered"(client) {
    client.send({ id: "analyze", moves: [3, 3], maxVisits: 1000, seed: 7 });
    client.send({ id: "solve", action: "solve", position: "45461667" });
    client.send({ id: "play", action: "play", level: 10, position: "4444433" });
    client.send({ id: "review", action: "review", position: "44444226" });
    client.send({ id: "steps", action: "steps", maxVisits: 20, preset: "uct" });
    assert.equal((await client.until(last("analyze"))).rootInfo.visits, 1000);
    assert.deepEqual((await client.until(last("solve"))).columns, [5, 5, 11, 11, 5, 6, 5]);
    assert.equal(typeof (await client.until(last("play"))).move, "number");
    assert.equal((await client.until(last("review"))).review.moves.length, 8);
    assert.equal((await client.until(last("steps"))).steps.length, 20);
  },

  async "a search is stopped between two slices"(client) {
    client.send({ id: "long", maxTime: 60, reportDuringSearchEvery: 0.01 });
    await client.until((reply) => reply.isDuringSearch);
    client.send({ id: "t", action: "terminate", terminateId: "long" });
    assert.equal(client.replies.at(-1).id, "t"); // answered at once
    let turns = 0;
    while (!client.replies.some(last("long"))) {
      await turn();
      turns++;
    }
    assert.ok(turns <= 5, `${turns} turns`);
  },

  async "messages are answered during a solution, which is stopped"(client) {
    client.send({ id: "long", action: "solve", rules: { width: 8, height: 7 } });
    for (let i = 0; i < 10; i++) await turn();
    client.send({ id: "d", action: "describe" });
    assert.equal(client.replies.at(-1).id, "d");
    client.send({ id: "t", action: "terminate", terminateId: "long" });
    assert.ok((await client.until(last("long"))).noResults);
  },

  async "more threads are refused"(client) {
    client.send({ id: "a", threads: 2, maxVisits: 10 });
    assert.match((await client.until(last("a"))).error, /threads/);
  },
};

await main(async () => {
  const [wheels, library, ...modules] = process.argv.slice(2);
  const python = await load(wheels, library);
  for (const [name, test] of Object.entries(tests)) {
    await test(new Client(python));
    console.log(`passed: ${name}`);
  }
  for (const name of modules) python.pyimport(name);
  return 0;
});
