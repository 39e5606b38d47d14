"""Single keys from a terminal, as names: "left", "enter", "escape", or the character itself.

On POSIX the terminal is in cbreak mode without echo between `__enter__` and `__exit__`. Ctrl-C is a key then, so that
it can't raise KeyboardInterrupt while something is drawn; in the block of `interruptible` it is a signal. On Windows
keys are polled, and Ctrl-C is a signal except while `read` waits.
"""

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from types import TracebackType

INTERRUPT = "interrupt"  # Ctrl-C
NAMES = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}  # last letter of a sequence
NUMBERED = {"1": "home", "7": "home", "4": "end", "8": "end", "5": "page up", "6": "page down"}  # with ~ at its end
CONTROLS = {"\r": "enter", "\n": "enter", "\x1b": "escape", "\x04": "end of input", "\x1a": "suspend"}
CONTROLS["\x03"] = INTERRUPT
SEQUENCE = re.compile(r"\x1b(?:\[([0-9;]*)([A-Za-z~])|O([A-Za-z]))")
SEQUENCE_SECONDS = 0.05  # within which the rest of an escape sequence arrives

if sys.platform == "win32":
    import msvcrt

    WINDOWS_NAMES = {"H": "up", "P": "down", "M": "right", "K": "left", "G": "home", "O": "end"}
    WINDOWS_NAMES |= {"I": "page up", "Q": "page down"}
    POLL_SECONDS = 0.02

    class Keyboard:
        """The keyboard of the console."""

        def __enter__(self) -> "Keyboard":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def read(self, timeout: float) -> str | None:
            """The next key; None if none is pressed within `timeout` seconds."""
            deadline = time.monotonic() + timeout
            try:
                while not msvcrt.kbhit():
                    if time.monotonic() >= deadline:
                        return None
                    time.sleep(POLL_SECONDS)
            except KeyboardInterrupt:
                return INTERRUPT
            character = msvcrt.getwch()
            if character in ("\x00", "\xe0"):
                return WINDOWS_NAMES.get(msvcrt.getwch(), "")
            return "end of input" if character == "\x1a" else CONTROLS.get(character, character)

        def interruptible(self) -> AbstractContextManager[None]:
            """Changes nothing."""
            return nullcontext()

        def discard(self) -> None:
            """Forget the keys that were pressed so far."""
            while msvcrt.kbhit():
                msvcrt.getwch()

else:
    import codecs
    import select
    import termios

    class Keyboard:
        """The terminal behind standard input."""

        def __enter__(self) -> "Keyboard":
            self._terminal = sys.stdin.fileno()
            self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
            self._text = ""  # read, but not yet returned
            self._before = termios.tcgetattr(self._terminal)
            self._set(has_signal=False)
            return self

        def _set(self, has_signal: bool) -> None:
            """Read single keys without echo. has_signal: whether Ctrl-C sends a signal; Ctrl-Z never does."""
            mode = termios.tcgetattr(self._terminal)
            mode[3] &= ~(termios.ICANON | termios.ECHO)
            characters = mode[6]
            characters[termios.VMIN], characters[termios.VTIME] = 1, 0
            disabled = os.fpathconf(self._terminal, "PC_VDISABLE").to_bytes(1, "big")
            characters[termios.VSUSP] = disabled
            characters[termios.VINTR] = self._before[6][termios.VINTR] if has_signal else disabled
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, mode)

        @contextmanager
        def interruptible(self) -> Iterator[None]:
            """Until the block ends, Ctrl-C sends SIGINT."""
            self._set(has_signal=True)
            try:
                yield
            finally:
                with suppress(termios.error):
                    self._set(has_signal=False)

        def __exit__(
            self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
        ) -> None:
            with suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

        def read(self, timeout: float) -> str | None:
            """The next key; None if none is pressed within `timeout` seconds."""
            if not self._text and not self._receive(timeout):
                return None
            if self._text == "\x1b":
                self._receive(SEQUENCE_SECONDS)
            found = SEQUENCE.match(self._text)
            if found is not None:
                self._text = self._text[found.end() :]
                letter = found[2] or found[3]
                return NUMBERED.get(found[1].split(";")[0], "") if letter == "~" else NAMES.get(letter, "")
            key, self._text = self._text[0], self._text[1:]
            return CONTROLS.get(key, key)

        def _receive(self, timeout: float) -> bool:
            """Wait for input and read it; whether there is any. The end of the input counts as Ctrl-D."""
            if not select.select([self._terminal], [], [], timeout)[0]:
                return False
            try:
                data = os.read(self._terminal, 1024)
            except OSError:  # the terminal is gone
                data = b""
            self._text += self._decoder.decode(data) if data else "\x04"
            return bool(self._text)

        def discard(self) -> None:
            """Forget the keys that were pressed so far."""
            self._text = ""
            with suppress(termios.error):
                termios.tcflush(self._terminal, termios.TCIFLUSH)
