"""AnalysisBoard: the board and the analysis of `c4mcts web` in a notebook; users import it from c4mcts.view.

Needs the extra `notebook` (anywidget), whose comm carries the messages of the protocol.

A widget may have several views in browsers, each of which is a client with its own session. Of the widget itself only
the position is synchronised, with the keys that it has in a message: `moves`, and `rules` or `fen`. The page is a model
that all boards share, so that a saved notebook has it once.
"""

import json
from dataclasses import asdict
from functools import partial
from importlib.resources import files
from typing import Any, ClassVar

from ..._named import installed_by
from ..._platform import processors
from ..._validation import naming
from ...board.arguments import AnyBoard
from ...board.board import Board
from ...protocol import Session, Slots
from ...protocol.caps import SHARED_CAPS
from ...protocol.messages import Keys, read_last_turn
from ...protocol.replies import Reply
from ...protocol.session import PAGE_WORKERS
from ...search.results import SearchResult
from .. import STATIC, drawable_copy
from ..bundle import bundle

with installed_by("notebook"):
    import anywidget
    import ipywidgets
    import traitlets

MAX_VIEWS = 4  # a reloaded page does not say that its view is gone, so the oldest session ends
CATALOGUE = "catalogue.js"  # loads the texts of a language from a server, which a notebook does not have

Position = dict[str, Any]


def position_of(board: Board) -> Position:
    start = board.start
    query = {"fen": start.to_fen()} if start.ply else {"rules": asdict(board.rules)}
    return {**query, "moves": list(board.moves)}


def board_at(position: Position) -> Board:
    """The board of a position. ValueError."""
    return read_last_turn(Keys(position))[1]


def script() -> str:
    """The page for a notebook as one text, which anywidget needs: its modules, its style sheets, and loader.js."""
    style = "".join((STATIC / name).read_text(encoding="utf-8") for name in ("style.css", "notebook.css"))
    style = style.replace(":root", ":host")  # it is in a shadow root
    loader = (files(__package__) / "loader.js").read_text(encoding="utf-8")
    modules = bundle("notebook.js", replaced={CATALOGUE: catalogue()})
    return f"{modules}const STYLE = {json.dumps(style)};\n{loader}"


def catalogue() -> str:
    """The module CATALOGUE with the texts of all languages in it."""
    languages = {file.name[:2]: json.loads(file.read_text(encoding="utf-8")) for file in (STATIC / "texts").iterdir()}
    return (
        f"const languages = {json.dumps(languages)};\nexport const catalogueOf = (language) => languages[language];\n"
    )


class Page(ipywidgets.Widget):
    """The page, which has no view of its own."""

    script = traitlets.Unicode().tag(sync=True)

    shared: ClassVar["Page | None"] = None

    @classmethod
    def of_all(cls) -> "Page":
        """The one that all boards share, or a new one after `Widget.close_all`."""
        if cls.shared is None or cls.shared.comm is None:
            cls.shared = cls(script=script())
        return cls.shared


class AnalysisBoard(anywidget.AnyWidget):
    """A board to click on in a notebook, with a search of its position that grows.

        analysis = AnalysisBoard(Board.from_pons("4453"))
        analysis            # as the last line of a cell
        analysis.result     # later, in another cell

    board: a board, or its text as for `Board.parse`; at most 20 columns and 14 rows; by default the empty board. Assign
    to `board` to show another one.

    The search runs in a thread of the kernel. It starts when the widget is shown, and again after each move. A click
    while a cell is running is answered when that cell has finished.
    """

    _esm = (files(__package__) / "board.js").read_text(encoding="utf-8")

    page = traitlets.Instance(Page).tag(sync=True, **ipywidgets.widget_serialization)
    position = traitlets.Dict().tag(sync=True)  # see above

    def __init__(self, board: AnyBoard | None = None, **options: Any) -> None:
        self._sessions: dict[str, Session] = {}  # of each view, the newest last
        self._slots = Slots(processors())
        self._result: SearchResult | None = None
        position = position_of(drawable_copy(Board() if board is None else board))
        super().__init__(position=position, page=Page.of_all(), **options)
        self.on_msg(self._on_message)

    @property
    def board(self) -> Board:
        """A copy of the board that is shown, with its moves."""
        return board_at(self.position)

    @board.setter
    def board(self, board: AnyBoard) -> None:
        self.position = position_of(drawable_copy(board))

    @property
    def result(self) -> SearchResult | None:
        """The latest result for the board that is shown; None before the first report of its search."""
        result = self._result
        return result if result is not None and result.board == self.board else None

    def close(self) -> None:
        """End the searches, free their memory, and remove the widget. The board and the result can still be read."""
        for view in list(self._sessions):
            self._leave(view)
        super().close()

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget, and a picture of the board for where there are no widgets."""
        result = super()._repr_mimebundle_(**options)
        return result and ({**result[0], "image/svg+xml": self.board.svg()}, result[1])

    @traitlets.validate("position")
    def _checked(self, proposal: dict[str, Any]) -> dict[str, Any]:
        with naming("position: ", traitlets.TraitError):
            drawable_copy(board_at(proposal["value"]))
        query: dict[str, Any] = proposal["value"]
        return query

    def _on_message(self, _: object, content: Any, buffers: object) -> None:
        """Take a message of a view (`widgetModel` in transports.js); others are ignored."""
        match content:
            case {"view": str(view), "text": str(text)}:
                self._receive(view, text)
            case {"view": str(view), "isGone": True}:
                self._leave(view)

    def _receive(self, view: str, text: str) -> None:
        if view not in self._sessions:
            while len(self._sessions) >= MAX_VIEWS:
                self._leave(next(iter(self._sessions)))
            reply = partial(self._reply, view)
            self._sessions[view] = Session(
                reply, on_result=self._take_result, workers=PAGE_WORKERS, caps=SHARED_CAPS, slots=self._slots
            )
        self._sessions[view].receive(text)

    def _leave(self, view: str) -> None:
        session = self._sessions.pop(view, None)
        if session is not None:
            session.close()

    def _reply(self, view: str, reply: Reply) -> None:
        """Send a reply to a view; called from any thread, as the next."""
        self.send({"view": view, "reply": reply})

    def _take_result(self, result: SearchResult) -> None:
        self._result = result
