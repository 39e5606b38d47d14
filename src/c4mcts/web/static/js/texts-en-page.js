/** The texts of the page around the modes, of Analyse, and of what all modes share in English. */

export const page = /** @type {const} */ ({
  colours: { yellow: "yellow", red: "red", none: "empty" },
  proofs: { win: "win", draw: "draw", loss: "loss" },
  proofLetters: { win: "W", draw: "D", loss: "L" },
  index: {
    skip: "Skip the board", whole: "Open the whole page", modes: "Modes", present: "Present",
    presentTitle: "Present (P)", help: "Help", helpTitle: "Help (?)", game: "Game",
    variations: "Moves and variations", mode: "Mode",
  },
  rules: { width: "width", height: "height", connect: "connect" },
  address: {
    problem: "The address: {problem}",
  },
  analyse: {
    legend: "Exact: + wins, 0 draws, − loses; .50: a value ", legendVisits: " visits", tree: "Tree",
    searchIsOff: "The search is off.", course: "Course of the game, position {ply} of {count} on the board",
    announcement: "{verdict}. Best column {column}.", simulations: "{visits} simulations", nodes: "{nodes} nodes",
    megabytes: "{megabytes} MB",
  },
  board: {
    column: "Column {column}: from below {discs}", emptyColumn: "Column {column}: empty",
  },
  confirmation: {
    cancel: "Cancel", endAgainstLevel: "End the game against level {number}?", end: "End the game?",
    endButton: "End the game", undoBringsBack: "Undo (Ctrl Z) brings it back.",
  },
  connection: {
    closed: "The connection to the engine is closed.", noAnswer: "The server does not answer.",
    noResult: "The server found no result in time.", lost: "The connection to the engine was lost.",
  },
  controls: {
    oneSecond: "1 s", fiveSeconds: "5 s", halfMinute: "30 s", twoMinutes: "2 min", noLimit: "no limit",
    title: "Start or stop (Space)", time: "Time", threads: "Threads", stop: "Stop", proven: "Proven",
    continue: "Continue", start: "Start", oneThread: "This engine has one thread; on a server, c4mcts web has more.",
  },
  draft: {
    refusal: "There are {count}: players take turns, so one may have only one disc more than the other.",
    count: "{count} and {red} red",
  },
  editorBoard: {
    label: "Cells of the board", cell: "Column {column}, row {row}: {disc}",
  },
  editor: {
    yellow: "Yellow", red: "Red", remove: "Remove", disc: "Disc", toMove: "To move", undo: "Undo",
    undoTitle: "Undo (Ctrl Z)", clear: "Clear", clearTitle: "Remove all discs", cleared: "All discs are removed.",
    reset: "Reset", resetTitle: "As on the board of the page", wasReset: "The position is as before.",
    title: "Set up a position",
    help: "A disc falls to the lowest free cell. Choose a disc of the other colour to change it.",
    helpKeys: " Keys: arrows and Enter; Y, R, Delete for yellow, red, remove.", cancel: "Cancel",
    use: "Use this position", emptyColumn: "Column {column} is empty.", fullColumn: "Column {column} is full.",
    place: "column {column}, row {row}", removed: "Removed from {where}.", placed: "{colour} in {where}.",
    undone: "Undone.", state: "{words} {count}. {colour} to move.",
  },
  explanation: {
    check: "Explain the position", wins: "{mover} wins with {columns}.",
    doubleThreat: "{other} threatens to win with {columns}: {mover} can stop only one.",
    mustPlay: "{mover} must play {columns}.",
    inZugzwang: "{mover} is in zugzwang: each column lets {other} win on top of it.",
    belowThreat: "A disc in {columns} lets {other} win on top of it.",
    hasZugzwang: "{winner} has the zugzwang: with best play, {loser} must at last play below {cell}.",
    threats: "{name}’s threats: {cells}.", nothing: "Neither player threatens anything yet.",
    oddCell: "column {column}, row {row} (odd)", evenCell: "column {column}, row {row} (even)", or: " or ",
  },
  format: {
    toMove: "{name} to move.", isDraw: "The game is a draw.", hasWon: "{name} has won.",
    provenIn: "{word} in {distance}",
  },
  gameChoice: {
    players: "{first} and {second}", titleOfFirst: "Choose one of the first {most} of {count} games",
    title: "Choose one of {count} games", cancel: "Cancel", open: "Open",
  },
  gameFiles: {
    noJson: "What follows the moves is not JSON.",
  },
  gameText: {
    problem: "Character {place}{problem}", openParenthesis: "Character {place}: a parenthesis is not closed.",
    comma: ": a comma must follow a move.", commentString: ": the comment is not a string of JSON.",
    commentPlace: ": a comment must follow its move.",
    variationPlace: ": a variation must follow the move to which it is an alternative.",
    closesNothing: ", “)”, closes nothing.", emptyVariation: ": the variation has no moves.",
    numbers: "with commas, moves are numbers from 0", digits: "without commas, moves are digits from 1",
    noColumn: ", “{text}” is not a column: {how}.", missingComma: ": a comma is missing before the move.",
    duplicate: ": column {token} is there already as an alternative.",
    tooMany: ": a game has at most {most} moves in all variations.",
  },
  game: {
    noColumn: "There is no column {column}: the board has columns {first} to {width}.", over: "The game is over.",
    full: "Column {column} is full.",
  },
  graph: {
    yellowWins: "Yellow wins", draw: "Draw", redWins: "Red wins",
  },
  header: {
    analyse: "Analyse", play: "Play", learn: "Learn", review: "Review", puzzles: "Puzzles",
    autoTheme: "Theme: follow the system", lightTheme: "Theme: light", darkTheme: "Theme: dark",
    noDiagonals: ", no diagonals", rules: "{width} × {height}, {connect} in a row{diagonals}",
    rulesTitle: "Change the board", keys: "Keys",
    help: "Columns count from 1. A value is the expected result of a player: 1 a win, ½ a draw, 0 a loss. Scores " +
      "are the solver’s: +1 wins with the last disc, +2 with one disc to spare and so on, −1 and −2 the same for " +
      "the other side; 0 is a draw.",
    sound: "Sound of the discs", language: "Language", ofBrowser: "as in the browser", close: "Close",
  },
  installation: {
    newVersion: "A new version of this page is ready. Your game is kept.", reload: "Reload",
  },
  keyboard: {
    play: "play a column", backAndForward: "back or forward", homeAndEnd: "Home End",
    toStartOrEnd: "to the start or the end", space: "Space",
    startOrStop: "start or stop the search; in Learn: play or pause",
    inLearn: "in Learn: a phase back or forward, the previous or next simulation", hint: "hint",
    next: "the next puzzle or mistake", swap: "swap the colours",
    present: "present: full screen, large type; P or Esc ends it", tab: "Tab",
    toTheBoard: "to the board; there ← → choose a column, Enter plays it", controlZ: "Ctrl Z",
    undo: "undo; Ctrl Shift Z or Ctrl Y: redo", controlV: "Ctrl V", paste: "put a copied position on the board",
    help: "this list",
  },
  main: {
    played: "{name} played column {column}.", position: "Position after {ply} moves.",
    failed: "{reason} Your game is kept.", restart: "Start it again",
    trying: "{reason} Trying again; your game is kept.",
  },
  movesTable: {
    move: "Move", result: "Result", search: "Search", visits: "Visits", line: "Line",
    caption: "Moves, the best first", play: "Play column {column}",
    expected: "What the search expects, not best play",
  },
  notation: {
    tooLong: "A text of {length} characters is too long for a position.",
    puzzleLink: "This is a link to a puzzle: open it in the address bar.",
    longAddress: "This address is too long for a position.",
    address: "The part of the address after # can't be read.",
    noBoard: "“{text}” is not a board: write 7x6x4, for example.",
    limit: "The {name} must be {low} to {high} on this page, not {number}.",
    wideBoard: "With more than 9 columns, write moves as a list with commas, columns from 0: 3,11,2.",
    noDigit: "Character {index}, “{letter}” is not a column: without commas, moves are digits from 1.",
    character: "character {index}",
    noNumber: "Entry {index}, “{shown}” is not a column: with commas, moves are numbers from 0.",
    entry: "entry {index}", illegal: "Move {number} ({place}): {refusal}",
  },
  notebook: {
    swapColours: "Swap colours",
  },
  openingWords: {
    allLose: "all lose", winning: ["{count} of {replies} wins", "{count} of {replies} win"],
    drawing: ["{count} of {replies} draws", "{count} of {replies} draw"],
    otherBoard: "The book is for 7 × 6, four in a row.",
    end: "The book has all positions of up to 12 discs, and of those of up to 24 the ones that best play leads to.",
  },
  openings: {
    move: "Move", result: "Result", replies: "Replies", leadsTo: "Leads to",
    caption: "Moves in the opening book, the best first", title: "Opening book", over: "The game is over.",
    play: "Play column {move}",
  },
  positions: {
    problem: "{problem} The game is unchanged.", noMoves: "Read as a position without moves.",
    list: "Read as the columns {columns}{more} of the board: a list with commas counts columns from 0.",
    digits: "Read as the columns {columns}{more} of the board: digits count columns from 1.",
  },
  presets: {
    strong: "What c4mcts plays with: rollouts that avoid blunders, proofs, and the exact solver.",
    uct: "Plain UCT, as in textbooks: random rollouts, c = 1.41, and nothing else.",
    perfect: "“strong” with the book of all positions of up to 12 discs.",
    network: "PUCT with a small network of the package in place of rollouts, with proofs and the exact solver.",
    "uct-timed": "The agent of a blog post: plain UCT for which a draw is a loss of both players.",
    "report-minimax": "A course report: plain UCT with rewards from −1 to 1; positions reached in two ways are one.",
    "report-random": "The same course report, with an opponent who moves at random.",
    "notebook-uct": "A lecture notebook: a draw counts as a loss, and the move with the highest value is played.",
    "no-diagonals": "A desktop game without diagonals: it plays the move with the highest score, and prefers quick " +
      "wins.",
  },
  rulesDialog: {
    columns: "Columns", rows: "Rows", inARow: "In a row", diagonals: "Diagonals count", cancel: "Cancel",
    newGame: "New game", title: "Another board",
  },
  searchFields: {
    random: "random", decisive: "decisive", safe: "safe", ofPreset: "preset’s", preset: "Preset",
    exploration: "Exploration factor c", placeholder: "as in the preset",
    refusal: "The exploration factor c is a number from 0 to {most}, not {text}.", rollouts: "Rollouts",
  },
  share: {
    title: "Share", link: "Link", moves: "Moves", python: "Python", kaggle: "Kaggle", drawing: "Drawing",
    onYourPage: "On your page", png: "PNG", svg: "SVG", animation: "Animated SVG of the game", close: "Close",
    copyLabel: "Copy: {name}", copied: "{name}: copied.",
    notAllowed: "The browser does not allow copying; the text is selected, so Ctrl C copies it.", copy: "Copy",
  },
  status: {
    loading: "Loading", starting: "Starting the engine.",
    loadingEngine: "Loading the engine; you can play on the board.",
  },
  storage: {
    unreadable: "The game that this browser stored can’t be read; it was set aside.",
  },
  toolbar: {
    placeholder: "moves",
    movesLabel: "Moves: type or paste moves, a FEN or a link, then press Enter", newGame: "New",
    newTitle: "Start a new game on this board", edit: "Edit", editTitle: "Set up a position: place and remove discs",
    share: "Share", shareTitle: "Link, picture, code and more of this position", save: "Save",
    saveTitle: "Save the game as a text file", open: "Open", openTitle: "Open a game from a text file",
    swap: "Swap colours", swapTitle: "Swap the colours (F)", first: "To the start (Home)", back: "Back (←)",
    forward: "Forward (→)", last: "To the end (End)", undo: "Undo", undoTitle: "Undo (Ctrl Z)", redo: "Redo",
    redoTitle: "Redo (Ctrl Shift Z)", largeFile: "{name} is too large for a file of games. The game is unchanged.",
  },
  transports: {
    failed: "The engine has failed{reason}.", notLoaded: "it can’t be loaded",
  },
  treeExplorer: {
    move: "Move", visits: "Visits", value: "Value", score: "Score", proof: "Proof", caption: "Nodes of the tree",
    most: "{most} nodes are open, which is the maximum: close some.",
    note: "{visits} visits, exploration factor {exploration}", empty: "The tree of the search appears here.",
    column: "Column {columns}",
  },
  variations: {
    label: "Moves", promote: "Make main line", remove: "Delete from here", comment: "Comment",
    commentLabel: "Comment on move {number}", commentOnStart: "Comment on the start",
    move: "Move {number}, {name} column {column}",
  },
  verdict: {
    isWinning: "{name} is winning", isClearlyAhead: "{name} is clearly ahead", isAhead: "{name} is ahead",
    solver: "Solver", search: "Search", draw: "A draw", hasWon: "{name} has won",
    drawWithBestPlay: "A draw with best play", wins: "{name} wins",
    winsIn: "{wins} in {moves}", winsInAtMost: "{wins} in at most {moves}",
    toMove: "{name} to move", even: "Even", belief: "{says} for {name}, column {move}",
    notBest: "{text}: not the best move", noProof: "{text}: no proof yet", exact: "{score}, best {columns}",
  },
  counts: {
    mistakes: ["{count} mistake", "{count} mistakes"],
    yellowDiscs: ["{count} yellow disc", "{count} yellow discs"],
    simulations: ["{count} simulation", "{count} simulations"],
    moves: ["{count} move", "{count} moves"],
    draws: ["{count} draw", "{count} draws"],
  },
});
