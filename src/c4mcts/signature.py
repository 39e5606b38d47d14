"""One hash over fixed searches: equal seeds must give equal results on all backends, platforms and releases."""

import hashlib
import json
from dataclasses import astuple
from typing import Any

from ._backend import BackendName
from .board.board import Board
from .board.positions import perft
from .rules import Rules
from .search.engine import Engine
from .search.params import SearchParams, UctTimedParams
from .search.random_games import rollouts
from .solver.solver import solve

LENGTH = 16  # hexadecimal digits

POSITIONS: dict[str, tuple[Rules, list[int]]] = {
    "empty": (Rules(), []),
    "44444": (Rules(), [3, 3, 3, 3, 3]),
    "late": (Rules(), [3, 2, 3, 3, 3, 1, 3, 3, 2, 2, 2, 4, 4, 1, 1, 1, 1, 5]),
    "small": (Rules(5, 4, 3), [2]),
    "even": (Rules(6, 5), []),
    "full-word": (Rules(8, 7), [3, 4]),  # 64 bits with the guard row: the largest board that fits into one integer
    "next-word": (Rules(9, 7, 5), [4]),
    "wide": (Rules(20, 14, 5), [10, 9, 10]),
    "tall": (Rules(7, 40), [3, 3]),
    "huge": (Rules(64, 64, 6), [31, 32]),
    "straight": (Rules(diagonals=False), [3]),
    "long-run": (Rules(6, 4, 9), []),  # nobody can win: the board is too small
}

UCT = SearchParams.preset("uct")
STRONG = SearchParams.preset("strong")
TIMED = UctTimedParams(exploration=0.7, rollout="random", proofs=False, probes=False, transpositions=False)

SEARCHES: dict[str, tuple[str, SearchParams, dict[str, Any]]] = {
    "uct": ("44444", UCT, {"simulations": 6000}),
    "uct-empty": ("empty", UCT, {"simulations": 3000}),
    "uct-nodes": ("late", UCT, {"nodes": 2000}),
    "uct-small": ("small", UCT, {"simulations": 4000}),
    "ties": ("even", UCT.changed(tie_break="random"), {"simulations": 3000}),
    "expand-all": ("empty", TIMED, {"simulations": 3000}),
    "rewards": ("straight", UCT.changed(rewards=(1, -0.5, -1), exploration=0.5), {"simulations": 3000}),
    "first-play": ("full-word", UCT.changed(first_play=0.6, choice="value"), {"simulations": 3000}),
    "greedy": ("empty", UCT.changed(exploration=0.0, tie_break="random"), {"simulations": 500}),
    "full-pool": ("next-word", UCT.changed(max_nodes=500), {"simulations": 2000}),
    "wide": ("wide", UCT.changed(tie_break="random"), {"simulations": 1500}),
    "tall": ("tall", UCT, {"simulations": 1500}),
    "huge": ("huge", UCT, {"simulations": 150}),
    "decisive": ("empty", UCT.changed(rollout="decisive"), {"simulations": 500}),
    "safe": ("44444", UCT.changed(rollout="safe", tie_break="random"), {"simulations": 500}),
    "safe-wide": ("wide", UCT.changed(rollout="safe"), {"simulations": 60}),
    "no-win": ("long-run", UCT, {"simulations": 500}),
    "proofs": ("straight", UCT.changed(proofs=True), {"simulations": 1000}),
    "proofs-wide": ("wide", UCT.changed(proofs=True, rollout="decisive"), {"simulations": 100}),
    "transpositions": ("empty", UCT.changed(transpositions=True), {"simulations": 2000}),
    "transpositions-huge": ("huge", UCT.changed(transpositions=True), {"simulations": 100}),
    "tuned": ("even", UCT.changed(selection="ucb1_tuned", exploration=1.0), {"simulations": 2000}),
    "secure": ("even", UCT.changed(choice="secure"), {"simulations": 500}),
    "temperature": ("late", UCT.changed(temperature=0.7), {"simulations": 300}),
    "report-random": ("empty", SearchParams.preset("report-random"), {"simulations": 1000}),
    "no-diagonals": ("straight", SearchParams.preset("no-diagonals"), {"simulations": 300}),
    "strong": ("44444", STRONG, {"simulations": 600}),
    "strong-late": ("late", STRONG, {"simulations": 1000}),
    "strong-small": ("small", STRONG.changed(tie_break="random"), {"simulations": 400}),
    "strong-wide": ("wide", STRONG, {"simulations": 60}),
}

PERFT_DEPTHS = {"empty": 5, "late": 6, "small": 7, "full-word": 4, "next-word": 4, "wide": 3, "tall": 4, "straight": 5}
SOLVED = ("late", "small", "long-run")
ROLLOUT_GAMES = {"empty": 2000, "late": 500, "small": 2000, "full-word": 300, "wide": 40, "tall": 80, "huge": 2}


def parts(backend: BackendName = "auto") -> dict[str, str]:
    """The hash of each part by name, so that a difference can be located."""
    hashes = {"game": _game_bytes(backend)}
    for name, (start, params, limits) in SEARCHES.items():
        engine = Engine(params, seed=20_240_607, backend=backend)
        hashes[f"search {name}"] = searched(engine, position(start), **limits)
    for name, depth in PERFT_DEPTHS.items():
        counts = [perft(position(name), plies, backend=backend) for plies in range(depth + 1)]
        hashes[f"perft {name}"] = json.dumps(counts).encode()
    for name in SOLVED:
        solution = solve(position(name), max_nodes=20_000, backend=backend)
        hashes[f"solve {name}"] = json.dumps([solution.score, solution.columns, solution.nodes]).encode()
    for name, games in ROLLOUT_GAMES.items():
        stats = rollouts(position(name), games, seed=5, backend=backend)
        hashes[f"rollouts {name}"] = json.dumps(astuple(stats)).encode()
    return {name: _short_hash(part) for name, part in hashes.items()}


def signature(hashes: dict[str, str]) -> str:
    """One hash over the hashes of all parts."""
    return _short_hash(json.dumps(hashes, sort_keys=True).encode())


def position(name: str) -> Board:
    rules, moves = POSITIONS[name]
    return Board.from_moves(moves, rules)


def _game_bytes(backend: BackendName) -> bytes:
    engine = Engine(UCT.changed(tie_break="random"), seed=7, backend=backend)
    board = Board()
    played = b""
    while not board.is_over():
        played += searched(engine, board, simulations=100)
        board.push(int(engine.search(board, simulations=1, columns=False).column))
    return played


def searched(engine: Engine, board: Board, **limits: Any) -> bytes:
    """Search, and return the nodes in little-endian order and the result, without its seconds and later fields."""
    result: dict[str, Any] = engine.search(board, columns=False, **limits).to_dict()
    del result["seconds"], result["root_value"], result["bound"]
    for move in result["moves"]:
        del move["weight"], move["bound"], move["lower"], move["upper"]
    tree = engine.tree()
    return tree.astype(tree.dtype.newbyteorder("<")).tobytes() + json.dumps(result, sort_keys=True).encode()


def _short_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:LENGTH]
