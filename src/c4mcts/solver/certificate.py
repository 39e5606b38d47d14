"""Certificate: a proof of the value of a position, as a file that anyone can check.

The file is a line `c4mcts-proof 2 HASH` with the SHA-256 of all bytes after it, a line of JSON that says what is
proven, and, compressed by zlib, one byte for each move of the players who claim something: its column.
https://github.com/c4mcts/c4mcts/blob/main/docs/guide/proofs.md describes it; `tools/check_proof.py` is a checker that
shares no code with the package.
"""

import hashlib
import os
from dataclasses import asdict, dataclass
from typing import Any

from .. import _files
from .._backend import BackendName, load
from .._layout import UNLIMITED
from .._validation import an_instance, between, counted, naming
from ..board.board import Board
from ..errors import ProofError
from ..rules import Rules, fits_solver, fits_word
from .verdict import plies_of

MAGIC = b"c4mcts-proof 2 "
EMPTY_OR_DISC = ".XO"
MAX_MOVES = 1 << 28  # that a file may hold
MAX_BYTES = 1 << 28  # of a file
MAX_SCORE = 128  # more than any win has on a board of up to 128 bits


@dataclass(frozen=True, slots=True)
class Claim:
    """A score that a player can reach against every reply, with its proof."""

    player: int  # 0 moves first
    score: int  # at least this score of that player: 1 to win, 0 not to lose; see Solution
    moves: bytes  # the columns of the player's moves, in the order in which the checker needs them
    positions: int  # that the checker visits


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof of the value of a position: see prove."""

    board: Board
    claims: tuple[Claim, ...]

    @property
    def moves(self) -> int:
        """How many moves it lists."""
        return sum(len(claim.moves) for claim in self.claims)

    @property
    def positions(self) -> int:
        """How many positions a checker visits, mirror images counted once."""
        return sum(claim.positions for claim in self.claims)

    def __str__(self) -> str:
        return "; ".join(claim_text(self.board, claim.player, claim.score) for claim in self.claims)

    def check(self, *, backend: BackendName = "auto") -> None:
        """Check the proof, by the rules alone and without a search; ProofError, with the place, if it fails."""
        if not self.claims:
            raise ProofError("nothing is claimed")
        most = (self.board.rules.cells + 1 - self.board.ply) // 2  # for a win with the next disc
        for number, claim in enumerate(self.claims):
            with naming(f"claim {number}: ", ProofError):
                if abs(claim.score) > most:
                    raise ValueError(f"no game has a score of {claim.score} here: it is {-most} to {most}")
                positions, used, _ = read_moves(self.board, claim.player, claim.score, claim.moves, backend)
                if used < len(claim.moves):
                    raise ValueError(f"{counted(len(claim.moves) - used, 'move')} too many")
                if positions != claim.positions:
                    raise ValueError(f"it has {counted(positions, 'position')}, not {claim.positions:,}")

    def to_bytes(self) -> bytes:
        """The content of the file."""
        import json  # here as in _files: both take a few ms, and most programs don't need them
        import zlib

        about = {
            "rules": asdict(self.board.rules),
            "board": ["".join(EMPTY_OR_DISC[cell] for cell in row) for row in self.board.to_array().tolist()],
            "claims": [
                {
                    "player": "XO"[claim.player],
                    "score": claim.score,
                    "moves": len(claim.moves),
                    "positions": claim.positions,
                }
                for claim in self.claims
            ],
        }
        packer = zlib.compressobj(9, strategy=zlib.Z_RLE)  # moves hardly repeat: a tenth less than by matching strings
        moves = packer.compress(b"".join(claim.moves for claim in self.claims))
        body = json.dumps(about).encode() + b"\n" + moves + packer.flush()
        return MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body

    @classmethod
    def from_bytes(cls, data: bytes) -> "Certificate":
        """Read the content of a file. ProofError if it is damaged; whether it proves anything is for `check` to say."""
        head, _, body = an_instance("data", data, bytes, "bytes").partition(b"\n")
        if not head.startswith(MAGIC):
            raise ProofError("this is not a proof in format 2")
        if head[len(MAGIC) :] != hashlib.sha256(body).hexdigest().encode():
            raise ProofError("the proof is damaged: its hash is wrong")
        import json
        import zlib

        text, _, packed = body.partition(b"\n")
        try:
            return _certificate(json.loads(text), packed)
        except (ValueError, LookupError, TypeError, RecursionError, zlib.error) as error:
            raise ProofError(f"the proof is damaged: {error}") from None

    def save(self, path: _files.StrPath) -> None:
        """Write the file, which is replaced if it exists; never half of it. OSError."""
        _files.write(_files.path_of("path", path), self.to_bytes())

    @classmethod
    def load(cls, path: _files.StrPath) -> "Certificate":
        """Read a file that `save` wrote. Raises ProofError, OSError."""
        where = _files.path_of("path", path)
        with naming(f"{where}: ", ProofError), open(where, "rb") as file:
            data = file.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise ProofError(f"a proof must have at most {MAX_BYTES:,} bytes")
            return cls.from_bytes(data)


def shipped(first: int | None = None) -> str:
    """The file of the package with the proof of 7 x 6, or after a first move in column 0 or 1; proofs/ has the same."""
    return os.path.join(os.path.dirname(__file__), "proof-7x6x4" + ("" if first is None else f"-{first + 1}") + ".c4p")


def sides_of(board: Board, player: int) -> tuple[int, int, bool]:
    """The discs of a player and of the opponent, and whether the player is to move."""
    sides = board._sides()
    return sides[player], sides[1 - player], board.turn == player


def read_moves(
    board: Board, player: int, score: int, moves: bytes, backend: BackendName, discs: int = 0
) -> tuple[int, int, dict[int, int]]:
    """Check that moves prove a claim. ValueError.

    Returns how many positions were visited and how many moves used; and the moves in positions with fewer than `discs`
    discs: see CertificateReader.
    """
    if not fits_solver(board.rules):
        raise ValueError(f"rules must be of at most 128 bits, width * (height + 1), for a proof, not {board.rules}")
    checking = load(backend if fits_word(board.rules) else "pure").certificate
    reader = checking.CertificateReader(board.rules, score)
    positions, used = reader.read(*sides_of(board, player), moves, discs)
    return int(positions), int(used), reader.answers


def claim_text(board: Board, player: int, score: int) -> str:
    name, cells = ("first", "second")[player], board.rules.cells
    if score == 0:
        return f"the {name} player does not lose"
    relative = score if board.turn == player else -score
    last = board.ply + plies_of(relative, cells - board.ply)  # ply of the last disc
    if score > 0:
        return f"the {name} player wins" + (f" by ply {last}" if score > 1 else "")
    return f"the {name} player does not lose before ply {last}"


def _certificate(about: dict[str, Any], packed: bytes) -> Certificate:
    """A certificate from the JSON and the compressed moves of a file. Any error of these types if it is damaged."""
    import zlib

    rules = Rules(**about["rules"])
    board = Board.from_array([[*row] for row in about["board"]], rules, empty=".", first="X", second="O")
    if board.is_over():
        raise ValueError("the game is over")
    sizes = [between("moves", claim["moves"], 0, MAX_MOVES) for claim in about["claims"]]
    if sum(sizes) > MAX_MOVES:
        raise ValueError(f"there are {sum(sizes)} moves, more than {MAX_MOVES}")
    unpacker = zlib.decompressobj()
    moves = unpacker.decompress(packed, sum(sizes) + 1)
    if len(moves) != sum(sizes) or not unpacker.eof or unpacker.unused_data:
        raise ValueError(f"there must be exactly {counted(sum(sizes), 'move')}")
    claims, start = [], 0
    players = {"X": 0, "O": 1}
    for claim, size in zip(about["claims"], sizes, strict=True):
        part = moves[start : start + size]
        score = between("score", claim["score"], -MAX_SCORE, MAX_SCORE)
        positions = between("positions", claim["positions"], 0, UNLIMITED)
        claims.append(Claim(players[claim["player"]], score, part, positions))
        start += size
    return Certificate(board, tuple(claims))
