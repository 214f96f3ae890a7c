"""Requests to servers that people name: to the public internet only, in limited time, with limited answers.

A name is resolved here, and the connection goes to the address that was checked: there is no second lookup that could
give another one. `Host` and the certificate's name stay those of the address that was typed.
"""

from __future__ import annotations

import ssl
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import certifi
import httpcore
import httpx
from publicsuffixlist import PublicSuffixList

from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.ports import DnsOutage, Resolver
from tenants.kit import timeouts
from tenants.kit.public_addresses import is_public

MAX_ANSWER_BYTES: Final = 5 * 1024 * 1024
MAX_REDIRECTS: Final = 3
MAX_URL_LENGTH: Final = 2_000
_HTTPS_PORT = 443
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HEADERS = {"user-agent": "Porchlight-Calendars/1", "accept-encoding": "gzip, identity"}
_GZIP = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class OutsideWeb:
    """How other servers are reached. `local_servers`: `host:port` of servers that may be here, over http, in tests."""

    resolver: Resolver
    local_servers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Login:
    """A user and a password for one server, and the others of its domain."""

    user: str
    password: str


@dataclass(frozen=True, slots=True)
class WebResponse:
    """An answer, and the address that gave it, after redirects."""

    status: int
    content: bytes
    url: str


class _NotPublic(httpcore.ConnectError):
    """The name has an address that is not public."""


class _Deadline:
    """The end of all requests of one reading."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left. Raise TimeoutException."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise httpcore.ReadTimeout("the time for all requests is over")
        return seconds


class _Stream(httpcore.NetworkStream):
    """A connection on which every wait ends with the deadline, so that a slow server cannot drip an answer."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: _Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._deadline.left())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, self._deadline.left()), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Network(httpcore.NetworkBackend):
    """Connects to names whose addresses are all public, and to the addresses that were checked."""

    def __init__(self, web: OutsideWeb, deadline: _Deadline) -> None:
        self._web = web
        self._deadline = deadline
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        error: Exception = httpcore.ConnectError("the name has no address")
        for address in self._addresses(host.strip("[]"), port):
            try:
                return _Stream(self._inner.connect_tcp(address, port, self._deadline.left()), self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failed:
                error = failed
        raise error

    def _addresses(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host, all checked. Raise ConnectError."""
        if f"{host}:{port}" in self._web.local_servers:
            return ["127.0.0.1"] if host.endswith("localhost") else [host]  # not every system resolves it
        if port != _HTTPS_PORT:
            raise _NotPublic("only port 443 is connected to")
        if _is_address(host):
            found = [host]
        else:
            try:
                found = [*self._web.resolver.records(host, "A"), *self._web.resolver.records(host, "AAAA")]
            except DnsOutage as outage:
                raise httpcore.ConnectError("the name servers did not answer") from outage
        if not all(map(is_public, found)):
            raise _NotPublic("an address of the name is not public")
        return found


class GuardedTransport(httpx.BaseTransport):
    """The transport of httpx on the guarded network."""

    def __init__(self, web: OutsideWeb, deadline: _Deadline) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=_tls(), network_backend=_Network(web, deadline), max_connections=2, retries=0
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Its errors are those of httpcore."""
        answer = self._pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer))

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        yield from self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()


class GuardedClient:
    """Makes the requests of one reading. A context manager."""

    def __init__(self, web: OutsideWeb, login: Login | None = None) -> None:
        self._web = web
        self._login = login
        self._login_host = ""
        deadline = _Deadline(timeouts.current.calendar_fetch_seconds)
        self._client = httpx.Client(
            transport=GuardedTransport(web, deadline),
            follow_redirects=False,
            trust_env=False,
            timeout=timeouts.current.calendar_fetch_seconds,  # the deadline ends each wait before
        )

    def __enter__(self) -> GuardedClient:
        return self

    def __exit__(self, *_error: object) -> None:
        self._client.close()

    def request(
        self, method: str, url: str, *, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> WebResponse:
        """Return the answer to a request, after at most three redirects. Raise SourceFailed.

        The login goes to the host of the first request and to others of its domain, never to a third one.
        """
        for _ in range(MAX_REDIRECTS + 1):
            answer, location = self._send(method, self._checked(url), body, headers or {})
            if answer.status not in _REDIRECTS or not location:
                return answer
            url = urljoin(url, location)
        raise SourceFailed("answer")

    def _send(self, method: str, url: httpx.URL, body: bytes, headers: dict[str, str]) -> tuple[WebResponse, str]:
        self._login_host = self._login_host or url.host
        auth = None
        if self._login is not None and _is_same_site(url.host, self._login_host):
            auth = httpx.BasicAuth(self._login.user.encode(), self._login.password.encode())
        try:
            with self._client.stream(method, url, content=body, headers=_HEADERS | headers, auth=auth) as response:
                content = b"" if response.status_code in _REDIRECTS else _read(response)
                return WebResponse(response.status_code, content, str(url)), response.headers.get("location", "")
        except _NotPublic:
            raise SourceFailed("not_public") from None
        except (httpcore.TimeoutException, httpcore.NetworkError, ssl.SSLError, OSError):
            raise SourceFailed("unreachable") from None
        except (httpcore.ProtocolError, httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnicodeError, zlib.error):
            raise SourceFailed("answer") from None

    def _checked(self, url: str) -> httpx.URL:
        """Return an address that may be asked. Raise SourceFailed."""
        try:
            parsed = httpx.URL(url)
            is_local = f"{parsed.host}:{parsed.port}" in self._web.local_servers
        except (httpx.InvalidURL, ValueError, TypeError):
            raise SourceFailed("address") from None
        if len(url) > MAX_URL_LENGTH or not parsed.host or parsed.userinfo:
            raise SourceFailed("address")
        if not is_local and (parsed.scheme != "https" or parsed.port not in (None, _HTTPS_PORT)):
            raise SourceFailed("address" if parsed.scheme != "https" else "not_public")
        return parsed


def _read(response: httpx.Response) -> bytes:
    """Return the content of an answer. Raise SourceFailed above MAX_ANSWER_BYTES, compressed or not."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise SourceFailed("answer")
    unpack = zlib.decompressobj(_GZIP) if "gzip" in encoding else None
    content = bytearray()
    for chunk in response.iter_raw():
        room = MAX_ANSWER_BYTES + 1 - len(content)
        content += chunk if unpack is None else unpack.decompress(chunk, room)
        if len(content) > MAX_ANSWER_BYTES:
            raise SourceFailed("too_large")
    return bytes(content)


def _is_address(host: str) -> bool:
    """Return whether a host is written as an address, in any form that a system would read as one."""
    last = host.rstrip(".").rpartition(".")[2]
    return ":" in host or last.isdigit() or last.lower().startswith("0x")


def _is_same_site(host: str, other: str) -> bool:
    if host == other:
        return True
    own = _suffixes().privatesuffix(host)
    return own is not None and own == _suffixes().privatesuffix(other)


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certifi.where())


def host_of(url: str) -> str:
    """Return the host of an address, which may be shown."""
    return urlsplit(url).hostname or ""
