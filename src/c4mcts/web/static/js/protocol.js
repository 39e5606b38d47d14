/**
 * The messages of the protocol as types: the queries of the page, and the parts of the replies that it reads. Nothing
 * here runs.
 *
 * docs/guide/protocol.md explains them; tests/web/schemas.ts compares them with docs/schemas.
 *
 * @import { Player, Rules } from "./game.js"
 * @import { Steps } from "./protocol-steps.js"
 */

/** @typedef {number} Column Counted from 0. */
/** @typedef {"win" | "draw" | "loss" | null} Proof The proven result for the player to move; null: none. */
/** @typedef {"exact" | "at most" | null} Bound What a distance is; null without one. */
/**
 * What is certain of a position or a move.
 *
 * @typedef {object} Proven
 * @property {Proof} proof
 * @property {number | null} distance plies to the end of the game
 * @property {Bound} bound
 */
/** @typedef {number | "inf" | "-inf" | null} SelectionScore */
/** @typedef {"random" | "decisive" | "safe"} RolloutPolicy */

/**
 * @typedef {object} Position
 * @property {Column[]} [moves]
 * @property {string} [fen] the position before the moves
 * @property {Rules} [rules]
 */

/**
 * @typedef {object} AnalyzeKeys
 * @property {"analyze"} action
 * @property {string} [preset]
 * @property {{ exploration?: number, rollout?: RolloutPolicy }} [overrideSettings]
 * @property {number} [seed]
 * @property {number} [threads]
 * @property {number} [maxTime] seconds
 * @property {number} [maxVisits]
 * @property {number} [reportDuringSearchEvery] seconds
 * @property {boolean} [reuseTree]
 */
/**
 * @typedef {object} StepsKeys
 * @property {"steps"} action
 * @property {string} [preset]
 * @property {{ exploration?: number }} [overrideSettings]
 * @property {number} [seed]
 */

/** @typedef {Position & AnalyzeKeys} AnalyzeQuery */
/** @typedef {Position & { action: "solve", columns?: boolean, includePv?: boolean, maxTime?: number }} SolveQuery */
/** @typedef {Position & { action: "play", level: number }} PlayQuery */
/** @typedef {Position & { action: "review", reportDuringSearchEvery?: number }} ReviewQuery */
/** @typedef {Position & StepsKeys} StepsQuery */
/** @typedef {Position & { action: "describe" }} DescribeQuery */
/** @typedef {Position & { action: "opening" }} OpeningQuery */
/** @typedef {{ action: "puzzles" }} PuzzlesQuery */
/** @typedef {{ action: "tree", path: Column[] }} TreeQuery */
/** @typedef {{ action: "query_version" }} VersionQuery */
/** @typedef {{ action: "terminate", terminateId: string }} TerminateQuery */

/**
 * A query without its id, which the connection adds.
 *
 * @typedef {AnalyzeQuery | SolveQuery | PlayQuery | ReviewQuery | StepsQuery | DescribeQuery | OpeningQuery
 *   | TreeQuery | PuzzlesQuery | VersionQuery} Query
 */

/** @typedef {{ id: string } & (Query | TerminateQuery)} Message What is sent. */

/**
 * @typedef {object} MoveInfo
 * @property {Column} move
 * @property {number} order 0: the move to play
 * @property {number} visits
 * @property {number | null} winrate mean reward in [0, 1] for the player to move; null without visits
 * @property {Proof} proof
 * @property {number | null} distance plies to the end of the game
 * @property {Bound} bound
 * @property {Column[]} pv to the end of the game if it has `distance` moves
 */
/**
 * @typedef {object} RootInfo
 * @property {Player} currentPlayer
 * @property {number | null} winrate
 * @property {number} visits
 * @property {number} simulations of this query; fewer than visits if a tree was reused
 * @property {number} nodes
 * @property {number} bytes memory of the tree
 * @property {number} seconds
 * @property {number} seed
 * @property {Proof} proof
 * @property {number | null} distance
 * @property {Bound} bound
 */
/** @typedef {{ moveInfos: MoveInfo[], rootInfo: RootInfo }} Analysis */

/**
 * The result of the solver; null or empty where a limit came first.
 *
 * @typedef {object} Solution
 * @property {number | null} score on Pascal Pons' scale, for the player to move
 * @property {number | null} distance
 * @property {(number | null)[] | null} columns scores by column; null for a full one, or if not asked for
 * @property {Column[]} best
 * @property {Column[]} pv best play, if asked for: to the end of the game if it has `distance` moves
 * @property {Threat | null} [zugzwang] the cell in which it is won on top of a disc that the loser had to play
 */

/** @typedef {{ move: Column }} LevelMove */

/** @typedef {"only" | "best" | "good" | "inaccuracy" | "mistake" | "missed win" | "blunder"} MoveKind */
/**
 * @typedef {object} ReviewedMove
 * @property {number} ply discs on the board before the move
 * @property {Player} player
 * @property {Column} column
 * @property {Column[]} best
 * @property {number | null} score_before null where the solver has none
 * @property {number | null} score_after
 * @property {number} value_before
 * @property {number} value_after
 * @property {MoveKind} kind
 * @property {Column[]} keeping the columns that keep the result
 * @property {Column[]} line the line that should have been played
 * @property {Column[]} refutation the line that punishes the move
 */
/** @typedef {{ accuracy: number | null, counts: Partial<Record<MoveKind, number>> }} ReviewedPlayer */
/**
 * @typedef {object} Review
 * @property {boolean} exact whether all scores are the solver's
 * @property {number} exact_from the ply from which on they are
 * @property {ReviewedMove[]} moves
 * @property {ReviewedPlayer[]} players
 */

/**
 * @typedef {object} TreeChild
 * @property {Column} move
 * @property {number} visits
 * @property {number | null} value
 * @property {SelectionScore} ucb
 * @property {Proof} proof
 * @property {number | null} distance
 * @property {Bound} bound
 */
/**
 * @typedef {object} TreeNode
 * @property {Player} currentPlayer
 * @property {number} visits
 * @property {number} exploration
 * @property {TreeChild[]} children
 */

/**
 * An empty cell in which a player would complete a line.
 *
 * @typedef {object} Threat
 * @property {Player} player
 * @property {[column: number, row: number]} cell row 0 is the bottom
 * @property {boolean} isOdd whether the row is odd, counted from 1
 */
/**
 * @typedef {object} Description
 * @property {Rules} rules
 * @property {number[][]} board rows from the top; 0 empty, 1 first player, 2 second
 * @property {Player} currentPlayer
 * @property {Column[]} winningMoves
 * @property {Column[]} threatenedMoves columns in which the opponent would win now
 * @property {Threat[]} threats of both players
 * @property {Column[]} movesBelowThreats columns that let the opponent win on top of the disc
 * @property {boolean} isZugzwang whether the player to move loses only because of having to move
 */

/**
 * @typedef {"win" | "draw" | "double threat" | "stacked threats" | "zugzwang" | "odd threat" | "even threat"
 *   | "forced replies" | "quiet move"} Theme
 */
/**
 * What the opening book knows about a move.
 *
 * @typedef {object} OpeningMove
 * @property {Column} move
 * @property {number} score for the player who makes it
 * @property {number} distance plies to the end of the game
 * @property {number} replies the number of moves that the opponent then has
 * @property {number | null} holding how many of them keep the result
 * @property {string | null} name of the position after it
 */
/**
 * @typedef {object} Opening
 * @property {number | null} score
 * @property {OpeningMove[]} moves those that the book knows
 * @property {{ name: string, text: string, ply: number } | null} opening the last position with a name, and its discs
 */

/**
 * A position with exactly one right move.
 *
 * @typedef {object} Puzzle
 * @property {Column[]} moves from the empty board of 7 x 6
 * @property {Column[]} line best play; its first column is the right move
 * @property {number} depth plies to look ahead
 * @property {number} level the weakest that finds it
 * @property {number} rating Elo of that level
 * @property {Theme[]} themes
 */

/**
 * The abilities of the server.
 *
 * @typedef {object} ServerFacts
 * @property {string[]} presets
 * @property {string[]} rolloutPresets those that search by rollouts, whose simulations can be shown one by one
 * @property {{ level: number, name: string, rating: number }[]} levels rating: Elo on 7 x 6
 * @property {{ seconds: number, threads: number }} limits
 */

/**
 * The last reply to each action, and the reports before it.
 *
 * @typedef {object} Replies
 * @property {Analysis} analyze
 * @property {Solution} solve
 * @property {LevelMove} play
 * @property {{ review: Review }} review
 * @property {Steps} steps
 * @property {Description} describe
 * @property {Opening} opening
 * @property {TreeNode} tree
 * @property {{ puzzles: Puzzle[] }} puzzles
 * @property {ServerFacts} query_version
 */
/**
 * @typedef {object} Reports
 * @property {Analysis} analyze
 * @property {{ reviewed: number, moves: number }} review
 */
/**
 * @template {Query} Q
 * @typedef {Replies[Q["action"]]} ReplyTo
 */
/**
 * @template {Query} Q
 * @typedef {Q["action"] extends keyof Reports ? Reports[Q["action"]] : never} ReportOf
 */

export {};
