"""The page for a class: the ranking of its bots, their mistakes, and their games, which it replays itself."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from ..board.board import Board
from .tournament_result import RESULTS, Standing, TournamentGame

AGAINST = "score against "  # how the names of columns begin that have the score in some of the games
TEMPLATE = Path(__file__).with_name("class_page.html")
POINTS = "points"  # a column, if there are rules for them
VALUES = {1.0: "a win", 0.5: "a draw", 0.0: "a loss"}

Grades = Any  # the class, whose module imports this one


def page_of(grades: Grades) -> str:
    """The page as HTML. It needs no other file and no network."""
    table, played = grades.table(), grades.tournament
    shares = [name for name in table[0] if name.startswith(AGAINST)]
    heads = ["", "bot", "score", "Elo", "95 %", "won", "drawn", "lost", "forfeited"]
    heads += [name.removeprefix("score ") for name in shares]
    heads += [POINTS] * (POINTS in table[0])
    rows = [_row("th", map(escape, heads))]
    for one, facts in zip(grades.ranking, table, strict=True):
        percent = ["" if facts[key] is None else f"{facts[key]:.0%}" for key in ("score", *shares)]
        elo, low, high = (f"{end:+.0f}" for end in one.rating)
        name = f'<a href="#bot-{one.player}">{escape(one.name)}</a>'
        ends = one.wins, one.draws, one.losses, one.forfeits
        points = [f"{facts[POINTS]:g}"] if POINTS in facts else []
        rows.append(
            _row("td", [facts["rank"], name, percent[0], elo, f"{low} to {high}", *ends, *percent[1:], *points])
        )
    return Template(TEMPLATE.read_text(encoding="utf-8")).safe_substitute(
        about=f"{len(played.games):,} games on {played.rules}. Elo is relative to the mean of all.",
        rows="\n".join(rows),
        bots="\n".join("\n".join(_bot(grades, one)) for one in grades.ranking),
        board=Board(played.rules).svg(),
    )


def _row(tag: str, cells: Any) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def _bot(grades: Grades, one: Standing) -> Iterator[str]:
    """Why a bot has forfeited games, its mistakes, and its games."""
    played = grades.tournament
    yield f'<h2 id="bot-{one.player}">{escape(one.name)}</h2>'
    for reason, count in played.reasons(one.player).items():
        yield f"<p>Forfeited {count} of {one.games} games: <code>{escape(reason)}</code></p>"
    for mistake in grades.mistakes(one.player):
        move = mistake.move
        better = " or ".join(str(column + 1) for column in move.best)
        change = f"turned {VALUES[move.value_before]} into {VALUES[move.value_after]}"
        words = f"Move {move.ply + 1}, column {move.column + 1}, {change}; best was {better}."
        replay = _button(grades, mistake.game, "Replay", move.ply + 1)
        yield f"<figure>{mistake.board.svg()}<figcaption>{words} {replay}</figcaption></figure>"
    for opponent, name in enumerate(played.players):
        games = [game for game in played.games_of(one.player) if opponent in (game.first, game.second)]
        if opponent != one.player and games:
            sides = ("", " as second player")
            results = [RESULTS[game.points(game.first)] + sides[game.first != one.player] for game in games]
            buttons = (_button(grades, *each) for each in zip(games, results, strict=True))
            yield f"<p>Against {escape(name)}: {' '.join(buttons)}</p>"


def _button(grades: Grades, game: TournamentGame, words: str, ply: int | None = None) -> str:
    """A button that replays a game, from a ply or the end of the opening on."""
    played = grades.tournament
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
    return f"<button{attributes}>{words}</button>"
