"""Examine a player: 100 positions with one right move each, by theme; or all moves of finished games."""

import argparse
import re
from collections.abc import Callable, Iterator
from functools import partial

from .._validation import brief
from ..board.board import Board
from ..board.notation import write_pons
from ..play.exam import ExamCertificate, examine, grade_moves, questions
from ..play.game_files import SavedGame, read_game
from ..play.player import FunctionPlayer
from ..play.player_specs import Contestant
from ..provenance import provenance
from ..rules import Rules
from .engines import backend_of
from .failures import OK, UsageError, usage_errors
from .lines import lines_of_file
from .match import entrant
from .options import add_options
from .output import print_json, show

ANSWER = re.compile(r"([1-7]+)[\s:,;=]+(\S.*)")  # a position, and its answer


def add(parser: argparse.ArgumentParser) -> None:
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("player", nargs="?", help="any player of a match, as uct@1000, level:3 or bot.py")
    text = "print the positions instead, one per line, for someone else to answer"
    who.add_argument("--questions", action="store_true", help=text)
    text = "grade the answers in a file, one per line: the position and a column from 1, as in 44453 4"
    who.add_argument("--answers", metavar="FILE", help=text)
    text = "grade each move of finished games instead, of all players: a file of a match, an episode of Kaggle"
    who.add_argument("--games", metavar="FILE", help=text)
    parser.add_argument("--seconds", type=float, metavar="S", help="time limit per move of the player (default none)")
    add_options(parser, "seed", default=1, help="seed of the random numbers (default 1)")
    add_options(parser, "json")


def run(args: argparse.Namespace) -> int:
    """Print a certificate for the player, or for each player of the games."""
    if args.seconds is not None and args.player is None:
        raise UsageError("--seconds is for a player")
    if args.questions:
        show("\n".join(write_pons(board.moves, Rules()) for board, _ in questions()))
        return OK
    certificates: list[ExamCertificate]
    if args.games is not None:
        certificates = grade_moves(games_of(args.games))
    elif args.answers is not None:
        with usage_errors(f"--answers {args.answers}: "):
            one = Contestant(args.answers, partial(FunctionPlayer, answers_of(args.answers)))
            certificates = [examine(one, seed=args.seed)]
    else:
        certificates = [examine(entrant(args.player, Rules()), seed=args.seed, seconds=args.seconds)]
    if args.json:
        about = provenance(backend=backend_of(args), seed=args.seed, point_of_view="player_to_move")
        print_json({**about, "certificates": [each.to_dict() for each in certificates]})
    else:
        show("\n\n".join(map(str, certificates)))
    return OK


def games_of(name: str) -> Iterator[SavedGame]:
    """The games in a file. UsageError."""
    for line in lines_of_file(name, "--games"):
        with usage_errors(f"--games {name}: {line.where}"):
            yield read_game(line.text)


def answers_of(name: str) -> Callable[[Board], int]:
    """A player of the answers in a file. UsageError."""
    boards, answers = {board for board, _ in questions()}, dict[Board, str]()
    for line in lines_of_file(name, "--answers"):
        match = ANSWER.fullmatch(line.text)
        board = None if match is None else Board.from_pons(match[1])
        if match is None or board not in boards:
            text = "must be a position of the exam (see --questions) and a column, as in 44453 4"
            raise UsageError(f"--answers {name}: {line.where}{text}, not {brief(line.text)}")
        if answers.setdefault(board, match[2]) != match[2]:
            raise UsageError(f"--answers {name}: {line.where}there are two answers to {match[1]}")

    def choose(board: Board) -> int:
        if board not in answers:
            raise ValueError("no answer")
        return int(answers[board]) - 1  # the exam keeps its error as the reason

    return choose
