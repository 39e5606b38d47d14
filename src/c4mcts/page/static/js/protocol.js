/**
 * The messages of the protocol as types, which are made from the schemas of c4mcts.protocol;
 * docs/guide/protocol.md explains them. Nothing here runs.
 *
 * @import * as query from "schemas/query"
 * @import * as reply from "schemas/reply"
 * @import { Player } from "./game.js"
 */

/** @typedef {reply.AnalysisReply} Analysis */
/** @typedef {Analysis["moveInfos"][number]} MoveInfo */
/** @typedef {Analysis["rootInfo"]} RootInfo */
/** @typedef {MoveInfo["proof"]} Proof The proven result for the player to move; null: none. */
/** @typedef {Pick<MoveInfo, "proof" | "distance" | "bound">} Proven What is certain of a position or a move. */
/** @typedef {reply.SolutionReply} Solution */
/** @typedef {reply.GameReview["moves"][number]} ReviewedMove */
/**
 * A review with the moves by ply; undefined: of the opening.
 *
 * @typedef {Omit<reply.GameReview, "moves"> & { moves: readonly (ReviewedMove | undefined)[] }} Review
 */
/** @typedef {ReviewedMove["kind"]} MoveKind */
/** @typedef {Review["players"][number]} ReviewedPlayer */
/** @typedef {reply.TreeReply} TreeNode */
/** @typedef {TreeNode["children"][number]} TreeChild */
/** @typedef {TreeChild["ucb"]} SelectionScore */
/**
 * An empty cell in which a player would complete a line.
 *
 * @typedef {Omit<reply.ThreatInfo, "player"> & { player: Player }} Threat
 */
/** @typedef {reply.DescriptionReply} Description */
/** @typedef {reply.OpeningReply} Opening */
/** @typedef {Opening["moves"][number]} OpeningMove */
/** @typedef {reply.PuzzleInfo} Puzzle */
/** @typedef {reply.ExamQuestion} ExamQuestion */
/** @typedef {reply.PlanAnswer} PlanAnswer A move of the plan to win. */
/** @typedef {Puzzle["themes"][number]} Theme */
/** @typedef {reply.VersionReply} ServerFacts */
/** @typedef {reply.StepsReply} Steps A search step by step. */
/** @typedef {Steps["rolloutPolicy"]} RolloutPolicy */
/** @typedef {reply.Step} Step One simulation. */
/** @typedef {Step["selected"][number]} Selected */
/** @typedef {reply.Candidate} Candidate */
/** @typedef {Step["backup"][number]} BackedUp */

/**
 * A query without its id, which the connection adds.
 *
 * @typedef {Omit<query.Analyze, "id" | "action"> & { action: "analyze" } | WithoutId<query.Solve | query.Play
 *   | query.Plan | query.Review | query.Steps | query.Describe | query.Opening | query.Tree | query.Puzzles
 *   | query.Exam | query.QueryVersion>} Query
 */
/** @typedef {WithoutId<query.Terminate>} TerminateQuery */
/**
 * @template Sent
 * @typedef {Sent extends { id: query.Analyze["id"] } ? Omit<Sent, "id"> : never} WithoutId
 */
/** @typedef {{ id: string } & (Query | TerminateQuery)} Message What is sent. */

/**
 * The last reply to each action, and the reports before it.
 *
 * @typedef {object} Replies
 * @property {Analysis} analyze
 * @property {Solution} solve
 * @property {reply.MoveReply} play
 * @property {reply.ReviewReply} review
 * @property {{ answers: PlanAnswer[] }} plan
 * @property {Steps} steps
 * @property {Description} describe
 * @property {Opening} opening
 * @property {TreeNode} tree
 * @property {reply.PuzzlesReply} puzzles
 * @property {reply.ExamReply} exam
 * @property {ServerFacts} query_version
 */
/** @typedef {{ analyze: Analysis, review: reply.ReviewingReply }} Reports */
/**
 * @template {Query} Q
 * @typedef {Replies[Q["action"]]} ReplyTo
 */
/**
 * @template {Query} Q
 * @typedef {Q["action"] extends keyof Reports ? Reports[Q["action"]] : never} ReportOf
 */

export {};
