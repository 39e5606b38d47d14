// Asks `c4mcts serve` about positions, from Node. On the command line: node node_client.mjs 445 4453

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";

export class Client {
  #asked = new Map(); // by id: what takes the replies
  #count = 0;

  constructor(command = "c4mcts", options = []) {
    this.process = spawn(command, [...options, "serve"], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.process.stdout }).on("line", (line) => this.#hear(JSON.parse(line)));
    this.process.on("close", (code) => {
      for (const { reject } of this.#asked.values()) reject(new Error(`c4mcts serve has ended with ${code}`));
    });
  }

  /** The last reply to a message about one position; onReport gets those during the search. */
  ask(message, onReport = () => {}) {
    const id = `${++this.#count}`;
    this.process.stdin.write(JSON.stringify({ id, ...message }) + "\n");
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject, onReport }));
  }

  end() {
    this.process.stdin.end();
  }

  #hear(reply) {
    const { resolve, reject, onReport } = this.#asked.get(reply.id);
    if (reply.isDuringSearch) return onReport(reply);
    this.#asked.delete(reply.id);
    reply.error ? reject(new Error(reply.error)) : resolve(reply);
  }
}

if (import.meta.url === pathToFileURL(argv[1]).href) {
  const client = new Client();
  for (const position of argv.slice(2)) {
    const { score, best } = await client.ask({ action: "solve", position });
    console.log(`${position}: score ${score}, best columns ${best.map((column) => column + 1).join(" ")}`);
  }
  client.end();
}
