"""Review games: the value of each move, mistakes, and better lines of play."""

import argparse
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from .._tables import write_table
from .._validation import brief, counted
from ..board.notation import write_moves
from ..play.game_files import GameTree, SavedGame, read_game, split_moves
from ..play.played_game import End
from ..play.review import MARKS, NAMES, SEED, SIMULATIONS, Review, review
from ..provenance import review_report
from ..search.typed_values import count
from .boards import MOVES, add_rules, parsed, text_errors
from .engines import backend_of
from .failures import OK, UsageError, usage_errors
from .files import require_output
from .lines import PositionLine, for_each, input_is_data, lines_of_file
from .options import add_options
from .output import print_json, show

NEITHER = "give a game, --file FILE, or games on standard input, one per line"
SIDES = ("first", "second")  # the names of the players in a file
SAVED = (*SIDES, "result", "end", "reason")  # in a file, about a game
COLUMNS = ("ply", "player", "column", "score_before", "score_after", "kind")  # of a move, in the table


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game", nargs="?", help=f"{MOVES}; -, or none with a pipe: games on standard input, one per line"
    )
    text = "file with one game per line, such as `play --save` or `match --out` writes; - is standard input"
    parser.add_argument("--file", metavar="FILE", help=text)
    text = "with --file, write a table of all moves to a .csv or .parquet file"
    parser.add_argument("--csv", "--out", dest="out", metavar="FILE", help=text)
    text = f"simulations per search of a position that can't be solved (default {SIMULATIONS:,})"
    parser.add_argument("--simulations", type=count, default=SIMULATIONS, metavar="N", help=text)
    add_rules(parser)
    add_options(parser, "first", "from")
    parser.set_defaults(file_option="--file")
    add_options(parser, "json")


def run(args: argparse.Namespace) -> int:
    """Review one game in full, or the games of a file in one line each. Exit code 2 if a game is invalid."""
    if args.file is None and (input_is_data() if args.game is None else args.game == "-"):
        args.game, args.file = None, "-"
    if (args.game is None) == (args.file is None):
        raise UsageError(NEITHER)
    if args.out is not None and args.file is None:
        raise UsageError("--out is for --file")
    if args.file is not None:
        if args.first is not None or args.digits_from != 1:
            raise UsageError("--first and --from are for a game that is given as an argument")
        return _review_file(args)
    game = _game_of(args)
    result = _reviewed(args, game)
    if args.json:
        print_json(_json_of(args, result, game))
    else:
        show(text_of(result, game))
    return OK


def _game_of(args: argparse.Namespace) -> SavedGame:
    """The game of the argument: a text of a position, or a game with variations, of which it is the main line."""
    prefix = f"game {args.game!r}: "
    if args.first is not None or args.digits_from != 1:
        return SavedGame(GameTree(parsed(args, args.game, prefix)[0]), {})
    with text_errors(args, args.game, prefix):
        return read_game(args.game, args.rules)


def _reviewed(args: argparse.Namespace, game: SavedGame) -> Review:
    return review(game.board, opening=game.opening, simulations=args.simulations, seed=SEED)


def _json_of(args: argparse.Namespace, result: Review, game: SavedGame) -> dict[str, Any]:
    about = review_report(result, backend=backend_of(args), simulations=args.simulations, seed=SEED)
    return about | {name: game.headers[name] for name in SAVED if name in game.headers}


def _review_file(args: argparse.Namespace) -> int:
    """Print one line per game, with the accuracy of both players, or the only game of a file in full; and write the
    table of all moves.
    """
    table: list[dict[str, Any]] = []
    require_output(args, "out", ".csv", ".parquet")
    lines: Iterable[PositionLine] = lines_of_file(args.file)
    if args.file != "-":  # games on standard input are reviewed as they come
        lines = list(lines)

    def read(line: PositionLine) -> SavedGame:
        with usage_errors(f"{brief(_name_of(line))}: "):
            return read_game(line.text, args.rules)

    def work(line: PositionLine, game: SavedGame) -> None:
        result, board = _reviewed(args, game), game.board
        about = _fields(line) | ({"game": write_moves(board.moves, board.rules)} if board.moves else {})
        with suppress(*[] if args.out is None else [BrokenPipeError]):  # the table is whole, even if nobody reads on
            if args.json:
                print_json(_json_of(args, result, game) | about)
            elif isinstance(lines, list) and len(lines) == 1:
                show(text_of(result, game))
            else:
                show("  ".join([about["game"], *totals(result, game)]))
        names = [game.headers.get(side, "") for side in SIDES]
        moves = ({name: getattr(move, name) for name in COLUMNS} for move in result.moves)
        table.extend({**about, "name": names[move["player"]], **move} for move in moves)

    try:
        status = for_each(args, lines, read, work, _fields)
    finally:  # if interrupted, of the games so far
        if table and args.out is not None:
            write_table(args.out, table)
    if status is None and args.file == "-":
        raise UsageError(NEITHER)
    return status or OK


def _fields(line: PositionLine) -> dict[str, Any]:
    return {"line": line.number, "game": _name_of(line)}


def _name_of(line: PositionLine) -> str:
    """The moves of a line without its headers; the beginning of a line that is all JSON."""
    return split_moves(line.text)[0] or f"{line.text[:40]} ..."


def text_of(result: Review, game: SavedGame | None = None) -> str:
    """The review as a table, with the turning points and both players' accuracy below; columns count from 1."""
    lines = [f"{'ply':>4}  {'player':<6}  {'move':>4}  {'best':<8}  {'worth':>11}  "]
    for move in result.moves:
        best = "".join(str(column + 1) for column in move.best) if result.board.rules.width < 10 else numbers(move.best)
        worth = f"{move.value_before:.2f} > {move.value_after:.2f}"
        if move.score_before is not None and move.score_after is not None:
            worth = f"{move.score_before:+d} > {move.score_after:+d}".replace("+0", "0")
        name = f"{move.ply + 1:>4}  {NAMES[move.player]:<6}  {move.column + 1:>4}  {best:<8}  {worth:>11}  "
        oversight = f" ({move.oversight})" if move.oversight else ""
        lines.append(f"{name}{move.kind} {MARKS.get(move.kind, '')}".rstrip() + oversight)
    for move in result.turning_points:
        moves, name = counted(move.ply, "move"), NAMES[move.player]
        lines.append(f"\nafter {moves} {name} should have played {numbers(move.line)}")
        if move.refutation:
            lines.append(f"it played {move.column + 1}, which is punished by {numbers(move.refutation)}")
    return "\n".join([*lines, "", *totals(result, game)])


def totals(result: Review, game: SavedGame | None = None) -> list[str]:
    """For each player the accuracy and the lost points; how the game ended, unless the board shows it; and where the
    exact scores begin, if there are estimates.
    """
    lines, saved = [], {} if game is None else game.headers
    for player, name in enumerate(NAMES):
        points = counted(result.lost_half_points(player) / 2, "point")
        about = f"{result.accuracy(player):.0f} % accuracy, {points} lost"
        who = f"{name} ({saved[SIDES[player]]})" if SIDES[player] in saved else name
        lines.append(f"{who}: {about if result.counts(player) else 'no moves'}")
    end, reason = saved.get("end", End.LINE), saved.get("reason")
    if end not in (End.LINE, End.FULL_BOARD):
        how = f"{saved['result']} by {end}" if saved.get("result", "*") != "*" else end
        lines.append(f"{how}: {reason}" if reason else how)
    if not result.is_exact:
        exact = f"from ply {result.exact_from + 1} on all scores are exact"  # plies count from 1, as in the table
        exact = "the scores are not exact" if result.exact_from == result.board.ply else exact
        lines.append(f"values between 0 and 1 are estimates from searches; {exact}")
    return lines


def numbers(columns: tuple[int, ...]) -> str:
    return " ".join(str(column + 1) for column in columns)
