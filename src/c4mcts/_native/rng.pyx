"""The generator for Python code; the generator itself is in rng.pxd."""


def stream(state, Py_ssize_t count):
    """The next `count` 64-bit random numbers from a state (a, b), and the state after them."""
    cdef Generator generator
    generator.a, generator.b = state
    numbers = [next64(&generator) for _ in range(count)]
    return numbers, (generator.a, generator.b)
