"""What people guess: other names of arguments and attributes, with what to write instead. Loaded once a guess fails."""


def _by_name(table: dict[str, str]) -> dict[str, str]:
    """The entries of a table whose keys are several names each, by single names."""
    return {name: instead for names, instead in table.items() for name in names.split()}


# An argument may stand for several names: the first that the function has is the one, or what needs none.
ARGUMENTS = _by_name(
    {
        "time timeout time_limit max_time movetime secs duration": "seconds",
        "iterations iters num_simulations n_simulations sims playouts rollouts num_rollouts": "simulations games",
        "max_nodes node_limit": "nodes max_nodes",
        "rows num_rows n_rows": "height rules=Rules(height=...) Board(height=...)",
        "columns cols num_columns n_columns": "width rules=Rules(width=...) Board(width=...)",
        "inarow n_in_row win_length connect_n k": "connect rules=Rules(connect=...) Board(connect=...)",
        "c c_uct c_puct cpuct uct_c exploration_constant exploration_weight exploration": (
            "exploration params=UctParams(exploration=...) Engine(UctParams(exploration=...))"
        ),
        "random_state rng random_seed": "seed",
        "workers n_jobs num_threads n_threads processes cores": "threads executor",
        "n_games num_games rounds": "games",
        "network model net policy_fn": "evaluator",
        "algorithm config settings": "params preset",
        "position state fen start_position": "board start",
        "callback verbose": "on_progress progress",
        "temp tau": "temperature",
        "discount_factor gamma": "discount",
        "dirichlet dirichlet_alpha noise": "root_noise",
    }
)

# By class: what python-chess and others call it.
ATTRIBUTES = {
    "Board": _by_name(
        {
            "is_game_over is_terminal game_over": "is_over()",
            "winner": "outcome().winner, once is_over()",
            "legal_actions valid_moves available_moves": "legal_moves",
            "move_stack history": "moves",
            "current_player to_move": "turn",
            "width": "rules.width",
            "height": "rules.height",
            "connect": "rules.connect",
            "fen": "to_fen()",
            "play drop move make_move apply_action": "push(column)",
            "undo unmake_move undo_move": "pop()",
            "board grid array state to_numpy numpy": "to_array()",
            "from_string from_str from_url from_json from_drawing": "Board.parse(text)",
            "from_numpy from_list from_grid": "Board.from_array(cells)",
            "from_kaggle": "Board.parse(text), or c4mcts.adapters.kaggle.board_of(observation)",
            "from_openspiel": "c4mcts.adapters.openspiel.board_of(state)",
        }
    ),
    "SearchResult": _by_name(
        {
            "win_rate winrate q": "value",
            "score": "value, or c4mcts.solve(board).score",
            "best move_to_play best_move best_column action bestmove": "column",
            "visits": "simulations, or move(column).visits",
            "children": "moves",
            "probabilities": "policy()",
            "line": "pv",
        }
    ),
    "Engine": _by_name(
        {
            "run best_move get_move play think go solve": "search(board, seconds=1)",
            "analyze analyse": "search(board, seconds=1) or analysis(board)",
            "root": "node()",
            "config": "params",
        }
    ),
}

HOMES = _by_name(  # of names that are looked for in the package itself, in modules that need other packages
    {
        "KaggleAgent KagglePlayer": "adapters.kaggle",
        "ConnectFourEnv": "adapters.gymnasium",
        "TorchEvaluator OnnxEvaluator JaxEvaluator NumpyEvaluator": "evaluators",
    }
)
