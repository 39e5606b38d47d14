"""Damaged and forged files: saved engines, books, proofs, networks."""

import json
import zlib
from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import numpy as np
from evaluators import fingerprint
from forging import falsify, members, mutated_bytes, mutated_json, packed, repacked, unpacked, with_about, zipped
from trees import require_whole

from c4mcts import Board, Book, Engine, PuctParams, Rules, SaveError, SearchParams, UctParams, build_book, solve
from c4mcts.errors import ProofError
from c4mcts.search.evaluation import Evaluator
from c4mcts.search.network import PolicyValueNetwork
from c4mcts.solver import Certificate, prove
from c4mcts.solver.certificate import MAGIC

from .target import Target

Loaded = TypeVar("Loaded")

SMALL = Rules(5, 4)
ENGINES = [
    SearchParams.preset("strong"),
    SearchParams.preset("uct", max_nodes=1000),
    SearchParams.preset("uct", transpositions=True, max_nodes=200),
    UctParams(choice="ucb_short_win", probes=False, discount=0.9),
    UctParams(selection="ucb1_tuned", probes=False),
]
EVALUATED = [
    SearchParams.preset("puct-node", batch_size=3, root_noise=(1.0, 0.25)),
    PuctParams(forced_visits=2.0, root_policy_temperature=1.3, first_play_reduction=0.2, exploration_base=9.0),
    SearchParams.preset("gumbel", batch_size=3),
]


@cache
def saved_engine(params: SearchParams, simulations: int) -> bytes:
    """An engine after a search, as the bytes of its file."""
    engine = Engine(params, seed=simulations, evaluator=fingerprint if params.needs_evaluator else None)
    engine.search(Board(SMALL), simulations=simulations)
    return packed(engine)


def forged_archive(data: bytes, chance: Random) -> bytes:
    """A random change of an archive."""
    kind = chance.randrange(5)
    if kind == 0:
        return with_about(data, lambda about: mutated_json(about, chance))
    if kind == 1:
        return mutated_bytes(data, chance)
    contents = members(data)
    name = chance.choice(list(contents))
    if kind == 2:
        return zipped({**contents, name: contents[chance.choice(list(contents))]})
    if kind == 3:
        contents.pop(name)
        return zipped(contents)
    return zipped({**contents, name: mutated_bytes(contents[name], chance)})


def make_engine(chance: Random) -> bytes:
    data = saved_engine(chance.choice(ENGINES), chance.choice([1, 50, 300]))
    if chance.random() < 0.5:
        return repacked(data, partial(falsify, chance))
    return forged_archive(data, chance)


def make_evaluated_engine(chance: Random) -> bytes:
    return repacked(saved_engine(chance.choice(EVALUATED), chance.choice([3, 100])), partial(falsify, chance))


def check_engine(data: bytes, evaluator: Evaluator | None = None) -> None:
    """Both backends refuse it in the same words, or search on with the same tree."""
    seen: list[Any] = []
    for backend in ("native", "pure"):
        try:
            engine = unpacked(data, backend, evaluator)
        except SaveError as error:
            seen.append(one_line(error).partition(": ")[2])  # without the name of the file
            continue
        require_whole(engine)
        for _ in range(2):
            board = engine.board
            if board is not None and not board.is_over():
                engine.advance(engine.search(board, simulations=15).column)
                require_whole(engine)
        seen.append(engine.tree())
    assert np.array_equal(*seen) if isinstance(seen[0], np.ndarray) else seen[0] == seen[1], seen


def one_line(error: Exception) -> str:
    """Its message, which must be one line and not too long."""
    words = str(error)
    assert 0 < len(words) < 2000, words
    assert "\n" not in words, words
    return words


def loaded(load: Callable[[Path], Loaded], data: bytes) -> Loaded | None:
    """What a function reads from a file with this content; None if it refuses it."""
    path = Path("forged.npz")
    path.write_bytes(data)
    try:
        return load(path)
    except SaveError as error:
        one_line(error)
        return None


# books


@cache
def small_book() -> bytes:
    return packed(build_book(SMALL, 4))


def make_book(chance: Random) -> bytes:
    return forged_archive(small_book(), chance)


def check_book(data: bytes) -> None:
    book = loaded(Book.load, data)
    if book is None:
        return
    board = Board(book.rules)
    for column in (2, 2, 1):
        score = book.score(board)
        assert score is None or abs(score) <= book.rules.cells
        board.push(column)


# proofs

PROVEN = [Board(SMALL), Board.from_moves([2, 2], SMALL), Board(Rules(4, 5)), Board.from_moves([1, 2, 1, 2], SMALL)]


@cache
def proof(index: int) -> bytes:
    return prove(PROVEN[index], distance=index == 3).to_bytes()


def with_hash(body: bytes) -> bytes:
    """The file of a proof with this content after the first line."""
    return MAGIC + sha256(body).hexdigest().encode() + b"\n" + body


def make_proof(chance: Random) -> bytes:
    data = proof(chance.randrange(len(PROVEN)))
    _, text, packed = data.split(b"\n", 2)
    kind = chance.randrange(4)
    if kind == 0:
        return mutated_bytes(data, chance)
    if kind == 1:
        return with_hash(mutated_bytes(text + b"\n" + packed, chance))
    if kind == 2:
        text = json.dumps(mutated_json(json.loads(text), chance)).encode()
    else:
        moves = bytearray(zlib.decompress(packed))
        for _ in range(chance.randint(1, 3) if moves else 0):
            moves[chance.randrange(len(moves))] = chance.randrange(7)
        packed = zlib.compress(moves)
    return with_hash(text + b"\n" + packed)


def check_proof(data: bytes) -> None:
    """Both backends refuse it in the same words, or the solver agrees with what it claims."""
    try:
        certificate = Certificate.from_bytes(data)
    except ProofError as error:
        one_line(error)
        return
    seen = []
    for backend in ("native", "pure"):
        try:
            certificate.check(backend=backend)
            seen.append("")
        except ProofError as error:
            seen.append(one_line(error))
    assert seen[0] == seen[1], seen
    if not seen[0]:
        board = certificate.board
        score = solve(board, columns=False).score
        assert score is not None
        for claim in certificate.claims:
            assert (score if claim.player == board.turn else -score) >= claim.score, claim


# networks


@cache
def shipped_network() -> bytes:
    return packed(PolicyValueNetwork.load())


def make_network(chance: Random) -> bytes:
    return forged_archive(shipped_network(), chance)


def check_network(data: bytes) -> None:
    """Refused, or both backends give the same finite answers with it."""
    network = loaded(PolicyValueNetwork.load, data)
    if network is None:
        return
    for board in (Board.from_moves([3, 3, 2, 4]), Board(Rules(9, 8))):
        answers = [network.twin(backend, board.rules).evaluate(board.own, board.mask) for backend in ("native", "pure")]
        (value, priors), (other_value, other_priors) = answers
        assert (value, list(priors)) == (other_value, list(other_priors))
        assert 0 <= value <= 1
        assert np.isfinite(priors).all()


TARGETS = {
    "engine-file": Target(make_engine, check_engine, 12),
    "evaluated-engine-file": Target(make_evaluated_engine, partial(check_engine, evaluator=fingerprint), 30),
    "book-file": Target(make_book, check_book, 60),
    "proof": Target(make_proof, check_proof, 30),
    "network-file": Target(make_network, check_network, 8),
}
