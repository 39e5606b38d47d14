"""The views of a widget in browsers: each is a client of the protocol, with a session of its own."""

import json
import os
from collections.abc import Callable
from contextlib import suppress

from ..board.board import Board
from ..protocol import Caps, Defaults, Session, Slots
from ..protocol.messages import read_message
from ..protocol.replies import Reply
from ..protocol.requests import Analyze, read_request
from ..search.results import MoveStats, SearchResult

WORKERS = 2  # of a session: a search, and beside it the solver
MAX_VIEWS = 4  # a reloaded page does not say that its view is gone: the oldest session ends
WAITING, SECONDS, MEMORY = 100, 600.0, 1 << 28  # the most that a view may ask for, as in `c4mcts web`

Send = Callable[[str, str], object]  # (view, text of a reply), from any thread
OnResult = Callable[[SearchResult], object]


class Clients:
    """Sessions by view. send: passes on a reply. on_result: called with each result, also while a search grows."""

    def __init__(self, send: Send, on_result: OnResult) -> None:
        self._send = send
        self._on_result = on_result
        self._slots = Slots(os.cpu_count() or 1)
        self._clients: dict[str, Client] = {}  # that of the newest view last

    def __len__(self) -> int:
        return len(self._clients)

    def receive(self, view: str, text: str) -> None:
        """Answer a message of a view, soon."""
        if view not in self._clients:
            while len(self._clients) >= MAX_VIEWS:
                self.leave(next(iter(self._clients)))
            self._clients[view] = Client(lambda reply: self._send(view, reply), self._on_result, self._slots)
        self._clients[view].receive(text)

    def leave(self, view: str) -> None:
        """End the session of a view, and free its engine."""
        client = self._clients.pop(view, None)
        if client is not None:
            client.session.close()

    def close(self) -> None:
        """End all sessions."""
        for view in list(self._clients):
            self.leave(view)


class Client:
    """A session that also tells the results of its searches to Python."""

    def __init__(self, send: Callable[[str], object], on_result: OnResult, slots: Slots) -> None:
        self._send = send
        self._on_result = on_result
        self._searched: dict[
            str, dict[int, Board]
        ] = {}  # those that are to be searched, by the id of the query and turn
        self._caps = Caps(waiting=WAITING, seconds=SECONDS, memory=MEMORY, threads=os.cpu_count() or 1)
        self._defaults = Defaults()
        self.session = Session(self._reply, workers=WORKERS, caps=self._caps, defaults=self._defaults, slots=slots)

    def receive(self, text: str) -> None:
        """Answer a message, soon."""
        with suppress(Exception):  # the session says what is wrong
            message = read_message(text, self._caps.message_bytes)
            request = None if message is None else read_request(message, self._caps, self._defaults)
            if isinstance(request, Analyze):
                self._searched.setdefault(request.id, dict(request.boards))
        self.session.receive(text)

    def _reply(self, reply: Reply) -> None:
        name = reply.get("id", "")
        boards = self._searched.get(name, {})
        board = boards.get(reply.get("turnNumber", -1))
        if board is not None and "moveInfos" in reply:
            self._on_result(result_of(board, reply))
        if board is not None and not reply.get("isDuringSearch"):
            del boards[reply["turnNumber"]]
        is_refused = "error" in reply and "turnNumber" not in reply and reply.get("field") != "id"  # not: id in use
        if not boards or is_refused:
            self._searched.pop(name, None)
        self._send(json.dumps(reply, allow_nan=False))


def result_of(board: Board, reply: Reply) -> SearchResult:
    """The result that a reply to `analyze` tells."""
    root, moves = reply["rootInfo"], reply["moveInfos"]
    stats = [
        MoveStats(
            column=move["move"],
            visits=move["visits"],
            value=move["winrate"],
            prior=move["prior"],
            proof=move["proof"],
            distance=move["distance"],
            pv=tuple(move["pv"]),
        )
        for move in sorted(moves, key=lambda move: move["move"])
    ]
    tried = [move for move in stats if move.visits and move.value is not None]
    visits = sum(move.visits for move in tried)
    return SearchResult(
        board=board.copy(),
        column=moves[0]["move"],
        value=root["winrate"],
        root_value=sum(move.visits * (move.value or 0.0) for move in tried) / visits if visits else None,
        proof=root["proof"],
        distance=root["distance"],
        simulations=root["simulations"],
        nodes=root["nodes"],
        seconds=root["seconds"],
        pv=tuple(moves[0]["pv"]),
        moves=tuple(stats),
    )
