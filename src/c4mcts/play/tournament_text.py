"""The result of a match or a tournament as text."""

import math
from typing import TYPE_CHECKING

from .ratings import SCORES, Estimate

if TYPE_CHECKING:
    from .tournament_result import Pairing, Tournament


def text_of(found: "Tournament") -> str:
    """The result: of two players in sentences, of more as a table."""
    parts = match_lines(found) if len(found.players) == 2 else table_lines(found)
    return "\n".join([*parts, *sprt_lines(found), *forfeit_lines(found)])


def match_lines(found: "Tournament") -> list[str]:
    """Wins, draws and losses of the first player, and the difference in Elo."""
    (pairing,) = found.pairings
    name, opponent = found.players
    lines = [f"{name} against {opponent}: {pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost"]
    if pairing.score is not None:
        lines[0] += f", {100 * pairing.score:.1f} %"
    if sum(pairing.pairs):
        lines += [f"Elo {interval(pairing.estimate)}", pairs_line(pairing)]
    speeds = sorted(found.standings, key=lambda standing: standing.player)
    lines.append("seconds a move: " + ", ".join(f"{one.name} {seconds(one.seconds_per_move)}" for one in speeds))
    return lines


def pairs_line(pairing: "Pairing") -> str:
    """The numbers of pairs by their points."""
    parts = (f"{2 * score:g} points {count}" for score, count in zip(SCORES, pairing.pairs, strict=True))
    return f"pairs of games: {', '.join(parts)}"


def table_lines(found: "Tournament") -> list[str]:
    """A line for each player, the best one first."""
    rows = [["", "player", "Elo", "95 %", "games", "score", "won", "drawn", "lost", "s a move"]]
    for place, one in enumerate(found.standings, start=1):
        score = f"{100 * (one.wins + one.draws / 2) / one.games:.1f} %" if one.games else ""
        ends = f"{one.rating.low:+.0f} to {one.rating.high:+.0f}"
        results = (one.games, score, one.wins, one.draws, one.losses, seconds(one.seconds_per_move))
        rows.append([f"{place}.", one.name, f"{one.rating.elo:+.0f}", ends, *map(str, results)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    texts = []
    for row in rows:
        cells = [
            cell.ljust(width) if i == 1 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        texts.append("  ".join(cells).rstrip())
    return texts


def sprt_lines(found: "Tournament") -> list[str]:
    """What the sequential test says."""
    if found.sprt is None:
        return []
    test, (lower, upper) = found.sprt, found.sprt.bounds
    ratio = test.log_ratio(found.pairings[0].pairs)
    accepted = {"H0": f"H0 is accepted: {test.elo0:+g}", "H1": f"H1 is accepted: {test.elo1:+g}", None: "no decision"}
    words = f"test of {test.elo0:+g} (H0) against {test.elo1:+g} Elo (H1)"
    return [f"{words}: log-likelihood ratio {ratio:.2f} ({lower:.2f} to {upper:.2f}), {accepted[found.decision]}"]


def forfeit_lines(found: "Tournament") -> list[str]:
    """Who forfeited games, and why the first of them."""
    lines = []
    for one in sorted(found.standings, key=lambda standing: standing.player):
        if one.forfeits:
            lost = [game for game in found.games if game.end == "forfeit" and game.winner != one.player]
            reason = next(game.reason for game in lost if one.player in (game.first, game.second))
            lines.append(f"{one.name} forfeited {one.forfeits}: {reason}")
    return lines


def interval(estimate: Estimate) -> str:
    """An estimate with its interval."""
    elo, low, high = (f"{end:+.0f}" if math.isfinite(end) else ("-inf", "+inf")[end > 0] for end in estimate)
    return f"{elo}, 95 % interval {low} to {high}"


def seconds(value: float | None) -> str:
    """A time, or a dash."""
    return "-" if value is None else f"{value:.4f}"
