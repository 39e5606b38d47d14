"""Logarithm and exponential, computed with the four basic operations: the same bits on every platform.

C libraries differ in the last bit.
"""

from libc.math cimport frexp, ldexp

cdef double LN2             # ln 2

cdef enum:
    LAST_TERM = 23      # of the series of ln: the next one is below 2e-19
    TERMS = 15          # of the series of exp: the next one is below 1e-18


cdef inline double ln(double x) noexcept nogil:
    """Natural logarithm of a positive finite number: x = m 2^e, ln m = 2 artanh((m - 1) / (m + 1))."""
    cdef int exponent = 0
    cdef double mantissa = frexp(x, &exponent)
    cdef double z, square
    cdef double series = 0.0
    cdef int k = LAST_TERM
    if mantissa < 0.7071067811865476:
        mantissa *= 2.0
        exponent -= 1
    z = (mantissa - 1.0) / (mantissa + 1.0)
    square = z * z
    while k > 0:
        series = series * square + 1.0 / k
        k -= 2
    return 2.0 * z * series + exponent * LN2


cdef inline double exp(double x) noexcept nogil:
    """e to the power of x, for x <= 0: x = r + k ln 2, and the series of exp r."""
    cdef int exponent
    cdef double rest
    cdef double series = 1.0
    cdef int k = TERMS
    if x < -745.0:      # exp of less is 0 in double precision
        return 0.0
    exponent = <int>(x / LN2 - 0.5)
    rest = x - exponent * LN2
    while k > 0:
        series = 1.0 + series * rest / k
        k -= 1
    return ldexp(series, exponent)


cdef inline double power(double base, double temperature) noexcept nogil:
    """base ** (1 / temperature) for a base in (0, 1]; at temperature 0 it is 0 unless the base is 1."""
    if temperature == 1.0 or base == 1.0:
        return base
    return exp(ln(base) / temperature) if temperature > 0.0 else 0.0
