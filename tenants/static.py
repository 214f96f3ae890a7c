"""Static files from memory, with bodies compressed beforehand (DESIGN 5: 27–46k requests/s against Starlette's 2k)."""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path
from typing import Any

import brotli
import zstandard

from tenants.edge import Receive, Scope, Send, accepted_encoding

SUFFIXES = {b"br": ".br", b"zstd": ".zst", b"gzip": ".gz"}  # as Caddy's `precompressed` names them
COMPRESSIBLE = {".html", ".js", ".mjs", ".css", ".json", ".svg", ".txt", ".xml", ".webmanifest", ".map", ".ico"}
_SMALL = 860  # bytes
_IMMUTABLE = b"public, max-age=31536000, immutable"
_REVALIDATE = b"public, max-age=0, must-revalidate"

mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")


def precompress(folder: Path) -> int:
    """Write .br, .zst and .gz beside every compressible file of a build. Answers how many files it compressed."""
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in COMPRESSIBLE and path.stat().st_size >= _SMALL
    ]

    def one(path: Path) -> None:
        body = path.read_bytes()
        for suffix, made in (
            (".br", brotli.compress(body, quality=11)),
            (".zst", zstandard.compress(body, 19)),
            (".gz", gzip.compress(body, 9, mtime=0)),
        ):
            path.with_name(path.name + suffix).write_bytes(made)

    with ThreadPoolExecutor() as pool:
        list(pool.map(one, files))
    return len(files)


class StaticFiles:
    """The files of a build by their URL paths. Loaded once; a path that is none of them is not ours to answer."""

    def __init__(
        self,
        folder: Path,
        *,
        immutable: Iterable[str] = (),
        headers: Mapping[str, str] | None = None,
        skip: Iterable[str] = (),
    ) -> None:
        """`immutable`: path prefixes whose names carry a hash of their content. `skip`: path suffixes left out."""
        self._files: dict[str, dict[bytes, tuple[list[tuple[bytes, bytes]], bytes]]] = {}
        self._etags: dict[str, bytes] = {}
        extra = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        for path in sorted(folder.rglob("*")):
            url = "/" + path.relative_to(folder).as_posix()
            if path.is_file() and path.suffix not in SUFFIXES.values() and not url.endswith(tuple(skip) or ("\0",)):
                self._load(path, url, extra, immutable=url.startswith(tuple(immutable) or ("\0",)))

    def _load(self, path: Path, url: str, extra: list[tuple[bytes, bytes]], *, immutable: bool) -> None:
        body = path.read_bytes()
        etag = b'W/"' + blake2b(body, digest_size=12).hexdigest().encode() + b'"'
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        if kind.startswith("text/") or kind in ("application/json", "application/manifest+json"):
            kind += "; charset=utf-8"
        common = [
            (b"content-type", kind.encode()),
            (b"etag", etag),
            (b"vary", b"Accept-Encoding"),
            (b"cache-control", _IMMUTABLE if immutable else _REVALIDATE),
            (b"x-content-type-options", b"nosniff"),
            *extra,
        ]
        variants = {b"": ([*common, (b"content-length", str(len(body)).encode())], body)}
        for encoding, suffix in SUFFIXES.items():
            beside = path.with_name(path.name + suffix)
            if beside.is_file():
                made = beside.read_bytes()
                headers = [*common, (b"content-length", str(len(made)).encode()), (b"content-encoding", encoding)]
                variants[encoding] = (headers, made)
        self._files[url] = variants
        self._etags[url] = etag

    def __contains__(self, path: str) -> bool:
        return path in self._files

    def body(self, path: str) -> bytes:
        """The bytes of a file, uncompressed."""
        return self._files[path][b""][1]

    async def serve(self, path: str, scope: Scope, send: Send) -> None:
        """Answer a GET or HEAD for a path that is `in` these files."""
        accept = matched = b""
        for name, value in scope["headers"]:
            if name == b"accept-encoding":
                accept = value
            elif name == b"if-none-match":
                matched = value
        variants = self._files[path]
        headers, body = variants.get(accepted_encoding(accept)) or variants[b""]
        if matched and self._etags[path] in matched:
            slim = [(n, v) for n, v in headers if n not in (b"content-length", b"content-type", b"content-encoding")]
            await _answer(send, 304, slim, b"")
        elif scope["method"] in ("GET", "HEAD"):
            await _answer(send, 200, headers, body if scope["method"] == "GET" else b"")
        else:
            await _answer(send, 405, [(b"allow", b"GET, HEAD"), (b"content-length", b"0")], b"")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.serve(scope["path"], scope, send)


async def _answer(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    start: dict[str, Any] = {"type": "http.response.start", "status": status, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": body})
