"""Certificates: what they prove, and that neither the package nor the independent checker accepts a false one."""

import ast
import contextlib
import hashlib
import importlib.util
import json
import random
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from c4mcts import Board, Engine, Rules, solve
from c4mcts._pure import certificate as certificate_rules
from c4mcts.errors import FalseClaimError, GameOverError, ProofError, UnfinishedProofError
from c4mcts.solver import Certificate, prove
from c4mcts.solver.certificate import MAGIC, Claim

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
    """Whether the package accepts a file, with either backend; the two must agree."""
    found = set()
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


def sign(number):
    return (number > 0) - (number < 0)


def random_board(rules, plies, chance):
    """A random unfinished position with at most this many discs."""
    board = Board(rules)
    for _ in range(plies):
        board.push(chance.choice(board.legal_columns))
        if board.is_over():
            board.pop()
            break
    return board


@pytest.mark.native
@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("distance", [False, True])
def test_values_are_proven(rules, distance):
    """The claims bound the score that the solver finds from both sides, and all three checkers accept them."""
    chance = random.Random(rules.cells)
    for plies in (0, 1, 2, 4, 6):
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
        assert accepted(data)


@pytest.mark.native
@pytest.mark.parametrize("claim", ["win", "draw", "loss", "no win", "no loss"])
def test_a_false_claim_is_answered_with_the_value(claim):
    allowed = {"win": [1], "draw": [0], "loss": [-1], "no win": [-1, 0], "no loss": [0, 1]}[claim]
    words = {1: "a win", 0: "a draw", -1: "a loss"}
    seen = set()
    for moves in ("", "1", "12", "121", "4", "41", "2", "3"):
        board = Board.from_pons(moves, Rules(4, 4, 3) if len(moves) % 2 else Rules(5, 4))
        value = sign(solve(board).score)
        seen.add(value in allowed)
        if value in allowed:
            certificate = prove(board, claim)
            assert len(certificate.claims) == 1 + (claim == "draw")
            certificate.check()
        else:
            with pytest.raises(FalseClaimError, match=f"{claim}' is false: the position is {words[value]}"):
                prove(board, claim)
    assert len(seen) == 2 or claim in ("win", "no loss", "no win")


@pytest.mark.native
def test_a_proof_for_one_position_proves_nothing_else():
    """Neither a higher score, nor the other player's, nor another position, nor other rules; also with a right hash."""
    about, moves = opened(prove(Board(Rules(5, 4))).to_bytes())
    wrong = []
    for change in range(8):
        forged = json.loads(json.dumps(about))
        claim = forged["claims"][0]
        match change:
            case 0:
                claim["score"] = 1
            case 1:
                claim["player"] = "O"
            case 2:
                forged["board"][-1] = "XO..."
            case 3:
                forged["rules"]["width"] = 6
            case 4:
                forged["rules"]["connect"] = 3
            case 5:
                claim["positions"] += 1
            case 6:
                claim["moves"] -= 1
                forged["claims"][1]["moves"] += 1
            case 7:
                forged["rules"]["diagonals"] = False
        wrong.append(signed(forged, moves))
    assert checked(signed(about, moves))
    assert accepted(signed(about, moves))
    assert not any(map(checked, wrong))
    assert not any(map(accepted, wrong))


def test_the_checker_is_short_and_stands_alone():
    text = (ROOT / "tools" / "check_proof.py").read_text(encoding="utf-8")
    imported = {name.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for name in node.names}
    assert len(text.splitlines()) <= 200
    assert imported <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(ast.parse(text)))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_what_the_rules_decide_is_true(rules):
    """Compared with the solver, in positions of all lengths."""
    chance, seen = random.Random(rules.cells), set()
    for _ in range(150):
        board = random_board(rules, chance.randrange(rules.cells), chance)
        score = solve(board, columns=False).score
        for goal in range(-2, 3):
            node = certificate_rules.ProofNode()
            node.own, node.other = board.own, board.own ^ board.mask
            state = certificate_rules.look(certificate_rules.claim_of(rules, goal), node)
            seen.add(state)
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
                assert not accepted(certificate.to_bytes())


@pytest.mark.native
def test_truncated_and_longer_files_are_refused():
    data = prove(Board(Rules(5, 4)), "no loss").to_bytes()
    about, moves = opened(data)
    for end in range(0, len(data), 7):
        assert not checked(data[:end])
        assert not accepted(data[:end])
    for other in (moves[:-1], moves + moves[-1:], moves[1:], moves[:50] + moves[51:]):
        about["claims"][0]["moves"] = len(other)
        for forged in (signed(about, other), signed(about, moves)):
            assert not checked(forged)
            assert not accepted(forged)


@pytest.mark.native
def test_every_changed_byte_is_refused():
    data = prove(Board(Rules(4, 4)), "no loss").to_bytes()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        assert not checked(bytes(changed)), place
        assert not accepted(bytes(changed)), place


@pytest.mark.native
def test_mutants_are_refused():
    """10,000 certificates with other moves and a right hash; the few that are accepted are proofs by other moves."""
    certificate = prove(Board(Rules(6, 4)), "loss")
    claim, chance = certificate.claims[0], random.Random(35)
    accepted_mutants = 0
    for number in range(10_000):
        moves = bytearray(claim.moves)
        for _ in range(chance.choice((1, 1, 2, 5))):
            moves[chance.randrange(len(moves))] = chance.randrange(6)
        mutant = replace(certificate, claims=(replace(claim, moves=bytes(moves)),))
        if bytes(moves) == claim.moves:
            continue
        try:
            mutant.check()
        except ProofError:
            is_accepted = False
        else:
            is_accepted = True
            accepted_mutants += 1
        if is_accepted or number % 500 == 0:
            assert accepted(mutant.to_bytes()) == is_accepted
    assert accepted_mutants < 300


@pytest.mark.native
def test_no_mutant_proves_a_false_claim():
    """The moves of true proofs, changed at random, never prove what is false of the same position."""
    chance, rules = random.Random(7), Rules(4, 4)
    certificate = prove(Board(rules))
    moves = [claim.moves for claim in certificate.claims]
    for number in range(3000):
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


def test_the_certificate_of_the_empty_board():
    """The first player wins on 7 x 6, and not before the 41st disc if the second player does not want that."""
    certificate = Certificate.load(ROOT / "proofs" / "7x6.c4p")
    assert certificate.board == Board()
    assert str(certificate) == "the first player wins; the second player does not lose before ply 41"
    assert len(certificate.claims[0].moves) < 10_000
    certificate.check()


@pytest.mark.native
def test_the_certificate_of_8x6():
    """The plain checker accepts it, too, but that takes minutes: docs/guide/proofs.md."""
    certificate = Certificate.load(ROOT / "proofs" / "8x6.c4p")
    assert (certificate.board, str(certificate)) == (Board(Rules(8, 6)), "the second player does not lose")
    assert len(certificate.claims[0].moves) < 30_000
    certificate.check()


@pytest.mark.parametrize(
    ("name", "rules", "words"),
    [
        ("5x4", Rules(5, 4), "the first player does not lose; the second player does not lose"),
        ("5x5-no-diagonals", Rules(5, 5, 4, False), "the first player does not lose; the second player does not lose"),
        ("6x5", Rules(6, 5), "the first player does not lose; the second player does not lose"),
        ("6x6", Rules(6, 6), "the second player wins"),
    ],
)
def test_certificates_of_smaller_boards(name, rules, words):
    certificate = Certificate.load(ROOT / "proofs" / f"{name}.c4p")
    assert (certificate.board, str(certificate)) == (Board(rules), words)
    certificate.check()
    assert accepted(certificate.to_bytes())


@pytest.mark.native
def test_what_searches_prove_has_certificates():
    """200 drawn positions that a search has proven."""
    chance, count = random.Random(3), 0
    while count < 200:
        rules = chance.choice([Rules(), Rules(6, 5), Rules(5, 4), Rules(8, 7), Rules(7, 6, 3), Rules(6, 6, 4, False)])
        board = random_board(rules, chance.randrange(rules.cells // 2, rules.cells), chance)
        proof = Engine(seed=count).search(board, simulations=300).proof
        if proof is None:
            continue
        count += 1
        certificate = prove(board, proof)
        certificate.check()
        if count % 10 == 0:
            assert accepted(certificate.to_bytes())


@pytest.mark.native
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("player", ""),
        ("player", "XO"),
        ("player", None),
        ("player", "X "),
        ("score", 10**30),
        ("score", True),
        ("score", 0.5),
        ("moves", -1),
        ("moves", 2**70),
        ("positions", "1"),
    ],
)
def test_a_claim_in_a_file_that_makes_no_sense(field, value):
    about, moves = opened(prove(Board(Rules(4, 4)), "no loss").to_bytes())
    about["claims"][0][field] = value
    assert not checked(signed(about, moves))
    assert not accepted(signed(about, moves))
    with pytest.raises(ProofError, match="the proof is damaged"):
        Certificate.from_bytes(signed(about, moves))


def test_a_file_that_announces_what_no_proof_has(monkeypatch):
    """It is refused by its header: nothing is unpacked, and no board is made, that a small file can make large."""
    rules = {"width": 4, "height": 4, "connect": 4, "diagonals": True}
    claim = {"player": "X", "score": -8, "moves": 0, "positions": 0}
    about = {"rules": rules, "board": ["...."] * 4, "claims": [claim]}
    assert checked(signed(about, b""))
    assert accepted(signed(about, b""))
    unpacked = SimpleNamespace(decompressobj=lambda: pytest.fail("it was unpacked"))
    monkeypatch.setattr(check_proof, "zlib", unpacked)
    for wrong in (
        {"claims": []},
        {"claims": [{**claim, "moves": -1}]},
        {"claims": [{**claim, "moves": 3 << 30}]},
        {"claims": [{**claim, "moves": 2}, {**claim, "moves": -2}]},
        {"rules": {**rules, "height": 400_000_000}, "board": []},
    ):
        assert not accepted(signed(about | wrong, b""))
        with pytest.raises(ProofError):
            Certificate.from_bytes(signed(about | wrong, b"")).check()


@pytest.mark.parametrize("score", [-9, 9, -128])
def test_a_score_that_no_game_has_is_refused(score):
    """The claim would be true or false, but its words mean nothing."""
    data = Certificate(Board(Rules(4, 4)), (Claim(0, score, b"", 0),)).to_bytes()
    assert not checked(data)
    assert not accepted(data)


@pytest.mark.native
def test_a_board_in_a_file_that_makes_no_sense():
    about, moves = opened(prove(Board(Rules(4, 4)), "no loss").to_bytes())
    for cell in ("", "XO", 1, None, []):
        board = [list(row) for row in about["board"]]
        board[0][0] = cell
        with pytest.raises(ProofError, match="the proof is damaged"):
            Certificate.from_bytes(signed({**about, "board": board}, moves))


def test_boards_beyond_128_bits_are_refused(tmp_path):
    """Their games are longer than functions may call each other."""
    large = Board(Rules(20, 14))
    with pytest.raises(ProofError, match="at most 128 bits"):
        Certificate(large, (Claim(0, 0, bytes(400), 1),)).check()
    deep = Certificate(Board(Rules(14, 8, 9)), (Claim(1, 0, bytes(range(14)) * 99, 1),))
    with pytest.raises(ProofError, match="claim 0"):
        deep.check()


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ((2, 0, b"", 1), ValueError, "player must be 0 to 1, not 2"),
        ((0, 10**30, b"", 1), ValueError, "score must be -128 to 128, not 1000"),
        ((0, 0, "123", 1), TypeError, "moves must be bytes, not '123'"),
    ],
)
def test_a_claim_that_makes_no_sense(values, error, words):
    with pytest.raises(error, match=words):
        Claim(*values)


@pytest.mark.native
def test_what_prove_can_not_do():
    with pytest.raises(ValueError, match="backend must be native for prove, not pure: it can only check proofs"):
        prove(Board(Rules(4, 4)), backend="pure")
    with pytest.raises(ValueError, match=r"rules must be of at most 64 bits.* not 9x7x4"):
        prove(Board(Rules(9, 7)), "no loss")


@pytest.mark.native
def test_bad_arguments(tmp_path):
    with pytest.raises(GameOverError):
        prove(Board.from_pons("1212121"))
    with pytest.raises(ValueError, match="claim must be one of"):
        prove(Board(), "victory")
    with pytest.raises(ValueError, match="claim must be 'win', 'draw' or 'loss'"):
        prove(Board(Rules(4, 4)), "no loss", distance=True)
    with pytest.raises(ValueError, match="max_positions must be at least 1, not 0"):
        prove(Board(), max_positions=0)
    with pytest.raises(
        UnfinishedProofError, match=r"no proof yet that the first player scores at least 1 after 4\d, 4"
    ):
        prove(Board.from_pons("4"), on_progress=lambda count: count > 0)
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ProofError, match="not a proof"):
        Certificate.load(tmp_path / "text")


@pytest.mark.native
def test_at_a_limit_a_proof_that_was_found_is_kept():
    """Only the part of the work that makes it smaller is left out, more of it at a lower limit."""
    board, visits, found = Board.from_pons("444444"), [], []
    small = prove(board, "win", on_progress=visits.append)
    for limit in visits[::16]:
        with contextlib.suppress(UnfinishedProofError):
            found.append(prove(board, "win", on_progress=lambda count, limit=limit: count > limit))
            found[-1].check()
    assert found[0].positions > small.positions == found[-1].positions


@pytest.mark.native
def test_an_exception_in_on_progress_is_raised():
    def on_progress(count):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        prove(Board.from_pons("4"), on_progress=on_progress)
