"""Connect-4 positions: the board, its notations, its pictures and its form as arrays."""

from .board import Board

__all__ = ["Board"]
