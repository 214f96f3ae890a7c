"""Readiness probes over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import ssl
from collections.abc import Awaitable, Callable

from porchlight_dev.environment import BASE_HOST


class SniConnection(http.client.HTTPSConnection):
    """A TLS connection to 127.0.0.1 for another host name, because Python does not resolve `*.localhost`."""

    def __init__(self, name: str, port: int, context: ssl.SSLContext) -> None:
        super().__init__("127.0.0.1", port, timeout=3, context=context)
        self._name = name
        self._ssl = context

    def connect(self) -> None:
        """Connect and send the host name with the TLS handshake."""
        http.client.HTTPConnection.connect(self)
        self.sock = self._ssl.wrap_socket(self.sock, server_hostname=self._name)


def http_probe(
    port: int,
    path: str,
    *,
    host: str = BASE_HOST,
    tls: bool = False,
    timeout_seconds: float = 3,
    any_status: bool = False,
) -> Callable[[], Awaitable[bool]]:
    """Return a probe that tells whether `path` on 127.0.0.1:`port` responds with 200, or at all with `any_status`."""

    def answers() -> bool:
        connection: http.client.HTTPConnection
        if tls:
            # The probe asks whether the server answers, not who signed its certificate.
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            connection = SniConnection(host, port, context)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_seconds)
        with contextlib.closing(connection):
            try:
                connection.request("GET", path, headers={"Host": f"{host}:{port}"})
                status = connection.getresponse().status
                return any_status or status == 200
            except (OSError, http.client.HTTPException):
                return False

    return lambda: asyncio.to_thread(answers)
