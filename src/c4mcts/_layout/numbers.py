"""Tables of real numbers, computed so that every platform gets the same bits."""

from array import array

LOG_BITS = 12
LN2 = 0.6931471805599453


def log_table() -> "array[float]":
    """Natural logarithms of 1 .. 2**LOG_BITS - 1; entry 0 is unused.

    Computed only with additions, multiplications and divisions, in a fixed order, so that every platform gets the same
    bits (the log of C libraries differs in the last one): ln n = ln(n/2) + ln 2 for even n, and
    ln n = ln(n-1) + 2 artanh(1 / (2n-1)) for odd n, whose series ends where its terms no longer matter.
    """
    table = array("d", [0.0]) * (1 << LOG_BITS)
    for n in range(2, 1 << LOG_BITS):
        if n % 2 == 0:
            table[n] = table[n // 2] + LN2
            continue
        x = 1.0 / (2 * n - 1)
        power, series, k = x, 0.0, 1
        while power > 1e-18:
            series += power / k
            power *= x * x
            k += 2
        table[n] = table[n - 1] + 2.0 * series
    return table


def discounted_rewards(win: int, draw: int, discount: float, plies: int) -> "tuple[array[int], array[int]]":
    """Reward units of a win and of a loss by plies to the end, from 0 to `plies`: draw + (win - draw) discount ** n.

    Computed by multiplication, which every platform rounds alike; to whole units, halves up.
    """
    wins, losses = array("I"), array("I")
    kept = 1.0
    for _ in range(plies + 1):
        wins.append(draw + int((win - draw) * kept + 0.5))
        losses.append(draw - int(draw * kept + 0.5))
        kept *= discount
    return wins, losses
