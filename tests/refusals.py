"""Calls that are refused."""

from functools import partial

import pytest


def refused(*cases):
    """A test with a case for each tuple: a call, the error that it raises, and a pattern in its message."""

    @pytest.mark.parametrize(("call", "error", "words"), cases)
    def test(call, error, words):
        with pytest.raises(error, match=words):
            call()

    return test


def refused_by(function, *cases):
    """As `refused`, for calls of one function: each case begins with its keyword arguments."""
    return refused(*((partial(function, **arguments), error, words) for arguments, error, words in cases))
