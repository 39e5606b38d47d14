"""What a seed leads to is a promise: one hash over fixed searches, counts and games, the same in every release."""

from c4mcts.signature import parts, signature

# If this changes, play has changed: either that was meant, and the changelog says so, or it is a bug.
RECORDED = "7941a1abee4dfa95"


def test_signature(backend):
    assert signature(parts(backend)) == RECORDED


def test_the_signature_depends_on_every_part():
    hashes = parts("pure")
    for name in hashes:
        assert signature({**hashes, name: "0" * 16}) != signature(hashes)
