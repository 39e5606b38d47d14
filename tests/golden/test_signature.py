"""What a seed leads to is a promise: one hash over fixed searches, counts and games, the same in every release."""

from c4mcts.seeds import SIGNATURE
from c4mcts.signature import parts, signature


def test_signature(backend):
    """If it changes, play has changed: either that was meant, and the changelog says so, or it is a bug."""
    assert signature(parts(backend)) == SIGNATURE


def test_the_signature_depends_on_every_part():
    hashes = parts("pure")
    for name in hashes:
        assert signature({**hashes, name: "0" * 16}) != signature(hashes)
