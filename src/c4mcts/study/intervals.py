"""Confidence intervals of proportions."""

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from .._validation import refused

Z = NormalDist().inv_cdf(0.975)  # quantile of the normal distribution for 95 %


def wilson(successes: npt.ArrayLike, trials: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Wilson's 95 % score intervals (1927) of proportions: float64, shape (2, *broadcast shape), lower ends first.

    Unlike the normal approximation they stay within [0, 1] and are accurate near 0 and 1. Raises TypeError or
    ValueError naming the argument.
    """
    hits, n = _numbers("successes", successes), _numbers("trials", trials)
    try:
        hits, n = np.broadcast_arrays(hits, n)
    except ValueError:
        raise ValueError(f"successes and trials don't broadcast: shapes {hits.shape}, {n.shape}") from None
    if not ((n > 0) & np.isfinite(n)).all():
        raise ValueError(refused("trials", "finite and above 0", trials))
    if not ((hits >= 0) & (hits <= n)).all():
        raise ValueError(refused("successes", "0 to the number of trials", successes))
    share = hits / n
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * np.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    # rounding errors must not put a share of 0 or 1 outside its interval
    return np.stack([np.clip(centre - half, 0.0, share), np.clip(centre + half, share, 1.0)])


def _numbers(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The numbers as a float64 array. TypeError."""
    try:
        array = np.asarray(values)
        if array.dtype.kind in "biuf":
            return array.astype(np.float64)
    except Exception as error:
        raise TypeError(refused(name, "numbers", values)) from error
    raise TypeError(refused(name, "numbers", values))
