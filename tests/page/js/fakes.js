/**
 * What stands in for a server in these tests.
 *
 * @import { Listener, Transport } from "../../../src/c4mcts/page/static/js/connection.js"
 * @import { Analysis, MoveInfo, ServerFacts, Solution } from "protocol"
 * @import { Step, Steps } from "protocol"
 */

import { Connection } from "../../../src/c4mcts/page/static/js/connection.js";
import { Game } from "../../../src/c4mcts/page/static/js/game.js";

/** @type {Pick<ServerFacts, "presets" | "rolloutPresets" | "levels"> & { limits: Partial<ServerFacts["limits"]> }} */
export const FACTS = {
  presets: ["strong", "uct", "network"], rolloutPresets: ["strong", "uct"],
  levels: [{ level: 1, name: "Beginner", rating: -2 }],
  limits: { seconds: 60, threads: 2 },
};

/** What each last reply has. */
const LAST = { id: "", turnNumber: 0, isDuringSearch: /** @type {const} */ (false) };

/** A transport that is driven by hand: what was sent, and what the other side does. */
export class FakeServer {
  /** @type {Record<string, any>[]} */ // `any`: queries have different keys
  sent = [];

  /** @type {Listener[]} */
  conversations = [];

  closed = 0;

  /** @type {Transport} */
  transport = (listener) => {
    this.conversations.push(listener);
    return { send: (query) => this.sent.push(query), close: () => this.closed++ };
  };

  get #now() {
    const now = this.conversations.at(-1);
    if (!now) throw new Error("no conversation has begun");
    return now;
  }

  open() {
    this.#now.onOpen();
  }

  /**
   * @param {string} reason
   * @param {boolean} [isFinal]
   */
  lose(reason = "", isFinal) {
    this.#now.onClose(reason, isFinal);
  }

  /**
   * The query of an action that was sent last.
   *
   * @param {string} action
   */
  last(action) {
    const found = this.sent.findLast((query) => query.action === action);
    if (!found) throw new Error(`no ${action} was sent`);
    return found;
  }

  /**
   * Reply to the last query of an action.
   *
   * @param {string} action
   * @param {Record<string, any>} reply `any`: of any action; with another id, if it has one
   */
  async reply(action, reply) {
    await settled();
    this.#now.onReply({ isDuringSearch: false, ...reply, id: reply.id || this.last(action).id });
    await settled();
  }
}

/** A server that can be reached, with a connection to it. */
export function connected() {
  const server = new FakeServer();
  const connection = new Connection(server.transport);
  server.open();
  return { server, connection };
}

/** Resolves when all that does not wait for a reply or for time is done. */
export function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * An analysis with visits for some columns, the best first.
 *
 * @param {Partial<MoveInfo>[]} moves
 * @returns {Analysis}
 */
export function analysis(moves) {
  const open = { proof: null, distance: null, bound: null };
  const currentPlayer = /** @type {const} */ (0);
  /** @type {Analysis["rootInfo"]} */
  const rootInfo = { ...open, currentPlayer, winrate: 0.5, visits: 0, simulations: 0, nodes: 1, bytes: 0, seconds: 0,
    seed: 7 };
  const unvisited = { ...open, move: 0, visits: 0, winrate: null, prior: null, pv: [] };
  const moveInfos = moves.map((move, order) => ({ ...unvisited, order, ...move }));
  return { ...LAST, rootInfo, moveInfos: /** @type {Analysis["moveInfos"]} */ (moveInfos) };
}

/**
 * An answer of the solver, which has found nothing but these fields.
 *
 * @param {Partial<Solution>} fields
 * @returns {Solution}
 */
export function solution(fields) {
  return { score: null, distance: null, columns: null, best: [], pv: [], zugzwang: null, ...fields };
}

/**
 * The first simulations of a search on an empty board of two columns: the root, a child of it, and the other one.
 *
 * @returns {Steps}
 */
export function steps() {
  const [one, other] = [{ node: 1, move: 0 }, { node: 2, move: 1 }];
  /** @type {Pick<Step, "isProven" | "proofs" | "reward">} */
  const plain = { isProven: false, proofs: [], reward: 0.5 };
  const unvisited = { visits: 0, value: null, ucb: /** @type {const} */ ("inf") };
  return {
    ...LAST, fen: "", currentPlayer: 0, selection: "ucb1", exploration: 1, rolloutPolicy: "random", seed: 7,
    steps: [
      { ...plain, number: 1, path: [], selected: [], expanded: [], leaf: null, rollout: [0, 1, 1], winner: null,
        backup: [{ node: 0, visits: 1, value: 0.5, reward: 0.5 }] },
      { ...plain, number: 2, path: [0], leaf: 0, rollout: [1], winner: 0,
        selected: [{ node: 0, visits: 1, move: 0, children: [{ ...one, ...unvisited }, { ...other, ...unvisited }] }],
        expanded: [{ node: 0, children: [one, other] }],
        backup: [{ node: 0, visits: 2, value: 0.25, reward: 0 }, { node: 1, visits: 1, value: 1, reward: 1 }] },
      { ...plain, number: 3, path: [1], leaf: 1, rollout: [], winner: 1,
        selected: [{ node: 0, visits: 2, move: 1,
          children: [{ ...one, visits: 1, value: 1, ucb: 2 }, { ...other, ...unvisited }] }],
        expanded: [], proofs: [{ node: 2, proof: "loss", distance: 1, bound: "exact" }],
        backup: [{ node: 0, visits: 3, value: 0.5, reward: 1 }, { node: 2, visits: 1, value: 0, reward: 0 }] },
    ],
  };
}

/** The empty board of 20x14x20, and how often lines were looked for: that reads the rule how many discs win. */
export function countedLooks() {
  const looks = { count: 0 };
  const start = new Game({ width: 20, height: 14, diagonals: true, get connect() {
    looks.count++;
    return 20;
  } });
  return { looks, start };
}

/** The columns of a game of 270 moves on that board. */
export const LONG_GAME = Array.from({ length: 270 }, (_, ply) => (7 * ply + Math.floor(ply / 20)) % 20);
