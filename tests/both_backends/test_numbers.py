"""The generator, logarithms and exponentials without a C library, and the noise of a root."""

import math

import numpy as np
import pytest

from c4mcts._backend import load

PURE = load("pure").numbers

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


def test_logarithm_and_exponential_are_exact_to_a_few_units():
    numbers = np.concatenate([np.geomspace(1e-300, 1e300, 2001), np.linspace(0.5, 2, 501), [5e-324, 1.0]])
    for x in numbers.tolist():
        assert PURE.ln(x) == pytest.approx(math.log(x), rel=4e-16, abs=4e-16)
    for x in [*np.linspace(-745, 0, 5001).tolist(), -1e-300, -0.0, -800.0, -math.inf]:
        assert PURE.exp(x) == pytest.approx(math.exp(x), rel=1e-13, abs=1e-320)
    assert PURE.exp(0.0) == 1.0
    assert PURE.ln(1.0) == 0.0


@pytest.mark.parametrize("temperature", [0.01, 0.5, 1.0, 2.0, 100.0])
def test_powers(temperature):
    for base in (1e-9, 0.1, 0.5, 0.999, 1.0):
        assert PURE.power(base, temperature) == pytest.approx(base ** (1 / temperature), rel=1e-12, abs=1e-300)
    assert PURE.power(0.5, 0.0) == 0.0
    assert PURE.power(1.0, 0.0) == 1.0


@pytest.mark.parametrize("alpha", [0.03, 0.3, 1.0, 1.4, 10.0])
def test_noise_has_the_moments_of_the_distribution(modules, alpha):
    """Mean 1 / k and variance (k - 1) / (k^2 (k alpha + 1)) of each share, within five standard errors."""
    k, n = 7, 1500
    shares = np.array([modules.numbers.root_noise((seed, 3), 1, alpha, k) for seed in range(n)])
    assert np.abs(shares.sum(axis=1) - 1).max() < 1e-12
    assert (shares >= 0).all()
    variance = (k - 1) / (k**2 * (k * alpha + 1))
    assert np.abs(shares.mean(axis=0) - 1 / k).max() < 5 * math.sqrt(variance / n)
    squares = (shares - 1 / k) ** 2
    assert np.abs(squares.mean(axis=0) - variance).max() < 5 * squares.std() / math.sqrt(n)


@pytest.mark.parametrize("alpha", [5e-324, 1e-300, 1e-10, 1e10, 1e17, 1e100, 1.7e308])
def test_extreme_concentrations(modules, alpha):
    for seed in range(20):
        shares = modules.numbers.root_noise((seed, 1), 2, alpha, 64)
        assert sum(shares) == pytest.approx(1)
        assert max(shares) > 0.999 if alpha < 1 else max(shares) < 0.02


def test_stream_is_xoroshiro128plusplus_and_goes_on_from_its_state(modules):
    head, state = modules.numbers.stream((1, 2), 4)
    tail, _ = modules.numbers.stream(state, 6)
    assert head + tail == REFERENCE


@pytest.mark.parametrize("state", [(2**64 - 1, 2**64 - 1), (0, 1), (2**63, 0)])
def test_numbers_have_64_bits(modules, state):
    random_bits, after = modules.numbers.stream(state, 1000)
    assert all(0 <= number < 2**64 for number in [*random_bits, *after])
    assert len(set(random_bits)) == 1000
