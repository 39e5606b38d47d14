"""Boards of other packages, as docs/guide/adapters.md lists them: each comes back as the same position, or is refused.

.ci/others installs the packages that are named here.
"""

import contextlib
import functools
import importlib.metadata
import io
import json
import random
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from foreign import foreign, missing
from random_boards import random_game

from c4mcts import Board, IllegalMoveError, NotationError, Rules

ROWS = {}
FROM_BOTTOM = {"by": "columns", "row_0": "bottom"}
SYMBOLS = {"empty": -1, "first": 0, "second": 1}


CHANCE = random.Random("other packages")
GAMES = [random_game(Rules(), CHANCE, CHANCE.randrange(60)).to_moves() for _ in range(200)]


def row(requirement, module):
    """Add a function to the table: a module of a package and columns -> boards after them, and how each is read.

    A board is read by Board.parse or Board.from_array with these arguments, or by this function.
    """
    return lambda boards: ROWS.setdefault(requirement, (module, boards))


def played(play, columns):
    for column in columns:
        play(column)


def printed(show):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        show()
    return out.getvalue()


@row("bitbully==0.0.79", "bitbully")
def _(bitbully, columns):
    board = bitbully.Board()
    played(board.play, columns)
    return (str(board), {"first": "X"}), (board.to_array(), FROM_BOTTOM)


@row("spooky-connect4==0.7.0", "spooky_connect4")
def _(spooky, columns):
    game = spooky.Game.standard()
    played(game.apply_action, columns)
    return ((str(game.board()), {"first": "R"}),)


@row("pingv4==0.1.3", "pingv4")
def _(pingv4, columns):
    board = pingv4.ConnectFourBoard()
    for column in columns:
        board = board.make_move(column)
    cells = [[None if cell is None else int(cell) for cell in column] for column in board.cell_states]
    return (str(board), {"first": "R"}), (cells, {"first": 1, **FROM_BOTTOM})


@row("connect-four-lib==1.3.1", "connect_four_lib.connect_four_judge")
def _(judge, columns):
    game = judge.ConnectFourJudge()
    played(game.add_move, map(str, columns))
    return (game.board, FROM_BOTTOM), (game.get_all_moves(), lambda moves: Board.from_moves(map(int, moves)))


@row("connect4.py==1.0.3", "connect4.core")
def _(core, columns):
    game = core.Connect4()
    played(game.play, columns)
    return (([[cell.value for cell in row] for row in game.board], {}),)


@row("gym-connect4==0.8", "gym_connect4.envs.connect4_env")
def _(env, columns):
    game = env.Connect4Env()
    played(game.step, columns)
    return ((game.board, {**SYMBOLS, **FROM_BOTTOM}),)


@row("gymconnectx==2.0.0", "gymconnectx.envs")
def _(envs, columns):
    game = envs.ConnectGameEnv(height=6)
    played(game.step, columns)
    return (game.board, {**SYMBOLS, **FROM_BOTTOM}), (game.get_player_observations(), {"first": "X", **FROM_BOTTOM})


@row("gymnasium-connect-four==1.3.5", "connect_four_gymnasium")
def _(package, columns):
    game = package.ConnectFourEnv(first_player=1)
    game.reset()
    played(game.step, columns)
    return ((game.board, lambda own: Board.from_array(own * (-1) ** np.count_nonzero(own))),)


@row("jkh-c4==0.1.5", "game")
def _(game, columns):
    board, render = game.Board(), foreign("render")
    for ply, column in enumerate(columns):
        board.move_piece(column, [game.Piece.RED, game.Piece.YELLOW][ply % 2])
    drawing = render.Renderer(render.Style.ASCII).board(board)
    return (board.to_grid(), FROM_BOTTOM), (drawing, {"first": "R"})


@row("easyAI==2.0.12", "easyAI.games.ConnectFour")
def _(games, columns):
    game = games.ConnectFour([None, None])
    for column in columns:
        game.make_move(column)
        game.switch_player()
    return (printed(game.show), {"first": "O"}), (game.board, {"row_0": "bottom"})


@row("monte-carlo-tree-search==2.1.0", "mcts.example.connectmnk")
def _(connectmnk, columns):
    state = connectmnk.ConnectMNKState()
    for column in columns:
        state = state.take_action(next(a for a in state.get_possible_actions() if a.columnIndex == column))
    return (state.board, {"row_0": "bottom"}), (printed(state.show), None)


@row("puissance4==0.6.1", "puissance4.env.grille")
def _(grille, columns):
    grid = grille.Grille()
    for ply, column in enumerate(columns):
        grid.drop("XO"[ply % 2], column)
    return (grid.get_grid(), {"first": "X"}), (grid.get_name(), None), (printed(grid.show_grid), None)


@row("textarena==0.7.4", "textarena.envs.ConnectFour.env")
def _(env, columns):
    game = env.ConnectFourEnv()
    game.reset(num_players=2)
    played(game.step, [f"[col {column}]" for column in columns])
    return (game.get_board_str(), {"first": "X"}), (game.state.game_state["board"], {"first": "X"})


@functools.cache
def ludax_game(ludax):
    env = ludax.LudaxEnvironment(game_path=str(Path(ludax.__file__).parent / "games/connect_four.ldx"))
    return env.init(foreign("jax").random.PRNGKey(0)), foreign("jax").jit(env.step)


@row("ludax==1.0.0", "ludax")
def _(ludax, columns):
    state, step = ludax_game(ludax)
    for column in columns:
        state = step(state, max(cell for cell in range(column, 42, 7) if state.legal_action_mask[cell]))
    return ((np.asarray(state.game_state.board).reshape(6, 7), SYMBOLS),)


NODE = {  # packages of npm, whose folder is in NODE_PATH: what is printed of the columns in `moves`
    "connect4-ai@0.1.3": """const game = new (require('connect4-ai').Connect4)();
        game.playMoves(moves);
        return game.ascii().split("\\n").slice(0, -2).join("\\n").replaceAll("-", ".")""",  # without column numbers
    "connect-four@0.0.6": """const game = new (require('connect-four'))();
        moves.forEach((column, ply) => game.play(ply % 2 + 1, column));
        return Array.from({length: 6}, (_, row) =>
            Array.from({length: 7}, (_, column) => game.get(column, 5 - row) ?? 0).join(" ")).join(";")""",
}


@pytest.mark.parametrize("requirement", NODE)
def test_what_javascript_prints_is_read(requirement):
    script = f"console.log(JSON.stringify({json.dumps(GAMES)}.map((moves) => {{{NODE[requirement]}}})))"
    done = subprocess.run([shutil.which("node") or "false", "-e", script], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(missing(requirement))
    for columns, text in zip(GAMES, json.loads(done.stdout), strict=True):
        check(Board.from_moves(columns), text, {})


@pytest.mark.parametrize("requirement", ROWS)
def test_a_board_comes_back_or_is_refused(requirement, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    name, boards = ROWS[requirement]
    package, version = requirement.split("==")
    if version not in {each.version for each in importlib.metadata.distributions(name=package)}:
        pytest.skip(missing(requirement))
    module = foreign(name)
    for columns in GAMES:
        for value, how in boards(module, columns):
            check(Board.from_moves(columns), value, how)


def check(board, value, how):
    """The value is read as the board, and its texts alone, too, unless they are refused."""
    reader = Board.parse if isinstance(value, str) else Board.from_array
    if how is not None:
        assert (how(value) if callable(how) else reader(value, **how)) == board, value
    attempts = [] if callable(how) else [partial(reader, value)]
    if isinstance(value, list | np.ndarray):
        texts = str(value), repr(value), json.dumps(np.asarray(value).tolist())
        attempts += [partial(Board.parse, text) for text in texts]
    for attempt in attempts:
        with contextlib.suppress(NotationError, IllegalMoveError):
            assert attempt() == board, value


def test_the_guide_lists_the_packages():
    page = (Path(__file__).parents[2] / "docs" / "guide" / "adapters.md").read_text(encoding="utf-8").lower()
    assert [name for name in [*ROWS, *NODE] if re.sub("==|@", " ", name.lower()) not in page] == []
