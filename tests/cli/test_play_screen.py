"""`c4mcts play` on a terminal: keys, what is drawn, signals, and that the terminal is left as it was."""

import codecs
import importlib.util
import os
import re
import select
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest

from c4mcts.cli.play import keys

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals"),
    pytest.mark.flaky(reruns=2),  # of a busy machine
]

PATIENCE = 30  # seconds, on a slow machine
CHILD = """
import fcntl, signal, sys, termios
from c4mcts.cli import main
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv = ["c4mcts", "play", "--seed", "1", *sys.argv[1:]]
sys.exit(main())
"""


class Player:
    """A person at a terminal of a given size, at which `c4mcts play` runs."""

    def __init__(self, *argv, columns=80, lines=14, **environment):
        import termios

        self.terminal, self._theirs = os.openpty()
        self.seen = ""
        self._new = 0  # where the text begins that came after the last key
        self.resize(columns, lines)
        self._mode = termios.tcgetattr(self._theirs)
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), self._theirs)
        unset = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        variables = {**unset, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment}
        command = [sys.executable, "-c", CHILD, *map(str, argv)]
        self.process = subprocess.Popen(command, start_new_session=True, env=variables, **streams)
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)
        os.close(self._theirs)

    def resize(self, columns, lines):
        import termios

        self._size = columns, lines
        self._new = len(self.seen)
        termios.tcsetwinsize(self.terminal, (lines, columns))

    def press(self, keys):
        self._receive(0)
        self._new = len(self.seen)
        os.write(self.terminal, keys.encode())

    def wait(self, *words, times=1):
        """Wait until each of these words has been drawn a number of times since the last key."""
        deadline = time.monotonic() + PATIENCE
        while any(self._plain(self.seen[self._new :]).count(word) < times for word in words):
            assert time.monotonic() < deadline, (words, self.picture())
            self._receive(0.1)

    def sees(self, *words):
        """Wait until all words have been drawn since the last key; return the picture that is on the screen."""
        self.wait(*words)
        self.settle()
        return self.picture()

    def sees_thinking(self):
        """Wait until the engine searches: it draws the note for the second time, and Ctrl-C ends the search."""
        self.wait("the engine is thinking (Ctrl-C: now)", times=2)

    def sees_picture(self):
        """Wait for the picture after the last key, or after the window was resized; return it."""
        deadline = time.monotonic() + PATIENCE
        while "\x1b[H" not in self.seen[self._new :]:
            assert time.monotonic() < deadline, self.picture()
            self._receive(0.1)
        self.settle()
        return self.picture()

    def settle(self):
        """Wait until nothing more is drawn, and the last picture is whole."""
        deadline = time.monotonic() + PATIENCE
        while self._receive(0.05) or not self._is_whole():
            assert time.monotonic() < deadline, self.picture()

    def _is_whole(self):
        """Whether the last picture fills the window; true if there is none."""
        columns, lines = self._size
        picture = self.picture()
        return "\x1b[H" not in self.seen or (len(picture) >= lines and len(picture[lines - 1]) == columns)

    def picture(self):
        """The lines on the screen: all that is drawn begins in the upper left corner."""
        return self._plain(self.seen.rpartition("\x1b[H")[2]).replace("\r", "").split("\n")

    def leaves(self):
        """Wait for the end; return the exit code. The terminal must be as it was."""
        import termios

        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.picture()
            self._receive(0.05)
        while self._receive(0.1):
            pass
        assert termios.tcgetattr(self._theirs) == self._mode
        assert self.seen.rindex("\x1b[?1049l") > self.seen.rindex("\x1b[?1049h")
        assert self.seen.rindex("\x1b[?25h") > self.seen.rindex("\x1b[?25l")
        assert "Traceback" not in self.seen
        return self.process.returncode

    def said(self):
        """What stands on the screen after the end."""
        return self._plain(self.seen.rpartition("\x1b[?1049l")[2]).replace("\r", "")

    def _receive(self, timeout):
        if not select.select([self.terminal], [], [], timeout)[0]:
            return False
        self.seen += self._decoder.decode(os.read(self.terminal, 65536))
        return True

    @staticmethod
    def _plain(text):
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def row(picture, number=1):
    """A row of the board, counted from the bottom, as one character a column."""
    rows = [line for line in picture if line.startswith("│")]
    return re.sub(r"[\[\] ]", "", rows[-number].split("│")[1])


def test_keys_play():
    with Player("--level", 1) as player:
        picture = player.sees("you are ● yellow; Beginner (level 1) is ○ red", "q quit")
        assert picture[0][:23] == "╭──────────▼──────────╮"
        assert picture[8].split() == list("1234567")
        player.press("\x1b[D\x1b[D")
        assert player.sees("╭────▼")[0].index("▼") == 5
        player.press("\x1bOC\r")
        assert row(player.sees("Beginner plays"))[2] == "●"
        player.press("\x1b[F")
        assert player.sees_picture()[0].index("▼") == 20
        player.press(" ")
        assert "●" in row(player.sees("Beginner plays"))[6] + row(player.picture(), 2)[6]
        player.press("4")
        player.sees("Beginner plays")
        assert sum(row(player.picture(), n).count("●") for n in range(1, 7)) == 3
        player.press("u")
        player.sees("▶● you")
        assert sum(row(player.picture(), n).count("●") for n in range(1, 7)) == 2
        player.press("?")
        player.sees("Drop a disc", "play again with sides swapped")
        player.press("x")
        player.sees("▶● you")
        player.press("h")
        player.sees("hint: column")
        player.press("q")
        assert player.leaves() == 0
    assert re.search(r"moves: 3\d7\d\nto continue: c4mcts play 3\d7\d\n$", player.said())
    assert "●" in player.said(), "the board stays, too"


def test_discs_are_large_where_there_is_room():
    with Player("112233", "--level", 1, lines=24) as player:
        player.sees("▶● you")
        player.press("4")
        picture = player.sees("you win (●)")
        assert picture[11][:44] == "│[▟██▙][▟██▙][▟██▙][▟██▙]                  │"
        assert picture[10][:44] == "│ ▜▄▄▛  ▜▄▄▛  ▜▄▄▛   ·     ·     ·     ·   │"
        assert picture[14].split()[:7] == list("1234567")
        player.press("y")
        player.sees("accuracy", "[▟██▙]")
        player.press("qq")
        assert player.leaves() == 0


def test_the_end_and_what_can_be_done_then(tmp_path):
    file = tmp_path / "games.txt"
    with Player("112233", "--level", 1) as player:
        player.sees("▶● you")
        player.press("4")
        player.sees("you win (●)", "moves: 1122334", "review now? y")
        player.press("y")
        player.sees("accuracy", "course ")
        player.press("\x1b[F")
        player.sees("move 7 of 7: ● yellow 4")
        player.press("\x1b[D")
        player.sees("move 6 of 7: ○ red 3")
        player.press("q")
        player.sees("review now? y")
        player.press("u")
        player.sees("▶● you")
        player.press("5")
        player.sees("Beginner plays")
        player.press("r")
        player.sees("resign? y/n")
        player.press("n")
        player.sees("r resign")
        player.press("r")
        player.sees("resign? y/n")
        player.press("y")
        player.sees("you resign: Beginner wins (○)")
        player.press("s")
        player.sees("append the game to the file: ")
        player.press(f"{file}\n")
        player.sees("saved to")
        player.press("m")
        player.sees("you are ○ red", "Beginner plays")
        player.press("l")
        player.sees("load the last game of the file: ")
        player.press("no/such\n")
        player.sees("no/such: No such file")
        player.press("l")
        player.sees("load the last game of the file: ")
        player.press(f"{file}\n")
        player.sees("you resign: Beginner wins (○)")
        player.press("\x04")
        assert player.leaves() == 0
    assert file.read_text().startswith("1122335")


def test_control_c_means_move_now_and_twice_leave(tmp_path):
    file = tmp_path / "games.txt"
    with Player("--seconds", 60, "--save", file) as player:
        player.sees("▶● you")
        player.press("4")
        player.sees_thinking()
        player.press("222\x03")
        player.sees("the engine plays", "▶● you")
        assert sum(row(player.picture(), n).count("●") for n in range(1, 7)) == 1, (
            "keys pressed meanwhile are forgotten"
        )
        player.sees("Ctrl-C again leaves")
        player.press("\x1b[D")
        player.sees("╭───────▼───")
        player.press("\x03")
        player.sees("Ctrl-C again leaves")
        player.press("5")
        player.sees_thinking()
        player.press("\x03")
        player.sees("the engine plays")
        player.press("\x03")
        assert player.leaves() == 130
    assert "to continue: c4mcts play 4" in player.said()
    assert file.read_text().startswith("4")


def test_a_signal_restores_the_terminal():
    with Player("--level", 1) as player:
        player.sees("▶● you")
        player.process.send_signal(signal.SIGTERM)
        assert player.leaves() == 143


def test_suspended_and_continued():
    with Player("--level", 1) as player:
        player.sees("▶● you")
        player.press("\x1a")
        deadline = time.monotonic() + PATIENCE
        while player.seen.count("\x1b[?1049h") < 2:
            assert time.monotonic() < deadline
            player._receive(0.05)
        player.press("4")
        player.sees("Beginner plays")
        player.press("q")
        assert player.leaves() == 0


def test_a_clock_runs_out_while_nobody_presses_a_key():
    with Player("--level", 1, "--clock", "3+1", "--show-value") as player:
        player.wait("▶● you  ", "○ Beginner  3.0", "for you")
        player.press("4")
        player.wait("○ Beginner  3.", "Beginner plays")
        player.sees("you ran out of time: Beginner wins (○)", "review now?")
        player.press("q")
        assert player.leaves() == 0
    assert "you ran out of time" in player.said()


@pytest.mark.parametrize("size", [(40, 24), (80, 24), (30, 8), (12, 5)], ids=str)
def test_small_windows_and_resizing(size):
    columns, lines = 100, 40
    with Player("--level", 1, "--rules", "20x14", columns=columns, lines=lines) as player:
        picture = player.sees("▶● you", "q quit")
        assert picture[16].split()[:20] == [str(number) for number in range(1, 21)]
        player.press("20\r")
        player.sees("Beginner plays")
        player.resize(*size)
        picture = player.sees_picture()
        assert {len(line) for line in picture} == {size[0]}
        assert "quit" in "".join(picture[-5:])
        for key in "11":
            player.press(key)
            player.sees_picture()
        player.press("\r")
        player.sees("plays")
        player.press("q")
        assert player.leaves() == 0
    assert re.search(r"moves: 20 \d+ 11 \d+", player.said().replace("\n", " "))


@pytest.mark.parametrize("options", [{"TERM": "dumb"}, {"argv": ["--lines"]}], ids=str)
def test_lines_where_keys_are_not_wanted(options):
    with Player("--level", 1, *options.pop("argv", []), **options) as player:
        player.sees("your column (1-7), or ? for help: ")
        player.press("4\n")
        player.sees("Beginner plays", "your column")
        player.press("\x03")
        player.sees("Ctrl-C again leaves", "your column")
        player.press("\x04")
        assert player.process.wait(PATIENCE) == 0
        assert "\x1b[?1049h" not in player.seen


def test_without_colours():
    with Player("--level", 1, "--show-value", NO_COLOR="1") as player:
        player.sees("for you")
        player.press("q")
        assert player.leaves() == 0
    assert not re.search(r"\x1b\[[0-9;]*[34]8;", player.seen)


def test_a_terminal_that_goes_away_ends_the_game(tmp_path):
    file = tmp_path / "games.txt"
    with Player("--level", 1, "--save", file) as player:
        player.sees("▶● you")
        player.press("4")
        player.sees("Beginner plays")
        os.close(player.terminal)
        player.terminal = os.open(os.devnull, os.O_RDONLY)
        os.close(player._theirs)
        player._theirs = os.open(os.devnull, os.O_RDONLY)
        assert player.process.wait(PATIENCE) is not None
    assert file.read_text().startswith("4"), "the game is kept"


# single keys


def test_names_of_keys(monkeypatch):
    ours, theirs = os.openpty()
    with os.fdopen(ours, "wb", buffering=0) as keyboard, os.fdopen(theirs, "r") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        with keys.Keyboard() as terminal:
            assert terminal.read(0) is None
            keyboard.write("\x1b[A\x1b[B\x1bOC\x1b[1;5D\x1b[H\x1b[4~\x1b[5~\x1b[3~ \r\n\x04\x1a\x03äq\x1b".encode())
            expected = ["up", "down", "right", "left", "home", "end", "page up", "", " ", "enter", "enter"]
            expected += ["end of input", "suspend", "interrupt", "ä", "q", "escape", None]
            assert [terminal.read(0.2) for _ in expected] == expected
            keyboard.write(b"123")
            assert terminal.read(5) == "1"
            terminal.discard()
            assert terminal.read(0.05) is None


def test_keys_of_windows(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    pressed = list("4\r\xe0K\x00M\x1a\xe0zq\x03")
    console = types.ModuleType("msvcrt")
    console.kbhit = lambda: bool(pressed)
    console.getwch = lambda: pressed.pop(0)
    monkeypatch.setitem(sys.modules, "msvcrt", console)
    monkeypatch.setattr("sys.platform", "win32")
    spec = importlib.util.spec_from_file_location("windows_keys", Path(keys.__file__))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with module.Keyboard() as terminal:
        found = [terminal.read(0) for _ in range(8)]
        assert found == ["4", "enter", "left", "right", "end of input", "", "q", "interrupt"]
        assert terminal.read(0.05) is None
        console.kbhit = interrupted
        assert terminal.read(5) == "interrupt"
        console.kbhit = lambda: bool(pressed)
        pressed.append("x")
        terminal.discard()
        assert pressed == []
