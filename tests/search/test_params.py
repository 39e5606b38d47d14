"""SearchParams and Limits: what they accept, and what they say of what they don't."""

import inspect
import itertools
import json
import math
import pickle
import re
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
from refusals import refused

from c4mcts import GumbelParams, PuctParams, SearchParams, UctParams
from c4mcts.search.limits import Limits
from c4mcts.search.params import ALGORITHMS, PRESETS

NAN = math.nan


KINDS = [UctParams, PuctParams, GumbelParams]
PRESET_OF = {UctParams: "uct", PuctParams: "alphazero", GumbelParams: "gumbel"}


def kind_with(field):
    """An algorithm that has the field."""
    return next(kind for kind in KINDS if field in [each.name for each in fields(kind)])


def test_the_base_says_what_to_use():
    with pytest.raises(
        TypeError, match=r"use UctParams, PuctParams, GumbelParams or NetworkParams, or SearchParams\.preset\(name\)"
    ):
        SearchParams()


@pytest.mark.parametrize(
    ("kind", "field", "words"),
    [
        (UctParams, "explorations", "UctParams has no parameter 'explorations': did you mean 'exploration'?"),
        (UctParams, "luck", "UctParams has no parameter 'luck'; the parameters are rewards, proofs, checks, "),
        (UctParams, "root_noise", "root_noise is a parameter of PuctParams, not of UctParams"),
        (PuctParams, "probes", "probes is a parameter of UctParams and NetworkParams, not of PuctParams"),
        (PuctParams, "discount", "discount is a parameter of UctParams, not of PuctParams"),
    ],
)
def test_a_parameter_that_an_algorithm_does_not_have(kind, field, words):
    for make in (
        lambda: kind().changed(**{field: 1}),
        lambda: SearchParams.preset(PRESET_OF[kind], **{field: 1}),
        lambda: SearchParams.from_dict({"algorithm": kind.algorithm, field: 1}),
    ):
        with pytest.raises(TypeError, match=f"^{re.escape(words)}"):
            make()
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{field}'"):
        kind(**{field: 1})


@pytest.mark.parametrize("kind", ALGORITHMS.values())
def test_help_shows_the_fields(kind):
    shown = inspect.signature(kind).parameters
    assert list(shown) == [field.name for field in fields(kind)]
    assert (shown["proofs"].annotation, shown["proofs"].default) == (bool, kind().proofs)


def test_what_an_algorithm_does_not_let_choose_is_a_constant():
    assert (PuctParams().opponent, PuctParams().discount, PuctParams().probes) == ("minimax", 1.0, False)
    assert (GumbelParams().choice, GumbelParams().temperature, GumbelParams().keep_tree) == ("visits", 0.0, False)
    with pytest.raises(ValueError, match=r"choice must be one of 'visits', .*, not 'ucb_short_win'"):
        PuctParams(choice="ucb_short_win")


@pytest.mark.parametrize(
    ("field", "values", "error"),
    [
        ("exploration", [NAN, math.inf, 1e308, 10**400], ValueError),
        ("exploration", ["1", None], TypeError),
        ("first_play", [NAN, -math.inf], ValueError),
        ("rollout", ["smart"], ValueError),
        ("choice", ["visit", 1], ValueError),
        ("checks", ["no", 1], TypeError),
        ("discount", [0, -0.5, 1.01, math.inf], ValueError),
        ("max_nodes", [0, -5, 2**32], ValueError),
        ("max_bytes", [0, 5, 4 << 20], ValueError),
        ("max_bytes", ["5", 1.5], TypeError),
        ("rewards", [(1, 0), 1, itertools.count(), ("1", 0, 0)], TypeError),
        ("rewards", [(1, NAN, 0), (math.inf, 0, 0), (1e308, 0, -1e308), (1e-320, 0, 0)], ValueError),
        ("rewards", [(0, 0, 0), (0, 0.5, 1), (1, 2, 0), (1, 1 / 1009, 0)], ValueError),
        ("temperature", [-0.5, NAN], ValueError),
        ("batch_size", [0, 2**17], ValueError),
        ("batch_size", [2.0], TypeError),
        ("virtual_loss", [-1.0, math.inf], ValueError),
        ("root_noise", [0.3, (0.3,)], TypeError),
        ("root_noise", [(0, 0.25), (0.3, 1.5)], ValueError),
        ("exploration_base", [0.5, NAN], ValueError),
        ("first_play_reduction", [-0.1, math.inf], ValueError),
        ("root_policy_temperature", [0], ValueError),
        ("forced_visits", [-2], ValueError),
        ("max_num_considered_actions", [0], ValueError),
        ("gumbel_scale", [-1.0, NAN], ValueError),
        ("maxvisit_init", [math.inf], ValueError),
        ("value_scale", [None], TypeError),
    ],
)
def test_bad_values_name_the_field_and_the_value(field, values, error):
    for value in values:
        with pytest.raises(error, match=field) as caught:
            kind_with(field)(**{field: value})
        if field != "rewards":  # whose three numbers are shown as floats, or the one that is none
            assert repr(value) in str(caught.value)


def test_params_are_frozen_equal_hashable_and_picklable():
    params = UctParams(exploration=1, rewards=np.array([1, 0, -1]))
    assert params == UctParams(exploration=1.0, rewards=(1, 0, -1))
    assert hash(params) == hash(UctParams(exploration=1.0, rewards=(1, 0, -1)))
    assert pickle.loads(pickle.dumps(params)) == params
    assert replace(params, exploration=2).exploration == 2
    with pytest.raises(FrozenInstanceError):
        params.exploration = 2


@pytest.mark.parametrize(
    ("rewards", "win", "draw"),
    [
        ((1, 0.5, 0), 2, 1),
        ((1, 0, -1), 2, 1),
        ((1, 0, 0), 1, 0),
        ((1, 1, 0), 1, 1),
        ((1, 0.07, 0), 100, 7),
    ],
)
def test_rewards_become_whole_numbers(rewards, win, draw):
    settings = UctParams(rewards=rewards).settings
    assert (settings.win, settings.draw) == (win, draw)


def test_exploration_and_first_play_are_on_the_scale_of_the_rewards():
    """Scaling all rewards, the factor and the first-play value alike changes nothing."""
    small = UctParams(rewards=(1, 0.5, 0), exploration=0.7, first_play=0.25).settings
    large = UctParams(rewards=(10, 5, 0), exploration=7, first_play=2.5).settings
    shifted = UctParams(rewards=(0, -5, -10), exploration=7, first_play=-7.5).settings
    for other in (large, shifted):
        assert other._replace(exploration=0) == small._replace(exploration=0)
        assert other.exploration == pytest.approx(small.exploration)


def test_presets():
    assert SearchParams.preset("strong") == UctParams()
    plain = SearchParams.preset("uct")
    assert [plain.proofs, plain.probes, plain.transpositions] == [False] * 3
    assert plain.rollout == "random"
    assert plain.changed(exploration=0.5) == SearchParams.preset("uct", exploration=0.5) != plain
    with pytest.raises(ValueError, match="preset 'uct' is UctParams, not PuctParams"):
        PuctParams.preset("uct")
    for name in ("UCT", "", None, ["uct"]):
        with pytest.raises(ValueError, match="'uct'"):
            SearchParams.preset(name)


@pytest.mark.parametrize("name", PRESETS)
def test_as_json_and_back(name):
    params = SearchParams.preset(name)
    values = json.loads(json.dumps(params.to_dict(), allow_nan=False))
    assert ALGORITHMS[values["algorithm"]] is type(params)
    assert SearchParams.from_dict(values) == params
    assert str(params).splitlines() == [
        f"algorithm = {params.algorithm!r}",
        *(f"{field.name} = {getattr(params, field.name)!r}" for field in fields(params)),
    ]
    assert pickle.loads(pickle.dumps(params)) == params


test_bad_json = refused(
    (lambda: SearchParams.from_dict({}), ValueError, "algorithm must be one of 'uct', 'puct', 'gumbel', .*, not None"),
    (
        lambda: SearchParams.from_dict({"algorithm": "uct", "proofs": 1}),
        TypeError,
        "proofs must be True or False, not 1",
    ),
    (lambda: SearchParams.from_dict([["algorithm", "uct"]]), TypeError, "params must be a dict, not "),
)


@pytest.mark.parametrize(
    ("field", "error", "values"),
    [
        ("simulations", ValueError, [0, -1, -(10**5000)]),
        ("simulations", TypeError, [1.5, "9", "rows", True]),
        ("nodes", ValueError, [0]),
        ("nodes", TypeError, [2.0]),
        ("seconds", ValueError, [0, -0.1, NAN, math.inf, 10**400]),
        ("seconds", TypeError, ["1", True, bytearray(b"1")]),
    ],
)
def test_bad_limits(field, error, values):
    for value in values:
        with pytest.raises(error, match=f"^{field} "):
            Limits(**{field: value})
    with pytest.raises(ValueError, match="needs a limit"):
        Limits()


def test_huge_limits_are_limits():
    assert Limits(simulations=10**30).simulations == 2**64 - 1
    assert Limits(nodes=10**30).nodes == 2**64 - 1
    assert Limits(seconds=1e300).seconds == 1e300
