"""A Connect-4 board as a Game: on it GameSearch must grow the tree that Engine grows on the board itself."""


class ConnectGame:
    """A board as a Game; moves are columns. The board is kept, not copied."""

    __slots__ = ("board",)

    def __init__(self, board):
        self.board = board

    @property
    def max_moves(self):
        return self.board.rules.width

    @property
    def turn(self):
        return self.board.turn

    def clone(self):
        return type(self)(self.board.copy())

    def legal_moves(self):
        return self.board.legal_columns

    def play(self, move):
        self.board.push(move)

    def is_over(self):
        return self.board.is_over()

    def result(self, player):
        outcome = self.board.outcome()
        if outcome is None or outcome.winner is None:
            return 0
        return 1 if player == outcome.winner else -1
