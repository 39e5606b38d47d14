"""HTTP for programs and for the page: questions, sessions on a WebSocket, metrics.

Needs the extra `web` (Starlette, uvicorn, websockets). The messages belong to c4mcts.protocol.
"""
