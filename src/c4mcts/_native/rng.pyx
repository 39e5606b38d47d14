"""The generator, seen from Python; rng.pxd holds the generator itself."""


def stream(state, Py_ssize_t count):
    """The next `count` words from a state (a, b), and the state after them."""
    cdef Generator generator
    generator.a, generator.b = state
    words = [next64(&generator) for _ in range(count)]
    return words, (generator.a, generator.b)
