"""The board as planes of numbers, which an evaluator reads."""


def paint(planes, index, position, geometry, signed):
    """Write position number `index` into a list of numbers, row by row, the top row first.

    Two planes, of the discs of the player to move and of the other's, 1 for a disc; signed: one plane, 1 for a disc of
    the player to move and -1 for one of the other's.
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
