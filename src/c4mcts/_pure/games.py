"""The search of any game of two players who take turns; games/game.py defines the methods of a game.

Selection, backup and proofs are those of simulation.py; `simulate` and `rollout` are copies of those in simulation.py
and rollout.py that use a Game instead of a bitboard. With the same seed a Board gives the same tree as in
simulation.py. There is no native twin, since the methods of a game are Python in any case. The `column` of a node is
its move, of any type.
"""

from itertools import islice
from math import inf, isnan

from .._layout import DISTANCE_MASK, DRAWN, LOST, MAX_GAME_MOVES, NO_CHILDREN, ROOT, UNKNOWN, WIN, WON
from .._validation import shown
from .numbers import MASK64, Generator, next64
from .pool import Node, NodePool, clear, keep_subtree, take
from .proofs import is_proven, lower_of, update_bounds, upper_of
from .search import child_of
from .selection import best_index, select
from .simulation import add_visit, backup

MAX_PLIES = DISTANCE_MASK  # from the root to the end of a game: the largest distance that a proof can hold
SHOWN_MOVES = 40


class Root:
    """Where a tree starts."""

    __slots__ = (
        "choices_per_draw",  # choices that 64 random bits are used for
        "game",
        "max_moves",  # upper limit of the moves in one position; None if unknown
        "selection",  # the user's function for the scores of children, see score_by; None for that of the settings
        "turn",  # the player to move, 0 or 1
    )

    def __init__(self, game, max_moves, selection=None):
        self.game = game
        self.selection = selection
        self.turn = game.turn
        self.max_moves = max_moves
        # as in bitboard.geometry_of: 32 bits remain for the last choice
        self.choices_per_draw = 1
        while (
            max_moves is not None and self.choices_per_draw < 32 and max_moves ** (self.choices_per_draw + 1) <= 1 << 32
        ):
            self.choices_per_draw += 1


def legal_moves(root, game):
    """The legal moves of an unfinished game, in a new list."""
    moves = list(islice(game.legal_moves, MAX_GAME_MOVES + 1))
    if not moves:
        raise ValueError(f"{type(game).__name__}.legal_moves is empty, though is_over() is false")
    if len(moves) > MAX_GAME_MOVES:
        raise ValueError(f"{type(game).__name__}.legal_moves must be at most {MAX_GAME_MOVES} moves")
    if root.max_moves is not None and len(moves) > root.max_moves:
        raise ValueError(f"{type(game).__name__}.max_moves is {root.max_moves}, but there are {len(moves)} legal moves")
    return moves


def play(game, line, move):
    """Play a move and add it to the line."""
    if len(line) == MAX_PLIES:
        raise ValueError(f"{type(game).__name__} is not over after {MAX_PLIES} moves")
    line.append(move)
    game.push(move)


def outcome(game, player):
    """How a finished game ended: 1 if the player has won, -1 if the other has, 0 for a draw."""
    results = [game.result(0), game.result(1)]
    if results not in ([1, -1], [0, 0], [-1, 1]):
        raise ValueError(
            f"{type(game).__name__}.result() must be 1 for the winner and -1 for the loser, or 0 for both, "
            f"not {shown(results[0])} for player 0 and {shown(results[1])} for player 1"
        )
    return results[player]


def expand(pool, root, game, node):
    """Give a leaf a child for every legal move; False if the pool is full."""
    moves = legal_moves(root, game)
    if len(set(moves)) < len(moves):
        raise ValueError(f"{type(game).__name__}.legal_moves has a move twice: {shown(moves)}")
    first = take(pool, len(moves))
    if first == NO_CHILDREN:
        return False
    nodes = pool.nodes
    nodes[first:] = [Node(move) for move in moves]
    nodes[node].children = first
    nodes[node].size = len(moves)
    return True


def mark_if_decided(nodes, game, node, player):
    """Mark a node at its first visit if the game is over there; otherwise `player` must be to move."""
    if game.is_over():
        nodes[node].proof = {1: WON, 0: DRAWN, -1: LOST}[outcome(game, 1 - player)]  # for the player who moved
    elif game.turn != player:
        raise ValueError(f"{type(game).__name__}.turn must be {player} here, not {game.turn!r}: players take turns")


def refresh(moves, legal):
    """Update a list of moves.

    A move that is still legal keeps its place; the last move replaces one that is not; new ones follow at the end, in
    their order.
    """
    new = dict.fromkeys(legal)
    i = 0
    while i < len(moves):
        if moves[i] in new:
            del new[moves[i]]
            i += 1
        else:
            moves[i] = moves[-1]
            moves.pop()
    moves.extend(new)


def rollout(root, game, generator, line, player):
    """Play uniformly random moves to the end; 1, 0 or -1 for `player`, who is to move at the start."""
    moves = legal_moves(root, game)
    choices = 0
    while True:
        # random_bits / 2**64 is a fraction: times n, its integer part is the choice and the rest serves the next one
        if choices == 0:
            random_bits = next64(generator)
            choices = root.choices_per_draw
        choices -= 1
        index = random_bits * len(moves) >> 64
        random_bits = random_bits * len(moves) & MASK64
        play(game, line, moves[index])
        if game.is_over():
            return outcome(game, player)
        refresh(moves, legal_moves(root, game))


def score_by(selection, nodes, settings, node, parent):
    """The scores that a function gives to the children of a node, each with its visits and its mean reward in [0, 1].

    A child whose upper bound is no better than an already proven outcome scores -inf, as in selection.score_children.
    """
    children = [nodes[nodes[node].children + i] for i in range(nodes[node].size)]
    known = [
        (child.visits, child.value_sum / (child.visits * settings.win) if child.visits else None) for child in children
    ]
    given = selection(parent, known)
    try:
        scores = [float(score) for score in given]
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"selection must return a list of numbers, not {shown(given)}") from None
    if len(scores) != len(children) or any(map(isnan, scores)):
        raise ValueError(f"selection must return {len(children)} numbers, not {shown(given)}")
    guaranteed = WIN - upper_of(nodes[node].proof)
    return [
        -inf if settings.proofs and upper_of(child.proof) <= guaranteed else score
        for child, score in zip(children, scores, strict=True)
    ]


def simulate(pool, settings, generator, root, line):
    """One simulation: from the root to a leaf, a rollout to the end, and backup; its moves are added to the line."""
    nodes = pool.nodes
    game = root.game.copy()
    player = root.turn
    node = ROOT
    path = [ROOT]
    visits = add_visit(nodes, settings, ROOT)
    while not is_proven(nodes[node].proof):
        # at the first visit of a node there is only a rollout; it gets children at the second
        if visits == 0 and (node != ROOT or settings.roll_root):
            break
        if nodes[node].children == NO_CHILDREN and not expand(pool, root, game, node):
            break
        if settings.proofs and update_bounds(nodes, node) and is_proven(nodes[node].proof):
            break
        if root.selection is None:
            node = select(nodes, settings, generator, node, visits)
        else:
            scores = score_by(root.selection, nodes, settings, node, visits)
            node = nodes[node].children + best_index(scores, len(scores), settings, generator)
        path.append(node)
        play(game, line, nodes[node].column)
        player = 1 - player
        if nodes[node].visits == 0 and nodes[node].proof == UNKNOWN:
            mark_if_decided(nodes, game, node, player)
        visits = add_visit(nodes, settings, node)
    if is_proven(nodes[node].proof):
        result = 1 - lower_of(nodes[node].proof)
    else:
        result = rollout(root, game, generator, line, player)
    mover = 0 if result > 0 else settings.win if result < 0 else settings.draw
    other = settings.win if result > 0 else 0 if result < 0 else settings.draw
    backup(nodes, settings, path, len(path) - 1, mover, other)


def moves_note(line):
    """The moves that led to an error, for the author of the game."""
    shown = ", ".join(map(repr, line[:SHOWN_MOVES])) + ("" if len(line) <= SHOWN_MOVES else ", ...")
    return f"moves from the root of the search: {shown or 'none'}"


class GameSearcher:
    """One tree, the game at its root and its generator."""

    def __init__(self, settings, state, game, max_moves, selection=None):
        """settings: a _layout.Settings. state: two 64-bit integers, not both zero. The game is kept, not copied.

        selection: see score_by.
        """
        self.settings = settings
        self.generator = Generator(*state)
        self.pool = NodePool(settings.max_nodes)
        self.root = Root(game, max_moves, selection)
        self.line = []  # moves of the latest simulation, for error messages

    def simulate(self, count, max_nodes):
        """Run up to `count` simulations, until the tree has `max_nodes` or its root is proven; returns the number run.

        Exceptions of the game are raised here, and leave an empty tree.
        """
        pool = self.pool
        done = 0
        try:
            while done < count and not (done and pool.used >= max_nodes) and not self.is_proven():
                self.line.clear()
                simulate(pool, self.settings, self.generator, self.root, self.line)
                done += 1
        except BaseException as error:
            # in the middle of a simulation: its visits are without rewards
            clear(pool)
            if isinstance(error, Exception):
                error.add_note(moves_note(self.line))
            raise
        return done

    def forget(self):
        """Drop the tree; the generator continues."""
        clear(self.pool)

    def advance(self, move, game):
        """Make the game after a move the root, and keep the subtree the move leads to, if there is one."""
        try:
            node = child_of(self.pool, ROOT, move)
            if node == ROOT:
                clear(self.pool)
            else:
                keep_subtree(self.pool, node)
            self.root = Root(game, self.root.max_moves, self.root.selection)
        except BaseException:
            clear(self.pool)
            raise

    def is_proven(self):
        """Whether the outcome is certain."""
        return is_proven(self.pool.nodes[ROOT].proof)

    def used(self):
        """Number of nodes in the tree."""
        return self.pool.used

    def node(self, index):
        """One node; not for changing."""
        return self.pool.nodes[index]

    def children(self, node):
        """The children of a node, in the order of its legal moves."""
        return self.pool.nodes[node.children : node.children + node.size]

    def state(self):
        """The generator's state."""
        return self.generator.a, self.generator.b
