"""The page for a class: the ranking of its bots, their mistakes, and their games, which it replays itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from pathlib import Path
from string import Template
from typing import Any

from .._validation import counted
from ..board.board import Board
from .review import MoveReview, review
from .tournament_result import Standing, Tournament, TournamentGame, moves_of

SCORE_AGAINST = "score against "  # how the names of columns begin that have the score in some of the games
TEMPLATE = Path(__file__).with_name("class_page.html")
POINTS = "points"  # a column, if there are rules for them
REVIEWED = 6  # games of each bot, those that it lost first
WORST = 3  # mistakes of each bot that are shown
VALUES = {1.0: "a win", 0.5: "a draw", 0.0: "a loss"}


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that changed the result, by exact scores."""

    game: TournamentGame
    move: MoveReview
    board: Board  # after the move


def mistakes_of(played: Tournament, bot: int) -> list[Mistake]:
    """The worst moves of a bot in a few games, lost ones first: those that changed the result, the earliest ones first.

    Each game is reviewed, which takes about a tenth of a second on 7 x 6.
    """
    result: dict[Board, Mistake] = {}
    games = sorted(played.games_of(bot), key=lambda game: game.points(bot))
    for game in islice((game for game in games if moves_of(game, bot)), REVIEWED):
        end = Board.from_moves(game.moves, played.rules)
        for move in review(end, opening=game.opening).turning_points:
            if move.player == int(bot != game.first) and move.lost_half_points:
                after = Board.from_moves(game.moves[: move.ply + 1], played.rules)
                result.setdefault(after, Mistake(game, move, after))
    return sorted(result.values(), key=lambda one: (-one.move.lost_half_points, one.move.ply))[:WORST]


def page_of(played: Tournament, ranking: Sequence[Standing], table: Sequence[dict[str, Any]]) -> str:
    """The page as HTML, which needs no other file and no network. table: a row for each bot of the ranking."""
    cells = [_cells(one, row) for one, row in zip(ranking, table, strict=True)]
    rows = [_row("th", map(escape, cells[0])), *(_row("td", each.values()) for each in cells)]
    return Template(TEMPLATE.read_text(encoding="utf-8")).safe_substitute(
        about=f"{counted(len(played.games), 'game')} on {played.rules}. Elo is relative to the mean of all.",
        rows="\n".join(rows),
        bots="\n".join("\n".join(_bot(played, one)) for one in ranking),
        board=Board(played.rules).svg(),
    )


def _cells(one: Standing, row: dict[str, Any]) -> dict[str, object]:
    """The line of a bot, by the heads of its columns."""
    elo, low, high = (f"{end:+.0f}" for end in one.rating)
    return {
        "": row["rank"],
        "bot": f'<a href="#bot-{one.player}">{escape(one.name)}</a>',
        "score": f"{row['score']:.0%}",
        "Elo": elo,
        "95 %": f"{low} to {high}",
        "won": one.wins,
        "drawn": one.draws,
        "lost": one.losses,
        "forfeited": one.forfeits,
        **{name.removeprefix("score "): f"{row[name]:.0%}" for name in row if name.startswith(SCORE_AGAINST)},
        **({POINTS: f"{row[POINTS]:g}"} if POINTS in row else {}),
    }


def _row(tag: str, cells: Any) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def _bot(played: Tournament, one: Standing) -> Iterator[str]:
    """Why a bot has forfeited games, its mistakes, and its games."""
    yield f'<h2 id="bot-{one.player}">{escape(one.name)}</h2>'
    for reason, count in played.reasons(one.player).items():
        yield f"<p>Forfeited {count} of {counted(one.games, 'game')}: <code>{escape(reason)}</code></p>"
    for mistake in mistakes_of(played, one.player):
        move = mistake.move
        better = " or ".join(str(column + 1) for column in move.best)
        change = f"turned {VALUES[move.value_before]} into {VALUES[move.value_after]}"
        text = f"Move {move.ply + 1}, column {move.column + 1}, {change}; best was {better}."
        replay = _button(played, mistake.game, "Replay", move.ply + 1)
        yield f"<figure>{mistake.board.svg()}<figcaption>{text} {replay}</figcaption></figure>"
    for opponent, name in enumerate(played.players):
        games = [game for game in played.games_of(one.player) if opponent in (game.first, game.second)]
        if opponent != one.player and games:
            sides = ("", " as second player")
            results = [game.result + sides[game.first != one.player] for game in games]
            buttons = (_button(played, *each) for each in zip(games, results, strict=True))
            yield f"<p>Against {escape(name)}: {' '.join(buttons)}</p>"


def _button(played: Tournament, game: TournamentGame, text: str, ply: int | None = None) -> str:
    """A button that replays a game, from a ply or the end of the opening on."""
    outcome = Board.from_moves(game.moves, played.rules).outcome()
    cells = () if outcome is None or outcome.cells is None else outcome.cells
    winner = "A draw" if game.winner is None else f"{played.players[game.winner]} wins"
    data = {
        "moves": ",".join(map(str, game.moves)),
        "players": f"{played.players[game.first]}\n{played.players[game.second]}",
        "opening": game.opening,
        "ply": game.opening if ply is None else ply,
        "line": " ".join(f"{column},{row}" for column, row in cells),
        "end": f"{winner}{f' by forfeit: {game.reason}' if game.reason else ''}.",
    }
    attributes = "".join(f' data-{name}="{escape(str(value))}"' for name, value in data.items())
    return f"<button{attributes}>{text}</button>"
