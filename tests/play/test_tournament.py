"""Tournaments: results don't depend on the executor, nothing is lost, and no player can stop the others."""

import csv
import json
import re
import signal
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import count, pairwise
from multiprocessing import active_children, get_context

import numpy as np
import pytest
from counting import jobs_done
from failing_players import Bad, Named, Unready, leaves, raises, says_nothing, sleeps, sulks
from refusals import refused_by

from c4mcts import Board, CheckpointError, Rules, _platform, solve
from c4mcts.play import Contestant, RandomPlayer, Sprt, Terms, openings, play_tournament, seats

SMALL = Rules(5, 4)
PLAYERS = ["uct@30", "random", "level:2"]
OPENINGS = openings(4, SMALL)
CALL = partial(play_tournament, PLAYERS, games=6, rules=SMALL, openings=OPENINGS, seed=7)


def what_was_played(tournament):
    """The games without their times."""
    return [(g.number, g.first, g.second, g.moves, g.winner, g.end, g.reason) for g in tournament.games]


@pytest.fixture(scope="module")
def found():
    return CALL()


def test_everyone_meets_everyone_from_both_sides(found):
    assert found.seed == 7
    assert [game.number for game in found.games] == list(range(18))
    for one, other in pairwise(found.games):
        if one.number % 2 == 0:
            assert (one.first, one.second) == (other.second, other.first)
            assert one.moves[: one.opening] == other.moves[: other.opening]
    assert [(p.player, p.opponent, p.games, sum(p.pairs)) for p in found.pairings] == [
        (0, 1, 6, 3),
        (0, 2, 6, 3),
        (1, 2, 6, 3),
    ]
    assert {game.opening for game in found.games} == {4}


def test_games_are_what_they_say(found):
    for game in found.games:
        winner = Board.from_moves(game.moves, SMALL).outcome().winner
        assert game.winner == (None if winner is None else (game.first, game.second)[winner])
        assert game.end == ("full board" if winner is None else "line")


def test_openings_are_balanced_by_default():
    found = play_tournament(["random", "random"], games=10, rules=SMALL, seed=1)
    starts = {game.moves[: game.opening] for game in found.games}
    assert len(starts) == 5
    assert {solve(Board.from_moves(moves, SMALL), columns=False).score for moves in starts} == {0}


def test_standings_add_up(found):
    for standing in found.standings:
        own = [game for game in found.games if standing.player in (game.first, game.second)]
        assert standing.games == len(own) == 12
        assert standing.wins + standing.draws / 2 == sum(game.points(standing.player) for game in own)
        assert standing.rating.low < standing.rating.elo < standing.rating.high
        sides = [(game, int(game.second == standing.player)) for game in own]
        chosen = sum(ply % 2 == side for game, side in sides for ply in range(game.opening, len(game.moves)))
        assert standing.seconds_per_move == pytest.approx(sum(game.seconds[side] for game, side in sides) / chosen)
    ratings = [standing.rating.elo for standing in found.standings]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(ratings) == pytest.approx(0, abs=1e-6)
    assert {standing.name for standing in found.standings} == set(found.players)


def test_pairs_by_hand():
    """Who moves first fills a column of the other's choice: the first player always wins."""
    players = [Contestant("left", lambda board: 0), Contestant("right", lambda board: 4)]
    (pairing,) = play_tournament(players, games=4, rules=SMALL, openings=[[]], seed=1).pairings
    assert (pairing.wins, pairing.losses, pairing.pairs) == (2, 2, (0, 0, 2, 0, 0))
    assert (pairing.score, pairing.estimate.elo) == (0.5, 0)


def test_in_a_gauntlet_the_first_player_meets_all_others(found):
    gauntlet = CALL(gauntlet=True)
    assert {(game.first, game.second) for game in gauntlet.games} == {(0, 1), (1, 0), (0, 2), (2, 0)}
    games = [game for game in what_was_played(found) if 0 in game[1:3]]
    assert [game[1:] for game in what_was_played(gauntlet)] == [game[1:] for game in games]


def test_an_anchor_shifts_the_ratings_and_has_no_interval(found):
    ratings = [one.rating for one in CALL(anchor=("random", 500)).standings]
    shifts = [one.elo - other.rating.elo for one, other in zip(ratings, found.standings, strict=True)]
    assert shifts == pytest.approx([shifts[0]] * 3)
    assert next(tuple(one) for one in ratings if one.high == one.low) == (500, 500, 500)
    assert sum(one.low < one.elo < one.high for one in ratings) == 2


def test_openings_come_again_and_players_may_have_the_same_name():
    found = play_tournament(["random", "random"], games=6, rules=SMALL, openings=["1", [2]], seed=1)
    assert found.players == ("random", "random (2)")
    assert [game.moves[0] for game in found.games] == [0, 0, 2, 2, 0, 0]


def test_executors_don_t_matter(found):
    with ThreadPoolExecutor(1) as one, ProcessPoolExecutor(2, get_context("spawn")) as processes:
        for executor in (one, processes):
            assert what_was_played(CALL(executor=executor)) == what_was_played(found)


def test_adjudication_is_the_exact_score():
    found = CALL(terms=Terms(adjudicate=8))
    decided = [game for game in found.games if game.end == "adjudication"]
    assert len(decided) > 5
    for game in decided:
        board = Board.from_moves(game.moves, SMALL)
        score = solve(board, columns=False).score
        assert board.ply == 8
        assert game.winner == (None if score == 0 else (game.first, game.second)[board.turn ^ (score < 0)])


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (raises, "RuntimeError: out of ideas"),
        (leaves, "SystemExit: 3"),
        (says_nothing, "NoWords"),
        (partial(int, "77"), "chose 77: "),
    ],
)
def test_who_fails_loses_and_the_others_go_on(act, reason):
    bad = Contestant("bad", partial(Bad, act))
    found = play_tournament(["random", bad, "uct@10"], games=4, rules=SMALL, openings=["12", "32"], seed=1)
    assert len(found.games) == 12
    lost = [game for game in found.games if 1 in (game.first, game.second)]
    assert {game.end for game in lost} == {"forfeit"}
    assert all(game.winner not in (1, None) and game.reason.startswith(reason) for game in lost)
    standing = next(standing for standing in found.standings if standing.name == "bad")
    assert (standing.losses, standing.forfeits) == (8, 8)
    asked = 8 + sum(ply % 2 == (game.second == 1) for game in lost for ply in range(game.opening, len(game.moves)))
    assert standing.seconds_per_move == pytest.approx(sum(game.seconds[game.second == 1] for game in lost) / asked)
    assert all(game.end != "forfeit" for game in found.games if game not in lost)


def shouts():
    raise RuntimeError("\x1b[2J\n\ud800é" * 99)


def test_a_reason_is_one_line_that_can_be_printed_saved_and_continued(tmp_path):
    bad, path = Contestant("bad", partial(Bad, shouts)), tmp_path / "checkpoint"
    call = partial(play_tournament, ["random", bad], games=2, rules=SMALL, openings=["12"], seed=1, checkpoint=path)
    found = call()
    reason = found.games[0].reason
    assert reason.startswith(r"RuntimeError: \x1b[2J\n\ud800é")
    assert reason.isprintable()
    assert len(reason) == 300
    found.save(tmp_path / "games.txt")
    again, jobs = jobs_done(call)
    assert (again.games, jobs) == (found.games, 0)


def test_a_limit_of_time_changes_nothing_else(found):
    """Each player has a process of its own, whose games are those of other tournaments."""
    assert what_was_played(CALL(terms=Terms(move_seconds=60))) == what_was_played(found)


def test_a_limit_needs_processes(monkeypatch):
    monkeypatch.setattr(_platform, "HAS_THREADS", False)
    with pytest.raises(RuntimeError, match="move_seconds needs threads"):
        Terms(move_seconds=1)


@pytest.mark.parametrize("overage", [0, 0.25])
def test_who_never_answers_loses_and_is_killed(overage, tmp_path):
    path = tmp_path / "processes"
    players, terms = ["random", Contestant("stuck", partial(Bad, partial(sleeps, path)))], Terms(None, 0.5, overage)
    found = play_tournament(players, games=2, rules=SMALL, openings=[""], terms=terms, seed=1)
    assert [(game.end, game.winner) for game in found.games] == [("forfeit", 0)] * 2
    assert all(re.match(r"took longer than 0\.[567]\d* s to choose a move", game.reason) for game in found.games)
    assert all(max(game.seconds) <= overage + 0.5 * (1 + len(game.moves) // 2) for game in found.games)
    stuck = {int(line) for line in path.read_text().splitlines()}
    assert len(stuck) == 2
    assert not stuck & {process.pid for process in active_children()}


def test_processes_are_kept_for_other_games_and_end_with_the_tournament(tmp_path):
    path, terms = tmp_path / "processes", Terms(move_seconds=60)
    named = Contestant("named", partial(Named, path))
    with ThreadPoolExecutor(1) as one:
        call = partial(play_tournament, ["random", named], games=6, rules=SMALL, openings=[""], seed=1)
        assert len(call(terms=terms, executor=one).games) == 6
    numbers = path.read_text().split()
    assert len(numbers) == 6
    assert len(set(numbers)) <= 2, "two players"
    assert [process.name for process in active_children() if "player" in process.name] == []


@pytest.mark.parametrize(
    ("player", "reason", "seconds"),
    [
        (sulks, "sulks fails at its first move: RuntimeError: out of ideas", None),
        (Contestant("unready", Unready), "unready fails at its first move: OSError: no network", 60),
        (Contestant("unmade", partial(divmod, 1, 0)), "unmade fails at its first move: ZeroDivisionError", None),
        (Contestant("stuck", lambda: RandomPlayer()), "stuck fails at its first move: .*pickle", 60),
    ],
)
def test_a_player_that_can_t_make_one_move_is_a_mistake(player, reason, seconds):
    with pytest.raises(ValueError, match=reason):
        play_tournament(["random", player], games=2, rules=SMALL, openings=["12"], terms=Terms(move_seconds=seconds))


def test_a_player_that_was_mended_goes_on(tmp_path):
    call = partial(play_tournament, games=2, rules=SMALL, openings=["12"], seed=1, checkpoint=tmp_path / "checkpoint")
    with pytest.raises(ValueError, match="bot fails at its first move"):
        call(["random", Contestant("bot", sulks)])
    with pytest.warns(UserWarning, match=r"bot changed since, so games are played again$"):
        found = call(["random", Contestant("bot", RandomPlayer)])
    assert [game.end for game in found.games].count("forfeit") == 0


def test_control_c_does_not_wait_for_a_player_that_thinks():
    thinking, thought = threading.Event(), []

    class Thinker(RandomPlayer):
        def choose(self, board):
            signal.raise_signal(signal.SIGINT)
            thought.append(thinking.wait(60))
            return super().choose(board)

    with pytest.raises(KeyboardInterrupt):
        play_tournament([Contestant("thinker", Thinker), "random"], games=2, rules=SMALL, openings=[""], seed=1)
    assert not thought
    thinking.set()


def test_players_hear_when_a_game_is_over():
    ended = []

    class Ended(RandomPlayer):
        def end(self):
            ended.append(self)
            raise OSError("too late to matter")

    players = [Contestant("ended", Ended), Contestant("raises", partial(Bad, raises))]
    found = play_tournament(players, games=2, rules=SMALL, openings=[""], seed=1)
    assert [game.winner for game in found.games] == [0, 0]
    assert len(ended) == 2


def test_who_fails_after_the_last_move_has_played_it():
    class Deaf(RandomPlayer):
        def played(self, move):
            if len(self.heard) > 2:
                raise OSError("too late to matter")
            self.heard.append(move)

        def begin(self, seed):
            self.heard = []

        def choose(self, board):
            return 0 if board.ply % 2 == 0 else 1

    found = play_tournament([Contestant("deaf", Deaf)] * 2, games=2, rules=Rules(3, 2, 2), openings=[""], seed=1)
    assert [(game.end, game.moves) for game in found.games] == [("line", (0, 1, 0))] * 2


def test_a_test_ends_early_and_the_same_with_any_executor():
    call = partial(play_tournament, ["perfect", "random"], games=400, rules=SMALL, sprt=Sprt(0, 100), seed=3)
    found, _ = jobs_done(call)
    assert found.decision == "H1"
    assert len(found.games) < 60
    with ThreadPoolExecutor(1) as one:
        assert what_was_played(call(executor=one)) == what_was_played(found)
    (pairing,) = found.pairings
    assert Sprt(0, 100).log_ratio(pairing.pairs) >= Sprt(0, 100).bounds[1]
    before = list(pairing.pairs)
    last = sum(game.points(0) for game in found.games[-2:])
    before[round(2 * last)] -= 1
    assert Sprt(0, 100).decision(before) is None, "one pair less did not decide"


def test_a_test_without_a_decision():
    found = play_tournament(["random", "random"], games=4, rules=SMALL, sprt=Sprt(0, 20), seed=3)
    assert (found.decision, len(found.games)) == (None, 4)
    assert found.to_dict()["sprt"]["decision"] is None


@pytest.fixture
def file(tmp_path):
    return tmp_path / "games.checkpoint"


def test_an_interrupted_tournament_goes_on(file, found):
    seen, whole = [], found

    def stop(so_far):
        seen.append(so_far())
        if len(seen[-1].games) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CALL(checkpoint=file, on_game=stop)
    assert [len(each.games) for each in seen] == list(range(6))
    found, jobs = jobs_done(partial(CALL, checkpoint=file))
    assert jobs == 13
    assert what_was_played(found) == what_was_played(whole)
    again, jobs = jobs_done(partial(CALL, checkpoint=file, seed=None))
    assert jobs == 0
    assert (again.games, again.seed) == (found.games, 7), "with their times"


def test_a_finished_tournament_can_have_more_games(file):
    CALL(checkpoint=file)
    more, jobs = jobs_done(partial(CALL, checkpoint=file, games=8))
    assert jobs == 6
    assert what_was_played(more) == what_was_played(CALL(games=8))
    fewer, jobs = jobs_done(partial(CALL, checkpoint=file, games=2))
    assert (jobs, what_was_played(fewer)) == (0, what_was_played(CALL(games=2)))


def test_another_tournament_is_refused(file):
    CALL(checkpoint=file)
    for name, change in {
        "openings": {"openings": ["12"]},
        "adjudicate": {"terms": Terms(adjudicate=9)},
    }.items():
        with pytest.raises(CheckpointError, match=name):
            CALL(checkpoint=file, **change)


def test_other_players_leave_the_games_of_the_rest(file, found):
    CALL(checkpoint=file)
    for players, expected in ((["level:1", *PLAYERS], 18), (["level:1", *PLAYERS[1:]], 0)):
        call = partial(play_tournament, players, games=6, rules=SMALL, openings=OPENINGS, seed=7)
        kept, jobs = jobs_done(partial(call, checkpoint=file))
        assert (jobs, what_was_played(kept)) == (expected, what_was_played(call()))


def test_files_hold_every_game(found, tmp_path):
    for ending in ("txt", "csv"):
        found.save(tmp_path / f"games.{ending}")
    lines = (tmp_path / "games.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(found.games)
    with open(tmp_path / "games.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for line, row, game in zip(lines, rows, found.games, strict=True):
        moves, _, rest = line.partition(" ")
        assert Board.from_pons(moves, SMALL).moves == game.moves
        facts = json.loads(rest)
        assert (facts["first"], facts["second"]) == (found.players[game.first], found.players[game.second])
        assert facts["result"] == {None: "1/2-1/2", game.first: "1-0", game.second: "0-1"}[game.winner]
        assert (facts["first_seconds"], facts["second_seconds"]) == game.seconds
        assert row == {"moves": moves, **{key: str(value) for key, value in facts.items()}}
    parquet = pytest.importorskip("pyarrow.parquet")
    found.save(tmp_path / "games.parquet")
    table = parquet.read_table(tmp_path / "games.parquet").to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in table] == rows


def test_other_files_are_refused(found, tmp_path):
    for name in ("games.npz", "csv"):
        with pytest.raises(ValueError, match=r"path must be a name that ends in \.txt or \.csv or \.parquet"):
            found.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


test_bad_arguments = refused_by(
    partial(play_tournament, players=["random", "random"], rules=SMALL),
    ({"games": 3}, ValueError, "games must be even"),
    ({"players": ["random"]}, ValueError, "players must be a list of players, 2 to 1,000 of them, not 1"),
    ({"openings": ["99"]}, ValueError, r"openings\[0\]"),
    ({"terms": Terms(adjudicate=4)}, ValueError, "adjudicate must be 5 to 20"),
    ({"terms": 3}, TypeError, "terms must be Terms, not 3"),
    ({"gmaes": 4}, TypeError, r"play_tournament\(\) got an unexpected keyword argument 'gmaes'"),
    ({"sprt": Sprt(0, 20), "players": ["random"] * 3}, ValueError, "sprt is for two players, not 3"),
    ({"sprt": (0, 20)}, TypeError, "sprt must be an Sprt"),
)


def test_the_player_hears_what_time_it_has(monkeypatch):
    clock, told = count(), []

    class Slow(RandomPlayer):
        def time_limit(self, seconds, overage):
            told.append((seconds, overage))

        def choose(self, board):
            for _ in range(board.ply):
                next(clock)  # a second
            return super().choose(board)

    monkeypatch.setattr(seats, "perf_counter", lambda: next(clock))
    seat, board = seats.Seat(Slow, 2, 3), Board()
    seat.begin(np.random.SeedSequence(1))
    for _ in range(4):
        seat.choose(board)
    assert told == [(2, 3), (2, 3), (2, 3), (2, 2)], "1, 2, 3 and 4 s"
    assert seat.seconds == 10


def test_bad_terms():
    with pytest.raises(ValueError, match="overage needs move_seconds"):
        Terms(overage=60)
    for fields in ({"adjudicate": 0}, {"move_seconds": 0}, {"overage": -1}):
        with pytest.raises(ValueError, match=f"{next(iter(fields))} must be "):
            Terms(**fields)
