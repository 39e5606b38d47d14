"""The constants of a board; the functions on sets of cells are in cells.pxd."""

from libc.string cimport memset

from c4mcts.rules import Rules, run_directions, run_steps

cdef object STANDARD_RULES = Rules()


cdef private_rules(rules):
    """A copy of Rules, checked: C sizes memory by its fields, which object.__setattr__ and subclasses can change."""
    return Rules(rules.width, rules.height, rules.connect, rules.diagonals)


cdef Geometry geometry_of(rules) except *:
    """Precompute the sets of cells and the constants that the moves of a game with these rules need."""
    cdef Geometry geometry
    rules = private_rules(rules)
    directions = run_directions(rules)
    steps = run_steps(rules) if directions else []
    memset(&geometry, 0, sizeof(Geometry))
    if rules == STANDARD_RULES:
        geometry.kernel = STANDARD
    else:
        geometry.kernel = BITS if rules.width * (rules.height + 1) <= CELL_BITS else LINES
    geometry.width = rules.width
    geometry.height = rules.height
    geometry.cells = rules.width * rules.height
    geometry.connect = min(rules.connect, MAX_CONNECT)
    geometry.n_directions = len(directions)
    for i, direction in enumerate(directions):
        geometry.directions[i] = direction
    geometry.n_steps = len(steps)
    for i, step in enumerate(steps):
        geometry.steps[i] = step
    geometry.diagonals = rules.diagonals
    geometry.is_four = rules.connect == 4 and len(directions) == 4 and 3 * (rules.height + 2) < 64
    if geometry.kernel != LINES:
        bottom = sum([1 << column * (rules.height + 1) for column in range(rules.width)])
        geometry.bottom = cells_of(bottom)
        geometry.board = cells_of(bottom * ((1 << rules.height) - 1))
        # cells at an even distance from the top row: a player who always answers in the same column gets these
        geometry.follow_up = cells_of(sum([bottom << row for row in range(rules.height - 1, -1, -2)]))
        geometry.top = cells_of(bottom << rules.height - 1)
    # a move completes a line only if its player has connect - 1 discs on the board already
    geometry.first_win = 2 * (rules.connect - 1) if directions else geometry.cells
    # 64 random bits serve several choices of a column, as long as at least 32 bits remain for the last one
    geometry.choices_per_draw = 1
    while geometry.choices_per_draw < 32 and rules.width ** (geometry.choices_per_draw + 1) <= 1 << 32:
        geometry.choices_per_draw += 1
    return geometry


cdef Cells cells_of(number) except? 0:
    """A set of cells from an integer, which must have at most CELL_BITS bits."""
    cdef uint64_t low = number & 0xFFFFFFFFFFFFFFFF
    cdef uint64_t high = number >> 64
    return join(low, high)


cdef number_of(Cells cells):
    """The integer of a set of cells."""
    return (<object>high_word(cells)) << 64 | <uint64_t>cells
