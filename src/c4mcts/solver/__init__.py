"""Exact scores, and proofs of them that others can check.

>>> from c4mcts import Board
>>> from c4mcts.solver import prove
>>> certificate = prove(Board(width=4, height=4))
>>> print(certificate)
the first player does not lose; the second player does not lose
>>> certificate.check()
"""

from .certificate import Certificate, Claim
from .joining import join
from .proving import prove, shorten

__all__ = ["Certificate", "Claim", "join", "prove", "shorten"]
