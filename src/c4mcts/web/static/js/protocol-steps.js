/**
 * A search step by step, as types of the protocol. Nothing here runs.
 *
 * @import { Player } from "./game.js"
 * @import { Column, Proof, RolloutPolicy, SelectionScore } from "./protocol.js"
 */

/** @typedef {{ node: number, move: Column, visits: number, value: number | null, ucb: SelectionScore }} Candidate */
/** @typedef {{ node: number, visits: number, move: Column, children: Candidate[] }} Selected */
/** @typedef {{ node: number, visits: number, value: number, reward: number }} BackedUp */
/**
 * One simulation. Nodes are numbers; 0 is the root.
 *
 * @typedef {object} Step
 * @property {number} number from 1
 * @property {Column[]} path
 * @property {Selected[]} selected
 * @property {{ node: number, children: { node: number, move: Column }[] }[]} expanded
 * @property {Column | null} leaf the last column of the path, if its node is new
 * @property {boolean} isProven
 * @property {Column[]} rollout
 * @property {Player | null} winner null: a draw
 * @property {{ node: number, proof: Proof }[]} proofs
 * @property {BackedUp[]} backup
 */
/**
 * @typedef {object} Steps
 * @property {Player} currentPlayer
 * @property {"ucb1" | "ucb1_tuned"} selection
 * @property {number} exploration
 * @property {RolloutPolicy} rolloutPolicy
 * @property {Step[]} steps
 * @property {number} seed
 */

export {};
