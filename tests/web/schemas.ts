/** Compares the types of protocol.js with docs/schemas, as `npm run types` makes them. A difference is an error of tsc. */

import type * as page from "../../src/c4mcts/web/static/js/protocol.js";
import type * as query from "./node_modules/.cache/schemas/query.js";
import type * as reply from "./node_modules/.cache/schemas/reply.js";

/** Every value of a type is one of another, too. */
type Is<Other, Type extends Other> = Type;
/** The keys that a type has and another, of which all its values are, does not know. */
type Unknown<Other, Type extends Other> = Exclude<keyof Type, keyof Other>;
type WithId<Query extends page.Query | page.TerminateQuery> = Query & { id: string };

export type UnknownKeys = Is<never,
  | Unknown<query.Analyze, WithId<page.AnalyzeQuery>>
  | Unknown<query.Solve, WithId<page.SolveQuery>>
  | Unknown<query.Play, WithId<page.PlayQuery>>
  | Unknown<query.Review, WithId<page.ReviewQuery>>
  | Unknown<query.Steps, WithId<page.StepsQuery>>
  | Unknown<query.Describe, WithId<page.DescribeQuery>>
  | Unknown<query.Opening, WithId<page.OpeningQuery>>
  | Unknown<query.Tree, WithId<page.TreeQuery>>
  | Unknown<query.QueryVersion, WithId<page.VersionQuery>>
  | Unknown<query.Terminate, WithId<page.TerminateQuery>>
>;

export type Replies = [
  Is<page.Replies["analyze"], reply.Analysis>,
  Is<page.Replies["solve"], reply.Solution>,
  Is<page.Replies["play"], reply.Played>,
  Is<page.Replies["review"], reply.Reviewed>,
  Is<page.Replies["steps"], reply.Steps>,
  Is<page.Replies["describe"], reply.Description>,
  Is<page.Replies["opening"], reply.Opening>,
  Is<page.Replies["tree"], reply.TreeNode>,
  Is<page.Replies["query_version"], reply.Version>,
  Is<page.Reports["analyze"], reply.Analysis>,
  Is<page.Reports["review"], reply.Reviewing>,
];
