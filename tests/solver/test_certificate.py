"""Certificates: what they prove, and that neither the package nor the independent checker accepts a false one."""

import ast
import contextlib
import hashlib
import importlib.util
import json
import math
import random
import subprocess
import sys
import zlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from random_boards import random_board
from refusals import refused

from c4mcts import Board, Rules, solve
from c4mcts._backend import load
from c4mcts._pure import certificate as certificate_rules
from c4mcts._timer import Timer
from c4mcts.errors import FalseClaimError, GameOverError, ProofError, UnfinishedProofError
from c4mcts.solver import Certificate, join, prove, proving, shorten
from c4mcts.solver.certificate import MAGIC, Claim
from c4mcts.solver.scores import Scores

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("check_proof", ROOT / "tools" / "check_proof.py")
assert _spec is not None
assert _spec.loader is not None
check_proof = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check_proof)

RULES = [
    Rules(4, 4),
    Rules(5, 4),
    Rules(4, 5),
    Rules(4, 4, 3),
    Rules(3, 5, 3),
    Rules(5, 3, 3, diagonals=False),
    Rules(3, 3, 2),
    Rules(6, 2, 3),
    Rules(3, 3, 5),
]


SMALL = Board(Rules(4, 4))
ABOUT = {  # a proof that needs no moves
    "rules": {"width": 4, "height": 4, "connect": 4, "diagonals": True},
    "board": ["...."] * 4,
    "claims": [{"player": "X", "score": -8, "moves": 0, "positions": 0}],
}


def accepted(data):
    """Whether the independent checker accepts a file; any error is a refusal, as in the command."""
    try:
        proof = check_proof.Proof(data)
        for claim in proof.claims:
            check_proof.Walk(proof, claim)
    except Exception:
        return False
    return True


def checked(data):
    """Whether the package accepts a file, with either backend, and the independent checker; all three must agree."""
    found = {accepted(data)}
    for backend in ("native", "pure"):
        try:
            Certificate.from_bytes(data).check(backend=backend)
            found.add(True)
        except ProofError:
            found.add(False)
    assert len(found) == 1
    return found.pop()


def signed(about, moves):
    """A file with a correct hash."""
    body = json.dumps(about).encode() + b"\n" + zlib.compress(bytes(moves))
    return MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def opened(data):
    """The JSON and the moves of a file."""
    text, packed = data.split(b"\n", 2)[1:]
    return json.loads(text), bytearray(zlib.decompress(packed))


@pytest.mark.native
@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("distance", [False, True])
def test_values_are_proven(rules, distance):
    """The claims bound the score that the solver finds from both sides, and all three checkers accept them."""
    chance = random.Random(rules.cells)
    for plies in (0, 1, 4):
        board = random_board(rules, plies, chance)
        certificate = prove(board, distance=distance)
        score = solve(board, columns=False).score
        lower = max((c.score for c in certificate.claims if c.player == board.turn), default=-rules.cells)
        upper = min((-c.score for c in certificate.claims if c.player != board.turn), default=rules.cells)
        if distance:
            assert lower == score == upper
        else:
            assert (lower > 0, upper < 0) == (score > 0, score < 0)
            assert score or lower == upper == 0
        data = certificate.to_bytes()
        assert Certificate.from_bytes(data) == certificate
        assert checked(data)


@pytest.mark.native
@pytest.mark.parametrize("claim", ["win", "draw", "loss", "no win", "no loss"])
def test_a_false_claim_is_answered_with_the_value(claim):
    allowed = {"win": [1], "draw": [0], "loss": [-1], "no win": [-1, 0], "no loss": [0, 1]}[claim]
    words = {1: "a win", 0: "a draw", -1: "a loss"}
    seen = set()
    for moves in ("", "1", "12", "121", "4", "41", "2", "3"):
        board = Board.from_pons(moves, Rules(4, 4, 3) if len(moves) % 2 else Rules(5, 4))
        score = solve(board).score
        value = (score > 0) - (score < 0)
        seen.add(value in allowed)
        if value in allowed:
            certificate = prove(board, claim)
            assert len(certificate.claims) == 1 + (claim == "draw")
            certificate.check()
            if not claim.startswith("no "):
                fastest = prove(board, claim, distance=True)
                assert {each.score for each in fastest.claims} == {abs(score)}
                fastest.check()
        else:
            with pytest.raises(FalseClaimError, match=f"{claim}' is false: the position is {words[value]}"):
                prove(board, claim)
    assert len(seen) == 2 or claim in ("win", "no loss", "no win")


@pytest.mark.native
def test_a_proof_for_one_position_proves_nothing_else():
    """Neither a higher score, nor the other player's, nor another position, nor other rules; also with a right hash."""
    about, moves = opened(prove(Board(Rules(5, 4))).to_bytes())
    assert checked(signed(about, moves))
    claim, other = about["claims"]
    for changes in (
        {"claims": [{**claim, "score": 1}, other]},
        {"claims": [{**claim, "player": "O"}, other]},
        {"claims": [{**claim, "positions": claim["positions"] + 1}, other]},
        {"claims": [{**claim, "moves": claim["moves"] - 1}, {**other, "moves": other["moves"] + 1}]},
        {"board": [*about["board"][:-1], "XO..."]},
        *({"rules": {**about["rules"], **rule}} for rule in ({"width": 6}, {"connect": 3}, {"diagonals": False})),
    ):
        forged = signed({**about, **changes}, moves)
        assert not checked(forged)


def test_the_checker_is_short_and_stands_alone():
    text = (ROOT / "tools" / "check_proof.py").read_text(encoding="utf-8")
    imported = {name.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for name in node.names}
    assert len(text.splitlines()) <= 200
    assert imported <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(ast.parse(text)))


class PlainRules(check_proof.Walk):
    """The rules of the independent checker, without a walk."""

    claimant_moves = opponent_moves = lambda self, own, other: None


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_what_the_rules_decide_is_true(rules):
    """Compared with the solver, in positions of all lengths; and the independent checker decides the same."""
    chance, seen = random.Random(rules.cells), set()
    proof = check_proof.Proof(Certificate(Board(rules), (Claim(0, 0, b"", 0),)).to_bytes())
    claim = {"player": "X", "columns": b"", "positions": 0}
    plain = {goal: PlainRules(proof, claim | {"score": goal}) for goal in range(-2, 4)}
    for _ in range(150):
        board = random_board(rules, chance.randrange(rules.cells), chance)
        score = solve(board, columns=False).score
        for goal in plain:
            node = certificate_rules.ProofNode()
            node.own, node.other = board.own, board.own ^ board.mask
            state = certificate_rules.look(certificate_rules.claim_of(rules, goal), node)
            seen.add(state)
            glanced = certificate_rules.glance(certificate_rules.claim_of(rules, goal), node)
            assert plain[goal].rule(node.own, node.other)[0] == (glanced == certificate_rules.HELD)
            if state == certificate_rules.HELD:
                assert score >= goal, (board.to_fen(), goal)
            elif state == certificate_rules.LOST:
                assert score < goal, (board.to_fen(), goal)
    assert certificate_rules.HELD in seen


@pytest.mark.native
@pytest.mark.parametrize("empty", [1, 2, 3])
def test_a_full_board_is_no_win(empty):
    """At the end no reply is left that a rule would have to decide."""
    board = Board.from_moves([0, 1, 2, 0, 1, 2, 0, 1, 2][:-empty], Rules(3, 3, 5))
    for player in (0, 1):
        for moves in (b"", b"\1", b"\2", b"\1\2"):
            for positions in range(4):
                certificate = Certificate(board, (Claim(player, 1, moves, positions),))
                assert not checked(certificate.to_bytes())


@pytest.mark.native
def test_truncated_and_longer_files_are_refused():
    data = prove(Board(Rules(5, 4)), "no loss").to_bytes()
    about, moves = opened(data)
    for end in range(0, len(data), 29):
        assert not checked(data[:end])
    for other in (moves[:-1], moves + moves[-1:], moves[1:], moves[:50] + moves[51:]):
        about["claims"][0]["moves"] = len(other)
        for forged in (signed(about, other), signed(about, moves)):
            assert not checked(forged)


@pytest.mark.native
def test_no_mutant_proves_a_false_claim():
    """The moves of true proofs, changed at random, never prove what is false of the same position."""
    chance, rules = random.Random(7), Rules(4, 4)
    certificate = prove(Board(rules))
    moves = [claim.moves for claim in certificate.claims]
    for number in range(400):
        mutant = bytearray(chance.choice(moves))
        for _ in range(chance.randrange(4)):
            mutant[chance.randrange(len(mutant))] = chance.randrange(4)
        for player in (0, 1):
            claim = replace(certificate.claims[0], player=player, score=1, moves=bytes(mutant), positions=0)
            false = replace(certificate, claims=(claim,))
            with pytest.raises(ProofError, match=r"goal|loses at once|missing|draw"):
                false.check()
            if number % 100 == 0:
                assert not accepted(false.to_bytes())


NOBODY_LOSES = "the first player does not lose; the second player does not lose"


@pytest.mark.native
@pytest.mark.parametrize(
    ("name", "rules", "words", "most"),
    [
        ("7x6", Rules(), "the first player wins; the second player does not lose before ply 41", 10_000),
        ("8x6", Rules(8, 6), "the second player does not lose", 30_000),
        ("5x4", Rules(5, 4), NOBODY_LOSES, None),
        ("5x5-no-diagonals", Rules(5, 5, 4, False), NOBODY_LOSES, None),
        ("6x5", Rules(6, 5), NOBODY_LOSES, None),
        ("6x6", Rules(6, 6), "the second player wins", None),
        ("7x6-after-1", Rules(), "the second player wins", None),
        ("7x6-after-1-by-ply-40", Rules(), "the second player wins by ply 40", None),
        ("7x6-after-2", Rules(), "the second player wins", None),
        ("7x6-after-3", Rules(), "the second player does not lose; the first player does not lose", None),
        ("7x6-after-4", Rules(), "the first player wins; the second player does not lose before ply 41", None),
    ],
)
def test_the_certificates_of_the_package(name, rules, words, most):
    """The plain checker accepts all, too, but that takes minutes: docs/guide/proofs.md."""
    certificate = Certificate.load(ROOT / "proofs" / f"{name}.c4p")
    _, _, first = name.partition("-after-")
    assert (certificate.board, str(certificate)) == (Board.from_pons(first[:1], rules), words)
    assert most is None or len(certificate.claims[0].moves) < most
    certificate.check()
    assert name not in ("5x4", "7x6-after-1") or accepted(certificate.to_bytes())


def test_a_table_of_the_theorems_is_made_from_its_certificate():
    """The first; all take minutes, and `.ci/rocq` compares them."""
    folder = ROOT / "proofs"
    words = [sys.executable, folder / "rocq" / "export.py", folder / "7x6-after-1.c4p"]
    made = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert (folder / "rocq" / "Table.v").read_text().startswith(made)


@pytest.mark.parametrize(
    ("field", "value"), [("player", "XO"), ("player", None), ("score", 10**30), ("score", True), ("positions", "1")]
)
def test_a_claim_in_a_file_that_makes_no_sense(field, value):
    about = {**ABOUT, "claims": [{**ABOUT["claims"][0], field: value}]}
    assert not accepted(signed(about, b""))
    with pytest.raises(ProofError, match="the proof is damaged"):
        Certificate.from_bytes(signed(about, b""))


def test_a_score_that_no_game_has_is_refused():
    """The claim would be true or false, but its words mean nothing."""
    for score in (-9, 9):
        data = Certificate(SMALL, (Claim(0, score, b"", 0),)).to_bytes()
        assert not checked(data)


def test_bytes_after_the_moves_are_refused():
    """With a right hash; they would make any number of files of one proof."""
    data = signed(ABOUT, b"")
    _, text, packed = data.split(b"\n", 2)
    for trailing in (b"x", packed):
        body = text + b"\n" + packed + trailing
        with pytest.raises(ProofError, match="there must be exactly 0 moves"):
            Certificate.from_bytes(MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


@pytest.mark.native
def test_a_file_that_announces_what_no_proof_has(monkeypatch):
    """It is refused by its header: nothing is unpacked, and no board is made, that a small file can make large."""
    (claim,), rules = ABOUT["claims"], ABOUT["rules"]
    assert checked(signed(ABOUT, b""))
    unpacked = SimpleNamespace(decompressobj=lambda: pytest.fail("it was unpacked"))
    monkeypatch.setattr(check_proof, "zlib", unpacked)
    for wrong in (
        {"claims": []},
        {"claims": [{**claim, "moves": -1}]},
        {"claims": [{**claim, "moves": 3 << 30}]},
        {"claims": [{**claim, "moves": 2}, {**claim, "moves": -2}]},
        {"rules": {**rules, "height": 400_000_000}, "board": []},
    ):
        assert not accepted(signed(ABOUT | wrong, b""))
        with pytest.raises(ProofError):
            Certificate.from_bytes(signed(ABOUT | wrong, b"")).check()


def test_boards_beyond_128_bits_are_refused(tmp_path):
    """Their games are longer than functions may call each other."""
    large = Board(Rules(20, 14))
    with pytest.raises(ProofError, match="at most 128 bits"):
        Certificate(large, (Claim(0, 0, bytes(400), 1),)).check()
    deep = Certificate(Board(Rules(14, 8, 9)), (Claim(1, 0, bytes(range(14)) * 99, 1),))
    with pytest.raises(ProofError, match="claim 0"):
        deep.check()


test_bad_arguments = pytest.mark.native(
    refused(
        (lambda: prove(SMALL, backend="pure"), ValueError, "backend must be native for prove, not pure"),
        (lambda: prove(Board(Rules(9, 7))), ValueError, "rules must be of at most 64 bits.* not 9x7x4"),
        (lambda: prove(Board.from_pons("1212121")), GameOverError, "the game is over"),
        (lambda: prove(SMALL, "victory"), ValueError, "claim must be one of"),
        (lambda: prove(SMALL, "no loss", distance=True), ValueError, "claim must be 'win', 'draw' or 'loss'"),
        (lambda: prove(SMALL, max_positions=0), ValueError, "max_positions must be at least 1, not 0"),
        (lambda: shorten(prove(SMALL), 0), ValueError, "passes must be at least 1, not 0"),
        (lambda: Certificate.load(__file__), ProofError, "not a proof"),
    )
)


@pytest.mark.native
def test_the_solver_keeps_to_its_budget():
    """What the search for a proof asks it costs no more nodes than allowed: otherwise a proof is a solution."""
    board = Board(Rules(6, 6))
    scores = Scores(board.rules, False, partial(load("native").new_solver, board.rules))
    search = proving._Search(board, scores, Timer(None), math.inf, lambda visits: None, load("native"))
    lower, upper = search.bounds(board.own, board.mask, -1, 1, nodes=1000)
    assert lower < upper
    assert scores.nodes() <= 1000


@pytest.mark.native
def test_a_limit_ends_the_work():
    for limit in ({"seconds": 0.1}, {"on_progress": lambda count: count > 0}):
        with pytest.raises(UnfinishedProofError, match=r"no proof yet that the first .* at least 1 after 4\d"):
            prove(Board.from_pons("4"), **limit)
    board = Board(Rules(5, 4))
    assert prove(board, "no loss").positions > 50
    with pytest.raises(UnfinishedProofError, match="no proof yet that the first player scores at least 0"):
        prove(board, "no loss", max_positions=50)


@pytest.mark.native
def test_at_a_limit_a_proof_that_was_found_is_kept():
    """Only the part of the work that makes it smaller is left out, more of it at a lower limit."""
    board, visits, found = Board.from_pons("444444"), [], []
    small = prove(board, "win", on_progress=visits.append)
    for limit in visits[:: len(visits) // 4]:
        with contextlib.suppress(UnfinishedProofError):
            found.append(prove(board, "win", on_progress=lambda count, limit=limit: count > limit))
            found[-1].check()
    assert small.positions <= found[-1].positions <= found[0].positions


@pytest.mark.native
@pytest.mark.parametrize(
    ("moves", "rules", "distance"),
    [("", Rules(4, 4), False), ("3", Rules(5, 4), False), ("", Rules(4, 4, 3), True), ("12", Rules(4, 5), True)],
)
def test_a_joined_proof_is_one_of_the_value(moves, rules, distance):
    board = Board.from_pons(moves, rules)
    direct = prove(board, distance=distance)
    joined = join(board, [prove(board.after(column), distance=distance) for column in board.legal_columns])
    assert str(joined) == str(direct)
    assert checked(joined.to_bytes())


@pytest.mark.native
def test_a_proof_is_shortened():
    """To one of the same claims; a joined proof becomes as short as one made at once, or shorter."""
    board = Board(Rules(5, 4))
    joined = join(board, [prove(board.after(column)) for column in range(3)])
    short = shorten(joined)
    assert str(short) == str(joined)
    assert short.moves < joined.moves
    assert shorten(joined) == short, "it is the same each time"
    assert shorten(short, 1).moves <= short.moves
    assert checked(short.to_bytes())
    forged = replace(joined, claims=(replace(joined.claims[0], moves=joined.claims[0].moves[:-1]),))
    with pytest.raises(ProofError, match=r"claim 0: move \d+ is missing"):
        shorten(forged)


def test_a_proof_has_those_of_later_positions():
    """Of those to which the moves of its claimants lead: the first player's is in columns 2 and 4."""
    whole = Certificate.load(ROOT / "proofs" / "5x4.c4p")
    first, second = "the first player does not lose", "the second player does not lose"
    claims = {"1": second, "2": f"{first}; {second}", "3": second, "4": f"{first}; {second}", "43": first, "432": first}
    for moves, text in claims.items():
        part = join(Board.from_pons(moves, whole.board.rules), [whole])
        assert str(part) == text
        assert accepted(part.to_bytes())
    with pytest.raises(ProofError, match="prove nothing of this position"):
        join(Board.from_pons("11", whole.board.rules), [whole])


@pytest.mark.native
def test_the_opponent_needs_parts_after_all_moves_and_the_player_to_move_one():
    board = Board.from_pons("3", Rules(5, 4))
    parts = [prove(board.after(column)) for column in (0, 1)]
    assert str(join(board, parts)) == "the second player does not lose"
    only = prove(board.after(0), "no loss")
    with pytest.raises(ProofError, match=r"nothing of this position: there is none of 5x4x4:32, 5x4x4:33, 5x4x4:34"):
        join(board, [only])
    assert str(join(SMALL, [prove(SMALL.after(column)) for column in (0, 2)])) == str(prove(SMALL)), "mirrored"


@pytest.mark.native
def test_the_best_of_several_parts_counts_once():
    won, lost = Board.from_pons("1", Rules(5, 4)), Board.from_pons("12", Rules(5, 4))
    weak, strong = prove(won, "no loss"), prove(won)
    assert join(won, [weak, strong, strong]) == strong
    parts = [prove(lost.after(column)) for column in lost.legal_columns]
    for others in ([], [prove(lost.after(0), "no loss")]):
        assert str(join(lost, [*others, *parts, *others])) == "the second player wins"


@pytest.mark.native
def test_parts_are_checked():
    part = prove(SMALL.after(0))
    with pytest.raises(ValueError, match=r"certificates\[0\]: 4/4/1o2/1x2 x 4x4x4 is no position after a move in"):
        join(SMALL, [prove(SMALL.after(1, 1))])
    (claim, *others) = part.claims
    forged = replace(part, claims=(replace(claim, moves=claim.moves[:-1]), *others))
    with pytest.raises(ProofError, match=r"certificates\[1\]: claim 0: move \d+ is missing"):
        join(SMALL, [part, forged])
