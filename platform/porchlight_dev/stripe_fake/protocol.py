"""The HTTP protocol of the server: as uvicorn's, but a handler can reach the connection in order to cut it."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol


class CuttableProtocol(H11Protocol):
    """A protocol whose transport is `request.state.transport`."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Keep the transport of a new connection."""
        super().connection_made(transport)
        state: dict[str, Any] = dict(self.app_state)
        self.app_state = state | {"transport": transport}
