/** The texts of Learn in English. */

export const learn = /** @type {const} */ ({
  phases: { selection: "Selection", expansion: "Expansion", rollout: "Rollout", backup: "Backup" },
  compareSide: {
    factorC: "Factor c",
  },
  compareTable: {
    best: "the best move", holds: "keeps the result", fails: "gives the result away", simulations: "Simulations",
    plays: "Plays", value: "Value", visits: "Visits", caption: "What the search plays",
  },
  compareWords: {
    simulations: "{simulations} simulations", plays: "after {count} it plays {move}",
    always: ", and so it does after more", exactMove: "The exact best move is {columns}.",
    exactMoves: "The exact best moves are {others} and {column}.",
  },
  learnCompare: {
    factors: "c = 0.3 and 3", rollouts: "Random and safe rollouts", presets: "UCT and strong",
    againTitle: "Both searches with other random numbers", again: "Other random numbers",
    title: "Compare two searches",
    about: "The same position and the same random numbers. What does each search play after more and more " +
      "simulations?",
    settings: "Settings to compare", over: "The game is over, so there is nothing to search.",
  },
  learnControls: {
    play: "Play (Space)", speed: "Speed", before: "Previous simulation (↑)", back: "Back (←)", forward: "Forward (→)",
    after: "Next simulation (↓)", simulation: "Simulation", phases: "Phases",
    simulationOf: "Simulation {number} of {count}", pause: "Pause (Space)",
    againTitle: "The same search with other random numbers", again: "Other random numbers",
  },
  learnExplore: {
    title: "Look into a tree",
    about: "Open a move to see what the search thinks of the replies. At each node, the next simulation goes to " +
      "the child with the highest UCB score; ∞ means not tried yet, −∞ that it cannot be better than what is " +
      "proven.",
  },
  learnNode: {
    root: "The root: the position on the board", title: "Node {columns}: {name}’s move in column {column}",
    close: "Close (Esc)", closeTitle: "Close the node", lastSelection: "The last selection here, of column {move}:",
    visits: "Visits", value: "Value", valueFor: "{mean} for {name}", score: "Score",
    scoreThere: "{score} at the last selection", proven: "Proven", draw: "A draw", wins: "{name} wins",
  },
  learnPlayer: {
    slow: "slow", normal: "normal", fast: "fast", veryFast: "very fast",
  },
  learnScores: {
    caption: "Scores of the children", column: "Column", bars: "Value and exploration", score: "Score",
    visits: "Visits", formula: "score = value + c ",
    variance: ", V: how much the results vary",
    letters: "N: visits of the node, n: of the child, c: exploration factor{variance}", root: "Root",
    node: "Node", reward: "Reward", value: "Value",
  },
  learnSteps: {
    over: "The game is over, so there is nothing to search. Go back to a position before the end.",
    known: "The outcome of this position is known without a search.", title: "Step by step",
  },
  learnTree: {
    label: "Tree of {size} nodes. Enter looks at a node; arrow keys go to others.", root: "root",
    node: "{who}: n {visits}, value {mean}", tally: "\u2002n {visits}\u2002value {mean}",
  },
  learnWords: {
    random: "both sides play at random",
    decisive: "both sides win if they can, stop a threat if they must, and otherwise play at random",
    safe: "both sides win if they can, stop a threat if they must, and otherwise play at random, never below a " +
      "threat",
    path: "Selection: {columns}. ", simulation: "Simulation {number}. {path}{words}", moves: " Moves: {columns}.",
    summary: "Simulation {number}. Selection: {columns}. {words}",
    noChildren: "The root has no children yet, so there is nothing to select.",
    certainRoot: "The outcome at the root is certain: nothing is selected.",
    rolloutAtRoot: "The rollout starts at the root itself: nothing is selected.",
    selects: "{player} selects column {move}",
    randomOpponent: "{player} is a random opponent here: column {move} is drawn.",
    untried: "{selects}: it has not been tried here yet.", proven: "{selects}: nothing better is possible.",
    bestToo: "it also has the best results so far",
    triedLess: "others did better so far, but it was tried less often",
    highestScore: "{selects}, which has the highest score: {why}.",
    proving: ", and they prove how the game ends here", getsChildren: "The node gets {count} children{proof}.",
    newNode: "Column {leaf} is tried here for the first time: a new node joins the tree.",
    rootGetsChildren: "The root gets a child for each of the {count} open columns, and column {leaf} is tried.",
    reachedAgain: "This node is reached for the second time: it gets a child for each of the {count} open " +
      "columns, and column {leaf} is tried.",
    draw: "the game is a draw", wins: "{name} wins", noRollout: "No rollout: the outcome is certain here, {result}.",
    over: "The game is over here: {result}.",
    rollout: "From here {policy}, to the end of the game. After {length} {result}.",
    newProofs: " New proofs are passed up, too.", allVisits: "all {length} nodes of the path get one more visit",
    bothVisits: "both nodes of the path get one more visit", rootVisit: "the root gets one more visit",
    isDraw: "A draw", hasWon: "{name} has won", drawReward: "the reward of a draw",
    winReward: "the nodes of {name}’s moves the reward of a win", backup: "{end}: {count}, and {reward}.{proven}",
  },
  learn: {
    steps: "Step by step", tree: "Look into a tree", compare: "Compare", label: "What to look at",
  },
});
