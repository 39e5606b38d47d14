"""Pascal Pons' scale: what a win is worth by the number of discs on the board at its end."""


def win_score(cells: int, end: int) -> int:
    """Score of a win with which `end` discs are on a board of so many cells: higher the sooner, at least 1."""
    return (cells + 2 - end) // 2


def plies_of(score: int, empty: int) -> int:
    """Plies to the end of a game with that score for the player to move, from a position with so many empty cells."""
    last = empty + 2 - 2 * abs(score)  # or one less: scores are rounded
    return empty if score == 0 else last - (last % 2 != (score > 0))
