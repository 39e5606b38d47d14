"""The HTTP interface: questions by POST with a message of the protocol, or by GET with a position in the address."""

import asyncio
import json
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .. import __version__
from .._validation import brief
from ..protocol import replies
from ..protocol.messages import Refusal, read_message, read_value, too_long
from ..protocol.questions import QUESTIONS, Questions
from .guard import Quota
from .metrics import Metrics

GONE = 499  # for the metrics: the client has closed the connection; the number that nginx's logs have
OWN = (None, "same-origin", "none")  # Sec-Fetch-Site of programs, of this server's page, of an address typed in


class Api:
    """Answers questions over HTTP. origins: of other sites whose pages may ask."""

    def __init__(self, questions: Questions, quota: Quota, origins: tuple[str, ...], metrics: Metrics) -> None:
        self._questions, self._quota, self._origins, self._metrics = questions, quota, origins, metrics

    def routes(self) -> list[Route]:
        return [
            route
            for action in QUESTIONS
            for route in (
                Route(f"/{action}", partial(self._counted, action), methods=["GET", "POST"]),
                Route(f"/{action}/{{position:path}}", partial(self._counted, action), methods=["GET"]),
            )
        ] + [Route("/health", health), Route("/metrics", self._metrics.show)]

    async def _counted(self, action: str, request: Request) -> Response:
        with self._metrics.question(action, request) as status:
            try:
                response = await self._respond(action, request)
            except Refusal as refusal:
                response = json_response(replies.refusal(refusal), HTTPStatus.BAD_REQUEST)
            status.append(response.status_code)
            return response

    async def _respond(self, action: str, request: Request) -> Response:
        if request.method != "POST":
            return await self._answer(action, request, message_of(request))
        most, body = self._questions.caps.message_bytes, bytearray()
        try:
            async for piece in request.stream():
                body += piece
                if len(body) > most:
                    return json_response(replies.refusal(too_long(most)), HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except ClientDisconnect:
            return Response(status_code=GONE)  # for nobody
        return await self._answer(action, request, read_message(bytes(body), most) or {})

    async def _answer(self, action: str, request: Request, message: Mapping[str, Any]) -> Response:
        headers = request.headers
        if headers.get("sec-fetch-site") not in OWN and headers.get("origin") not in self._origins:
            # a browser sends no Origin for images and links, with which any site could start searches here
            return json_response(replies.error("this server answers no questions of other sites"), HTTPStatus.FORBIDDEN)
        if self._quota.locked():
            return json_response(replies.error(self._quota.refusal), HTTPStatus.SERVICE_UNAVAILABLE)
        async with self._quota:
            asking = asyncio.create_task(self._questions.ask(action, message))
            gone = asyncio.create_task(until_gone(request))
            try:
                await asyncio.wait((asking, gone), return_when=asyncio.FIRST_COMPLETED)
                if not asking.done():
                    return Response(status_code=GONE)  # for nobody
                reply = asking.result()
            except RuntimeError:  # no more threads
                return json_response(replies.error("this machine has no more threads"), HTTPStatus.SERVICE_UNAVAILABLE)
            finally:
                asking.cancel()
                gone.cancel()
        if "error" not in reply:
            return json_response(reply, HTTPStatus.OK)
        is_ours = "turnNumber" in reply  # the position was read
        return json_response(reply, HTTPStatus.INTERNAL_SERVER_ERROR if is_ours else HTTPStatus.BAD_REQUEST)


async def health(_: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


def message_of(request: Request) -> dict[str, Any]:
    """The message that an address stands for. Refusal."""
    position = request.path_params.get("position")
    message: dict[str, Any] = {"position": position.removesuffix("/")} if position else {}
    for name, text in request.query_params.multi_items():
        if name in message:
            raise Refusal(f"the key {name!r} appears twice in the address", name)
        message[name] = read_value(name, text)
    return message


async def not_found(request: Request, _: Exception) -> Response:
    message = f"there is no {brief(request.url.path)}: ask as in /solve/445; the actions are {', '.join(QUESTIONS)}"
    return json_response(replies.error(message), HTTPStatus.NOT_FOUND)


def json_response(reply: Mapping[str, object], status: HTTPStatus) -> Response:
    headers = {"Retry-After": "1"} if status == HTTPStatus.SERVICE_UNAVAILABLE else None
    return Response(json.dumps(reply, allow_nan=False) + "\n", status, headers, media_type="application/json")


async def until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
