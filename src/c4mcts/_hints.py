"""Hints: errors for names that people guess, of arguments and attributes, say what to write instead."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from ._validation import brief, suggestion

F = TypeVar("F", bound=Callable[..., object])
NEAR = 0.8  # the likeness of two names, from 0 to 1, of which one may be the other misspelt


def _by_name(table: dict[str, str]) -> dict[str, str]:
    return {name: instead for names, instead in table.items() for name in names.split()}


# A guess lists several names: the first one that the function accepts is suggested, or a whole expression.
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
        "temp tau temperature": "temperature play=PlayParams(temperature=...)",
        "discount_factor gamma": "discount",
        "dirichlet dirichlet_alpha noise root_noise": "root_noise params=PuctParams(root_noise=...)",
        "exploration_fraction": "root_noise=(alpha,fraction)",
        "selection rollout policy": "c4mcts.games.GameSearch(board,selection=...,rollout=...)",
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

# Names that people look for in the package and in c4mcts.play, with what to write instead.
NAMES = _by_name(
    {
        "MCTS Mcts mcts MCTSEngine MonteCarloTreeSearch UCT Uct uct Search Searcher TreeSearch": (
            "c4mcts.Engine(seed=7).search(board, simulations=1000)"
        ),
        "best_move get_best_move get_move bestmove choose_move analyze analyse analysis evaluate run": (
            "c4mcts.Engine().search(board, seconds=1)"
        ),
        "Position State GameState Game ConnectFour Connect4 ConnectFourGame Grid new_game": "c4mcts.Board()",
        "parse from_string from_fen load_position": "c4mcts.Board.parse(text)",
        "Agent Bot Ai AI MCTSAgent MCTSPlayer MctsPlayer UCTPlayer AIPlayer ComputerPlayer": (
            "c4mcts.play.EnginePlayer(simulations=1000)"
        ),
        "RandomAgent RandomBot random_agent random_player": "c4mcts.play.RandomPlayer()",
        "Human HumanAgent HumanPlayer": "c4mcts.play.Player: a function from a board to a column is one, too",
        "PerfectAgent SolverPlayer SolverAgent": "c4mcts.play.PerfectPlayer()",
        "tournament round_robin arena Arena compare": "c4mcts.play.play_tournament(players)",
        "match play_matches play_games battle": "c4mcts.play_match(player, opponent)",
        "game play_a_game simulate_game": "c4mcts.play.play_game(first, second)",
        "elo Elo rating ratings glicko": "c4mcts.play.bradley_terry(results), or c4mcts.play.elo_of(score)",
        "minimax negamax alphabeta alpha_beta score get_score exact": "c4mcts.solve(board).score",
        "rollout playout playouts simulate random_game": "c4mcts.rollouts(board, games=1000)",
        "Node TreeNode Tree tree": "c4mcts.Engine().tree(), or .node(), after a search",
        "opening_book load_book": "c4mcts.Book",
        "Params Config MCTSConfig Settings": "c4mcts.SearchParams.preset(name)",
        "Network NeuralNetwork Net Model": "c4mcts.PolicyValueNetwork.load()",
    }
)

COMMANDS = _by_name(  # of the command line
    {
        "tournament arena compare gauntlet elo rating ratings": "match",
        "analyse search best-move bestmove eval evaluate": "analyze",
        "gui page ui server": "web",
        "score book exact": "solve",
        "benchmark speed": "bench",
        "experiment experiments": "study",
        "kaggle export submission": "export-kaggle",
        "train generate self-play": "selfplay",
        "puzzle": "puzzles",
        "proof certify": "prove",
        "version": "info",
    }
)


def check_keywords(function: Callable[..., object], keywords: Iterable[str], options: type) -> None:
    """Refuse keyword arguments that a function with `**options` does not have, as Python would. TypeError.

    options: a TypedDict of those it has beside its parameters.
    """
    for name in keywords:
        if name not in options.__annotations__:
            from inspect import signature  # imported here, because it slows down the import of the package

            own = [each.name for each in signature(function).parameters.values() if each.kind != each.VAR_KEYWORD]
            text = f"{function.__name__}() got an unexpected keyword argument {brief(name)}"
            raise TypeError(text + instead(name, [*own, *options.__annotations__], "arguments"))


def with_hints(function: F) -> F:
    """Make Python's error for wrong arguments of a function say what to write instead."""

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:  # not of this call
                raise
            raise TypeError(_hint(function, f"{error}", arguments, keywords)) from None

    return call  # type: ignore[return-value]


def instead(name: str, names: Collection[str], what: str) -> str:
    """The end of a message about an unknown argument: what to write instead. names: the arguments there are."""
    for other in ARGUMENTS.get(name.lower(), "").split():
        if other in names:
            return f": write {other}="
        if other.partition("=")[0] in names or "(" in other.partition("=")[0]:
            return f": write {other}"
    return suggestion(name, names, what)


def _hint(function: Callable[..., Any], text: str, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> str:
    """The message of Python's error for a call with wrong arguments, and what to write instead."""
    from inspect import signature

    names = [each.name for each in signature(function).parameters.values() if each.name != "self"]
    for name in keywords:
        if name not in names:
            head = f"{function.__qualname__.removesuffix('.__init__')}() got an unexpected keyword argument"
            return f"{head} {brief(name)}{instead(name, names, 'arguments')}"
    limits = {int: ("simulations", "seconds", "games", "max_nodes"), float: ("seconds",)}
    able = [name for name in limits.get(type(arguments[-1]) if arguments else object, ()) if name in names]
    if "positional argument" in text and able:
        return f"{text}: write {' or '.join(f'{name}={arguments[-1]}' for name in able[:2])}"
    return text


def no_attribute(owner: object, name: str) -> AttributeError:
    """The error for a missing attribute of an object or a class, with what to write instead if that is known."""
    kind = owner if isinstance(owner, type) else type(owner)
    text = f"{kind.__name__!r} {'class' if kind is owner else 'object'} has no attribute {brief(name)}"
    hints = ATTRIBUTES.get(kind.__name__, {})
    return AttributeError(text + (f": write {hints[name]}" if name in hints else ""), name=name, obj=owner)


class _ExplainsNames(type):
    if not TYPE_CHECKING:  # otherwise type checkers would accept every name

        def __getattr__(cls, name):
            raise no_attribute(cls, name)


class ExplainsNames(metaclass=_ExplainsNames):
    """A class that explains missing attributes, its own and its objects'."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            raise no_attribute(self, name)


def missing_name(module: str, name: str) -> AttributeError:
    """The error for a name that a module of the package lacks: where it is, or what to write instead."""
    text = f"module {module!r} has no attribute {name!r}"
    if name in NAMES:
        return AttributeError(f"{text}: write {NAMES[name]}", name=name)
    package = import_module(__package__)
    homes = [f".{HOMES[name]}"] if name in HOMES else []
    if not name.startswith("_"):
        homes += ["", *(f".{home}" for home in package.SEARCHED)]
    for home in homes:
        if name in HOMES or name in import_module(f"{__package__}{home}").__all__:
            return AttributeError(f"{text}: it is {__package__}{home}.{name}", name=name)
    from difflib import get_close_matches  # imported here, because it slows down the import of the package

    near = get_close_matches(name, import_module(module).__all__, 1, NEAR)
    return AttributeError(text + (f": did you mean {near[0]!r}?" if near else ""), name=name)
