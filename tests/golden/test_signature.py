"""Equal seeds give equal results in every release: one hash over fixed searches, counts and games."""

import c4mcts
from c4mcts.seeds import SIGNATURE
from c4mcts.signature import parts, signature


def test_signature(backend):
    """If this fails, results have changed: an intended change belongs in the changelog, any other is a bug."""
    assert signature(parts(backend)) == SIGNATURE


def test_the_signature_depends_on_every_part():
    hashes = parts(c4mcts.backend())
    for name in hashes:
        assert signature({**hashes, name: "0" * 16}) != signature(hashes)
