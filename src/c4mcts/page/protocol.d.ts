/**
 * The messages of the protocol as types, which are made from the schemas of c4mcts.protocol;
 * docs/guide/protocol.md explains them.
 */

import type * as query from "schemas/query";
import type * as reply from "schemas/reply";
import type { Player } from "./static/js/game.js";

export type Analysis = reply.AnalysisReply;
export type MoveInfo = Analysis["moveInfos"][number];
export type RootInfo = Analysis["rootInfo"];
/** The proven result for the player to move; null: none. */
export type Proof = MoveInfo["proof"];
/** What is certain of a position or a move. */
export type Proven = Pick<MoveInfo, "proof" | "distance" | "bound">;
export type Solution = Pick<reply.SolutionReply, "score" | "distance" | "columns" | "best" | "pv" | "zugzwang">;
export type ReviewedMove = reply.GameReview["moves"][number];
/** A review with the moves by ply; undefined: of the opening. */
export type Review = Omit<reply.GameReview, "moves"> & { moves: readonly (ReviewedMove | undefined)[] };
export type MoveKind = ReviewedMove["kind"];
export type ReviewedPlayer = Review["players"][number];
export type TreeNode = reply.TreeReply;
export type TreeChild = TreeNode["children"][number];
export type SelectionScore = TreeChild["ucb"];
/** An empty cell in which a player would complete a line. */
export type Threat = Omit<reply.ThreatInfo, "player"> & { player: Player };
export type Description = reply.DescriptionReply;
export type Opening = reply.OpeningReply;
export type OpeningMove = Opening["moves"][number];
export type Puzzle = reply.PuzzleInfo;
export type ExamQuestion = reply.ExamQuestion;
/** A move of the plan to win. */
export type PlanAnswer = reply.PlanAnswer;
export type Theme = Puzzle["themes"][number];
export type ServerFacts = reply.VersionReply;
/** A search step by step. */
export type Steps = reply.StepsReply;
export type RolloutPolicy = Steps["rolloutPolicy"];
/** One simulation. */
export type Step = reply.Step;
export type Selected = Step["selected"][number];
export type Candidate = reply.Candidate;
export type BackedUp = Step["backup"][number];

/** A query without its id, which the connection adds. */
export type Query = Omit<query.Analyze, "id" | "action"> & { action: "analyze" }
  | WithoutId<query.Solve | query.Play | query.Plan | query.Review | query.Steps | query.Describe | query.Opening
    | query.Tree | query.Puzzles | query.Exam | query.QueryVersion>;
export type TerminateQuery = WithoutId<query.Terminate>;
export type WithoutId<Sent> = Sent extends { id: query.Analyze["id"] } ? Omit<Sent, "id"> : never;
/** What is sent. */
export type Message = { id: string } & (Query | TerminateQuery);

/** The last reply to each action, and the reports before it. */
export type Replies = {
  analyze: Analysis,
  solve: Solution,
  play: reply.MoveReply,
  review: reply.ReviewReply,
  plan: { answers: PlanAnswer[] },
  steps: Steps,
  describe: Description,
  opening: Opening,
  tree: TreeNode,
  puzzles: reply.PuzzlesReply,
  exam: reply.ExamReply,
  query_version: ServerFacts,
};
export type Reports = { analyze: Analysis, review: reply.ReviewingReply };
export type ReplyTo<Q extends Query> = Replies[Q["action"]];
export type ReportOf<Q extends Query> = Q["action"] extends keyof Reports ? Reports[Q["action"]] : never;
