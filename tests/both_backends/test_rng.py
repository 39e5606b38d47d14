"""The generator, on each engine."""

import pytest

# The reference implementation's first words from the state (1, 2); also the test vector of Rust's rand_xoshiro.
REFERENCE = [
    393217,
    669327710093319,
    1732421326133921491,
    11394790081659126983,
    9555452776773192676,
    3586421180005889563,
    1691397964866707553,
    10735626796753111697,
    15216282715349408991,
    14247243556711267923,
]


def test_stream_is_xoroshiro128plusplus(room):
    words, _ = room.rng.stream((1, 2), 10)
    assert words == REFERENCE


def test_stream_goes_on_from_its_state(room):
    head, state = room.rng.stream((1, 2), 4)
    tail, _ = room.rng.stream(state, 6)
    assert head + tail == REFERENCE


@pytest.mark.parametrize("state", [(2**64 - 1, 2**64 - 1), (0, 1), (2**63, 0)])
def test_words_are_64_bits(room, state):
    words, after = room.rng.stream(state, 1000)
    assert all(0 <= word < 2**64 for word in [*words, *after])
    assert len(set(words)) == 1000
