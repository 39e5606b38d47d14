"""The page of `c4mcts web`: its server, and in `static` the page itself.

Needs the extra `web` (Starlette, uvicorn, websockets). The messages on the socket are those of c4mcts.protocol.
"""
