"""How far a share that was counted can be from the true one."""

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Z = NormalDist().inv_cdf(0.975)  # for 95 %


def wilson(successes: npt.ArrayLike, trials: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Wilson's 95 % intervals of shares (1927): float64, ends first, (2, *shape of the successes).

    Unlike the textbook's normal interval it stays within [0, 1], and is right near the ends too.
    """
    n = np.asarray(trials, dtype=np.float64)
    share = np.asarray(successes, dtype=np.float64) / n
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * np.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    # rounding must not leave a share of 0 or 1 outside of its interval
    return np.stack([np.clip(centre - half, 0.0, share), np.clip(centre + half, share, 1.0)])
