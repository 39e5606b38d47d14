"""The network, read from its description on a board of lists: rows of tables by lines and columns, added up."""

from math import exp

from c4mcts._layout import HIDDEN, PLACES, SECOND, network_shapes


class NaiveNetwork:
    """weights: the arrays of a Network, by name."""

    def __init__(self, weights):
        self.weights = {name: array.astype(int) for name, array in weights.items()}
        self.by_place = weights["lines"].shape == network_shapes(True)["lines"]

    def evaluate(self, board):
        """The value for the player to move, and the priors, both in floating point from the integers on."""
        state = State(board, self.by_place)
        sums = self.weights["bias"].copy()
        for line in state.lines:
            row = state.row_of_line(line)
            if row is not None and any(state.discs.get(cell) is not None for cell in line):
                sums += self.weights["lines"][row]
        for column in board.legal_columns:
            sums += self.weights["columns"][state.row_of_column(column)]
        value = int(self.weights["value_bias"][0]) + self.output("value", sums[:HIDDEN])
        logits = {column: self.logit(state, column, sums[HIDDEN:]) for column in board.legal_columns}
        best = max(logits.values())
        shares = {column: exp(-min((best - logit) // 32, 2047) / 128) for column, logit in logits.items()}
        total = sum(shares.values())
        priors = [shares.get(column, 0.0) / total for column in range(board.rules.width)]
        magnitude = min(abs(value) // 32, 2047) / 128
        return 1 / (1 + exp(-magnitude if value >= 0 else magnitude)), priors

    def output(self, name, sums):
        """The output of the layers after the first, of the value or of a move."""
        totals = self.weights[f"{name}_second"] @ sums.clip(0, 255) + self.weights[f"{name}_second_bias"]
        assert len(totals) == SECOND
        return int(self.weights[name] @ (totals // 64).clip(0, 255))

    def logit(self, state, column, context):
        sums = context.copy()
        row = state.heights[column]
        for cell, table in (((column, row), "through"), ((column, row + 1), "above")):
            for line in state.lines:
                if cell in line and state.row_of_line(line) is not None:
                    sums += self.weights[table][state.row_of_line(line)]
        sums += self.weights["landing"][state.row_of_column(column)]
        assert len(sums) == HIDDEN
        return self.output("move", sums)


class State:
    """A position: who has which cell, the lines of four and the cells that would complete one."""

    def __init__(self, board, by_place):
        self.by_place = by_place
        rules = board.rules
        self.width, self.height = rules.width, rules.height
        drawn = board.to_array()
        self.discs = {
            (column, row): int(drawn[rules.height - 1 - row][column]) - 1 == board.turn
            for column in range(rules.width)
            for row in range(rules.height)
            if drawn[rules.height - 1 - row][column]
        }
        self.heights = [
            sum((column, row) in self.discs for row in range(rules.height)) for column in range(rules.width)
        ]
        self.turn = board.turn
        self.lines = [
            [(column + i * right, row + i * up) for i in range(4)]
            for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1))
            for column in range(rules.width)
            for row in range(rules.height)
            if 0 <= column + 3 * right < rules.width and row + 3 * up < rules.height
        ]

    def parity(self, row):
        """0 if the player to move gets a cell of this row once all other columns are full."""
        return ((self.width - 1) * self.height + row + self.turn) % 2

    def group(self, column, row):
        """The parity of a cell, or its place on 7x6, mirror images joined, or the next one for the second player."""
        return min(column, 6 - column) * 6 + (row ^ self.turn) if self.by_place else self.parity(row)

    def row_of_line(self, line):
        """The row of a line in the tables; None with discs of both players."""
        owners = {self.discs[cell] for cell in line if cell in self.discs}
        if len(owners) == 2:
            return None
        who = 0 if not owners else 1 if owners == {True} else 2
        code = 0
        for i, (column, row) in enumerate(line):
            if (column, row) not in self.discs:
                code += 4**i * (1 + min(2, row - self.heights[column]))
        (first, row), (second, _) = line[0], line[1]
        direction = 0 if row == line[1][1] else 1 if first == second else 2
        groups = PLACES if self.by_place else 2
        return ((groups * direction + self.group(first, row)) * 3 + who) * 256 + code

    def row_of_column(self, column):
        """The row of a column in the tables."""
        row = self.heights[column]
        bits = [
            sum(2**i for i in range(5) if row + i < self.height and self.is_threat((column, row + i), player))
            for player in (True, False)
        ]
        return self.group(column, row) * 1024 + bits[0] * 32 + bits[1]

    def is_threat(self, cell, player):
        """Whether a player has the other three cells of a line."""
        return any(
            cell in line and all(self.discs.get(other) is player for other in line if other != cell)
            for line in self.lines
        )
