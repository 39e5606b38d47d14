"""Connect-k the obvious way: lists of lists, every cell looked at, nothing shared with the package."""


class Game:
    """cells[column] holds the discs of that column, lowest first: 0 first player, 1 second."""

    def __init__(self, width, height, connect, diagonals=True):
        self.width, self.height, self.connect = width, height, connect
        self.directions = [(0, 1), (1, 0)] + ([(1, 1), (1, -1)] if diagonals else [])
        self.cells = [[] for _ in range(width)]
        self.history = []
        self.winners = {}  # by position

    def turn(self):
        return len(self.history) % 2

    def at(self, column, row):
        """The player at a cell, None for an empty cell or one off the board."""
        if 0 <= column < self.width and 0 <= row < len(self.cells[column]):
            return self.cells[column][row]
        return None

    def drop(self, column):
        self.cells[column].append(self.turn())
        self.history.append(column)

    def undo(self):
        column = self.history.pop()
        self.cells[column].pop()
        return column

    def lines(self):
        """The cells of every winning line."""
        for column, discs in enumerate(self.cells):
            for row, player in enumerate(discs):
                for right, up in self.directions:
                    if all(self.at(column + i * right, row + i * up) == player for i in range(1, self.connect)):
                        yield [(column + i * right, row + i * up) for i in range(self.connect)]

    def line_cells(self):
        """Every cell that lies on some winning line."""
        return {cell for line in self.lines() for cell in line}

    def winner(self):
        """Looked for once in a position, since it is asked for often."""
        position = str(self.cells)
        if position not in self.winners:
            line = next(self.lines(), None)
            self.winners[position] = None if line is None else self.at(*line[0])
        return self.winners[position]

    def full(self):
        return all(len(column) == self.height for column in self.cells)

    def over(self):
        return self.winner() is not None or self.full()

    def legal_columns(self):
        if self.winner() is not None:
            return []
        return [column for column in range(self.width) if len(self.cells[column]) < self.height]

    def winning_columns(self, player):
        """Legal columns where a disc of this player makes a line."""
        wins = []
        for column in self.legal_columns():
            self.cells[column].append(player)
            if self.winner() is not None:
                wins.append(column)
            self.cells[column].pop()
        return wins

    def rows(self):
        """Height x width numbers 0 / 1 / 2, top row first."""
        return [
            [0 if self.at(column, row) is None else self.at(column, row) + 1 for column in range(self.width)]
            for row in range(self.height - 1, -1, -1)
        ]
