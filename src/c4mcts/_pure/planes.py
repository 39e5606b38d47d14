"""The board as planes of numbers, the input of an evaluator."""


def paint(planes, index, position, geometry, signed):
    """Write position number `index` into a flat array of planes, row by row, the top row first.

    Two planes, the discs of the player to move and those of the other, with 1 for a disc. signed: one plane, with 1 for
    a disc of the player to move and -1 for a disc of the other.
    """
    size = geometry.width * geometry.height
    start = index * (size if signed else 2 * size)
    for row in range(geometry.height):
        for column in range(geometry.width):
            cell = 1 << column * (geometry.height + 1) + geometry.height - 1 - row
            own = (position.own & cell) != 0
            other = (position.mask & cell) != 0 and not own
            place = start + row * geometry.width + column
            if signed:
                planes[place] = float(own - other)
            else:
                planes[place] = float(own)
                planes[place + size] = float(other)
