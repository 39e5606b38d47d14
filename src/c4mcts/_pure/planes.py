"""The board as planes of numbers, the input of an evaluator."""


def mark(planes, top, discs, geometry, number):
    """Write a number for each disc of a column (bit = row); top: the place of its cell in the top row."""
    for row in range(geometry.height):
        if discs >> row & 1:
            planes[top + (geometry.height - 1 - row) * geometry.width] = number


def paint(planes, index, position, geometry, signed):
    """Write position number `index` into a flat array of planes, row by row, the top row first.

    Two planes, the discs of the player to move and those of the other, with 1 for a disc. signed: one plane, with 1 for
    a disc of the player to move and -1 for a disc of the other.
    """
    size = geometry.width * geometry.height
    place = index * (size if signed else 2 * size)
    for i in range(place, place + (size if signed else 2 * size)):
        planes[i] = 0.0
    for column in range(geometry.width):
        own = position.mask >> column * (geometry.height + 1) & (1 << geometry.height) - 1
        other = own & ~(position.own >> column * (geometry.height + 1))
        own ^= other
        mark(planes, place + column, own, geometry, 1.0)
        mark(planes, place + column if signed else place + size + column, other, geometry, -1.0 if signed else 1.0)
