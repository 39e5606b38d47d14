#!/usr/bin/env bash
# cardarena-tournament-core 1.5.0. A Swiss round that is submitted twice, or before its last game is over, is refused with
# PairingStateError, and one expects that a refused round has changed nothing. But the points are added before the round is
# looked at: a round submitted twice counts twice, and one sent too early counts twice up to the open game once it is
# complete. standings() and to_dict read the rounds and stay right, but the next rounds are paired by the wrong points: the
# two leaders don't meet, or of the players with one win those who won the first game are kept apart from the others.
# After a restart from the saved state the same tournament is paired otherwise. The README says which histories are refused,
# and that a reconstructed tournament is in the identical state; it has nothing on what an error leaves behind.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet cardarena-tournament-core==1.5.0
"$folder/venv/bin/python" - <<'EOT'
import sys

from cardarena_tournament_core import MatchupOutcome, PairingStateError, Player, PokemonTCG, Swiss, Tournament

first, second, pending = MatchupOutcome.PLAYER1_WINS, MatchupOutcome.PLAYER2_WINS, MatchupOutcome.PENDING


def names(matchups):
    return " ".join(matchup.player1.name + "-" + matchup.player2.name for matchup in matchups)


def submit(tournament, games, slip):
    if slip == "too early":
        outcome, games.matchups[-1].outcome = games.matchups[-1].outcome, pending
        try:
            tournament.submit_results(games)
        except PairingStateError as error:
            print("  refused:", error)
        games.matchups[-1].outcome = outcome
    tournament.submit_results(games)
    if slip == "twice":
        try:
            tournament.submit_results(games)
        except PairingStateError as error:
            print("  refused:", error)


def third_round(slip):
    """The pairings of round 3, of the instance that met the slip in round 1 and of one that is made from its saved state."""
    print("round 1 submitted", slip)
    swiss = Swiss([Player(id=name, name=name) for name in "ABCDEFGH"])
    tournament = Tournament(pairing=swiss, scoring=PokemonTCG())
    games = tournament.pair()
    for matchup in games.matchups:
        matchup.outcome = first
    submit(tournament, games, slip)
    games = tournament.pair()
    for index, matchup in enumerate(games.matchups):
        matchup.outcome = [first, second, first, second][index]
    tournament.submit_results(games)
    points = {standing.player.name: standing.points for standing in tournament.standings()}
    going_on, restarted = names(swiss.pair().matchups), names(Swiss.from_dict(swiss.to_dict()).pair().matchups)
    print("  points:", points, " round 3:", going_on, " after a restart:", restarted)
    return points, going_on, restarted


once, twice, early = third_round("once"), third_round("twice"), third_round("too early")
if once[1] != once[2] or len({str(case[0]) for case in (once, twice, early)}) > 1 or {twice[2], early[2]} != {once[2]}:
    sys.exit("changed: the points or the pairings after a restart")
if once[1] == twice[1] or once[1] == early[1]:
    sys.exit("changed: a refused round is not counted")
EOT
