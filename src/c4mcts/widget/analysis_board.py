"""AnalysisBoard with anywidget: the transport of the protocol is the widget's comm."""

from typing import Any

import anywidget
import traitlets

from ..board.board import Board
from ..search.results import SearchResult
from .bundle import bundle
from .clients import Clients
from .positions import board_of, position_of, shown_board


class AnalysisBoard(anywidget.AnyWidget):
    """A board to click on in a notebook, with a search of its position that grows.

        analysis = AnalysisBoard(Board.from_pons("4453"))
        analysis            # as the last line of a cell
        analysis.result     # later, in another cell

    board: at most 20 columns and 14 rows; by default the empty one. Assign another one to `board` to show that.

    The search runs in a thread of the kernel. It starts when the widget is shown, and with each move. A click that
    comes while a cell runs is answered when the cell has ended.

    Raises TypeError or ValueError naming the argument.
    """

    _esm = bundle()

    position = traitlets.Dict().tag(sync=True)  # as positions.py says

    def __init__(self, board: Board | None = None, **options: Any) -> None:
        position = position_of(shown_board(Board() if board is None else board))
        super().__init__(position=position, **options)
        self._clients = Clients(self._send_reply, self._take_result)
        self._result: SearchResult | None = None
        self.on_msg(self._on_message)

    @property
    def board(self) -> Board:
        """A copy of the board that is shown, with its moves."""
        return board_of(self.position)

    @board.setter
    def board(self, board: Board) -> None:
        self.position = position_of(shown_board(board))

    @property
    def result(self) -> SearchResult | None:
        """The result of the search of the board that is shown, so far; None before the first report."""
        result = self._result
        return result if result is not None and result.board == self.board else None

    def close(self) -> None:
        """End the searches, free their memory, and take the widget away. The board and the result can still be read."""
        if hasattr(self, "_clients"):  # not if __init__ has raised
            self._clients.close()
        super().close()

    @traitlets.validate("position")
    def _checked(self, proposal: dict[str, Any]) -> dict[str, Any]:
        try:
            shown_board(board_of(proposal["value"]))
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(f"position: {error}") from None
        found: dict[str, Any] = proposal["value"]
        return found

    def _on_message(self, _: object, content: Any, buffers: object) -> None:
        """A message of a view, see notebook.js; others are ignored."""
        match content:
            case {"view": str(view), "text": str(text)}:
                self._clients.receive(view, text)
            case {"view": str(view), "isGone": True}:
                self._clients.leave(view)

    def _send_reply(self, view: str, text: str) -> None:
        self.send({"view": view, "text": text})

    def _take_result(self, result: SearchResult) -> None:
        self._result = result
