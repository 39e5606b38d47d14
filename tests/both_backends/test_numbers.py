"""The generator, on each backend."""

import pytest

# The reference implementation's first numbers from the state (1, 2); also the test vector of Rust's rand_xoshiro.
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


def test_stream_is_xoroshiro128plusplus(modules):
    random_bits, _ = modules.numbers.stream((1, 2), 10)
    assert random_bits == REFERENCE


def test_stream_goes_on_from_its_state(modules):
    head, state = modules.numbers.stream((1, 2), 4)
    tail, _ = modules.numbers.stream(state, 6)
    assert head + tail == REFERENCE


@pytest.mark.parametrize("state", [(2**64 - 1, 2**64 - 1), (0, 1), (2**63, 0)])
def test_numbers_have_64_bits(modules, state):
    random_bits, after = modules.numbers.stream(state, 1000)
    assert all(0 <= number < 2**64 for number in [*random_bits, *after])
    assert len(set(random_bits)) == 1000
