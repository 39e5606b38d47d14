"""Connect-4 positions: the board, its notations and its form as arrays."""

from .board import Board, Outcome

__all__ = ["Board", "Outcome"]
