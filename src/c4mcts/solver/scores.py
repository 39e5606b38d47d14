"""Scores of won games on Pascal Pons' scale: a win is worth the more, the fewer discs are on the board at the end."""


def win_score(cells: int, end: int) -> int:
    """Score of a win that leaves `end` discs on a board of so many cells: at least 1."""
    return (cells + 2 - end) // 2


def plies_of(score: int, empty: int) -> int:
    """Plies to the end of a game with that score for the player to move, from a position with so many empty cells."""
    if score == 0:
        return empty
    plies = empty + 2 - 2 * abs(score)  # or one less, since scores are rounded down
    is_odd = score > 0  # the player to move makes the last move of a game that they win
    return plies if plies % 2 == is_odd else plies - 1
