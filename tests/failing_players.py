"""Players of tournaments that fail, in a module that other processes can import."""

import os
import time

from c4mcts.play import RandomPlayer


class Bad(RandomPlayer):
    """Plays at random up to ply 4, then does what it is made for."""

    def __init__(self, act):
        super().__init__()
        self.act = act

    def choose(self, board):
        return super().choose(board) if board.ply < 5 else self.act()


def raises():
    raise RuntimeError("out of ideas")


def sulks(board):
    raises()


def leaves():
    raise SystemExit(3)


class NoWords(Exception):
    def __str__(self):
        raise ValueError


def says_nothing():
    raise NoWords


class Unready(RandomPlayer):
    def begin(self, seed):
        raise OSError("no network")


def sleeps(path):
    sign(path)
    time.sleep(3600)


class Named(RandomPlayer):
    """Says in which process it plays a game."""

    def __init__(self, path):
        super().__init__()
        sign(path)


def sign(path):
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
