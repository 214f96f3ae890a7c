"""Static files served from memory with precompressed bodies (docs/webs.md: 27–46k requests/s, Starlette: 2k)."""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import brotli
import zstandard

from tenants.http.asgi import MIN_COMPRESSED_BYTES, RawHeaders, Receive, Scope, Send, negotiate_encoding, send_response
from tenants.http.conditional import matches_etag, weak_etag

SUFFIXES = {b"br": ".br", b"zstd": ".zst", b"gzip": ".gz"}  # as Caddy's `precompressed` names them
COMPRESSIBLE = {".html", ".js", ".mjs", ".css", ".json", ".svg", ".txt", ".xml", ".webmanifest", ".map", ".ico"}
_IMMUTABLE = b"public, max-age=31536000, immutable"
_REVALIDATE = b"public, max-age=0, must-revalidate"

mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")


def precompress(folder: Path) -> int:
    """Write .br, .zst and .gz beside every compressible file of a build. Return how many files were compressed."""
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in COMPRESSIBLE and path.stat().st_size >= MIN_COMPRESSED_BYTES
    ]

    def compress(path: Path) -> None:
        body = path.read_bytes()
        for suffix, compressed in (
            (".br", brotli.compress(body, quality=11)),
            (".zst", zstandard.compress(body, 19)),
            (".gz", gzip.compress(body, 9, mtime=0)),
        ):
            path.with_name(path.name + suffix).write_bytes(compressed)

    with ThreadPoolExecutor() as pool:
        list(pool.map(compress, files))
    return len(files)


class StaticFiles:
    """The files of a build by URL path, loaded once. Without a folder, only files that are added later."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        immutable: Iterable[str] = (),
        headers: Mapping[str, str] | None = None,
        skip: Iterable[str] = (),
    ) -> None:
        """Load the files. `immutable`: path prefixes of files with a content hash in their name. `skip`: suffixes."""
        self._files: dict[str, dict[bytes, tuple[RawHeaders, bytes]]] = {}
        self._etags: dict[str, bytes] = {}
        self._extra = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        if folder is not None:
            self._load_folder(folder, tuple(immutable), tuple(skip))

    def _load_folder(self, folder: Path, immutable: tuple[str, ...], skip: tuple[str, ...]) -> None:
        for path in sorted(folder.rglob("*")):
            url = "/" + path.relative_to(folder).as_posix()
            if path.is_file() and path.suffix not in SUFFIXES.values() and not url.endswith(skip):
                self._load(path, url, immutable=url.startswith(immutable))

    def _load(self, path: Path, url: str, *, immutable: bool) -> None:
        encoded = {
            encoding: compressed.read_bytes()
            for encoding, suffix in SUFFIXES.items()
            if (compressed := path.with_name(path.name + suffix)).is_file()
        }
        self._add(url, path.read_bytes(), encoded, immutable=immutable)

    def add(self, path: str, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Add a file that is not in the build, compressed within milliseconds. Its name decides its content type.

        `headers` replace those of all files.
        """
        # At 7, which takes 3 ms, the largest landing page fits what a connection sends before the first
        # acknowledgment: 10 segments, 14.6 kB.
        encoded = {b"br": brotli.compress(body, quality=7), b"gzip": gzip.compress(body, 6, mtime=0)}
        self._add(path, body, encoded if len(body) >= MIN_COMPRESSED_BYTES else {}, immutable=False, headers=headers)

    def remove(self, path: str) -> None:
        """Forget a file."""
        del self._files[path], self._etags[path]

    def _add(
        self,
        url: str,
        body: bytes,
        encoded: Mapping[bytes, bytes],
        *,
        immutable: bool,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        etag = weak_etag(body)
        content_type = mimetypes.guess_type(url)[0] or "application/octet-stream"
        if content_type.startswith("text/") or content_type in ("application/json", "application/manifest+json"):
            content_type += "; charset=utf-8"
        common = [
            (b"content-type", content_type.encode()),
            (b"etag", etag),
            (b"vary", b"Accept-Encoding"),
            (b"cache-control", _IMMUTABLE if immutable else _REVALIDATE),
            (b"x-content-type-options", b"nosniff"),
            *self._extra,
        ]
        own = {name.lower().encode(): value.encode() for name, value in (headers or {}).items()}
        common = [*((name, value) for name, value in common if name not in own), *own.items()]
        variants = {b"": ([*common, (b"content-length", str(len(body)).encode())], body)}
        for encoding, compressed in encoded.items():
            length = (b"content-length", str(len(compressed)).encode())
            variants[encoding] = ([*common, length, (b"content-encoding", encoding)], compressed)
        self._files[url] = variants
        self._etags[url] = etag

    def __contains__(self, path: str) -> bool:
        return path in self._files

    def paths(self) -> list[str]:
        """Return the URL paths of all files, sorted."""
        return sorted(self._files)

    def body(self, path: str) -> bytes:
        """Return the bytes of a file, uncompressed."""
        return self._files[path][b""][1]

    async def serve(self, path: str, scope: Scope, send: Send) -> None:
        """Send the file at `path`, which must be `in` these files. Only GET and HEAD are allowed."""
        accept_encoding = if_none_match = b""
        for name, value in scope["headers"]:
            if name == b"accept-encoding":
                accept_encoding = value
            elif name == b"if-none-match":
                if_none_match = value
        variants = self._files[path]
        headers, body = variants.get(negotiate_encoding(accept_encoding)) or variants[b""]
        if if_none_match and matches_etag(self._etags[path], if_none_match):
            slim = [(n, v) for n, v in headers if n not in (b"content-length", b"content-type", b"content-encoding")]
            await send_response(send, 304, slim)
        elif scope["method"] in ("GET", "HEAD"):
            await send_response(send, 200, headers, body if scope["method"] == "GET" else b"")
        else:
            await send_response(send, 405, [(b"allow", b"GET, HEAD"), (b"content-length", b"0")])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with a file, or 404."""
        await self.serve(scope["path"], scope, send)
