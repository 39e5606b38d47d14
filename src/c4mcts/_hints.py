"""What people guess: other names of arguments and attributes, with what to write instead. Loaded once a guess fails.

An argument may stand for several names: the first that the function has is the one, or what needs none.
"""

ARGUMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("time", "timeout", "time_limit", "max_time", "movetime", "secs", "duration"), ("seconds",)),
    **dict.fromkeys(
        ("iterations", "iters", "num_simulations", "n_simulations", "sims", "playouts", "rollouts", "num_rollouts"),
        ("simulations", "games"),
    ),
    **dict.fromkeys(("max_nodes", "node_limit"), ("nodes", "max_nodes")),
    **dict.fromkeys(("rows", "num_rows", "n_rows"), ("height", "rules=Rules(height=...)", "Board(height=...)")),
    **dict.fromkeys(
        ("columns", "cols", "num_columns", "n_columns"),
        ("width", "rules=Rules(width=...)", "Board(width=...)"),
    ),
    **dict.fromkeys(
        ("inarow", "n_in_row", "win_length", "connect_n", "k"),
        ("connect", "rules=Rules(connect=...)", "Board(connect=...)"),
    ),
    **dict.fromkeys(
        ("c", "c_uct", "c_puct", "cpuct", "uct_c", "exploration_constant", "exploration_weight", "exploration"),
        ("exploration", "params=UctParams(exploration=...)", "Engine(UctParams(exploration=...))"),
    ),
    **dict.fromkeys(("random_state", "rng", "random_seed"), ("seed",)),
    **dict.fromkeys(("workers", "n_jobs", "num_threads", "n_threads", "processes", "cores"), ("threads", "executor")),
    **dict.fromkeys(("n_games", "num_games", "rounds"), ("games",)),
    **dict.fromkeys(("network", "model", "net", "policy_fn"), ("evaluator",)),
    **dict.fromkeys(("algorithm", "config", "settings"), ("params", "preset")),
    **dict.fromkeys(("position", "state", "fen", "start_position"), ("board", "start")),
    **dict.fromkeys(("callback", "verbose"), ("on_progress", "progress")),
    **dict.fromkeys(("temp", "tau"), ("temperature",)),
    **dict.fromkeys(("discount_factor", "gamma"), ("discount",)),
    **dict.fromkeys(("dirichlet", "dirichlet_alpha", "noise"), ("root_noise",)),
}

# By class: what python-chess and others call it.
ATTRIBUTES: dict[str, dict[str, str]] = {
    "Board": {
        "is_game_over": "is_over()",
        "is_terminal": "is_over()",
        "game_over": "is_over()",
        "winner": "outcome().winner, once is_over()",
        "legal_actions": "legal_moves",
        "valid_moves": "legal_moves",
        "available_moves": "legal_moves",
        "move_stack": "moves",
        "history": "moves",
        "current_player": "turn",
        "to_move": "turn",
        "width": "rules.width",
        "height": "rules.height",
        "connect": "rules.connect",
        "fen": "to_fen()",
        **dict.fromkeys(("play", "drop", "move", "make_move", "apply_action"), "push(column)"),
        **dict.fromkeys(("undo", "unmake_move", "undo_move"), "pop()"),
        **dict.fromkeys(("board", "grid", "array", "state", "to_numpy", "numpy"), "to_array()"),
        **dict.fromkeys(("from_string", "from_str", "from_url", "from_json", "from_drawing"), "Board.parse(text)"),
        **dict.fromkeys(("from_numpy", "from_list", "from_grid"), "Board.from_array(cells)"),
        "from_kaggle": "Board.parse(text), or c4mcts.adapters.kaggle.board_of(observation)",
        "from_openspiel": "c4mcts.adapters.openspiel.board_of(state)",
    },
    "SearchResult": {
        "win_rate": "value",
        "winrate": "value",
        "q": "value",
        "score": "value, or c4mcts.solve(board).score",
        "best": "column",
        "move_to_play": "column",
        **dict.fromkeys(("best_move", "best_column", "action", "bestmove"), "column"),
        "visits": "simulations, or move(column).visits",
        "children": "moves",
        "probabilities": "policy()",
        "line": "pv",
    },
    "Engine": {
        **dict.fromkeys(("run", "best_move", "get_move", "play", "think", "go", "solve"), "search(board, seconds=1)"),
        **dict.fromkeys(("analyze", "analyse"), "search(board, seconds=1) or analysis(board)"),
        "root": "node()",
        "config": "params",
    },
}

HOMES = {  # of names that are looked for in the package itself, in modules that need other packages
    **dict.fromkeys(("KaggleAgent", "KagglePlayer"), "adapters.kaggle"),
    "ConnectFourEnv": "adapters.gymnasium",
    **dict.fromkeys(("TorchEvaluator", "OnnxEvaluator", "JaxEvaluator", "NumpyEvaluator"), "evaluators"),
}
