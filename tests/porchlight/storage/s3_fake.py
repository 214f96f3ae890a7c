"""A small server that behaves like S3: it accepts a request only if its signature, date and digest are right.

Its verification of signatures is independent of the product's S3 client.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import threading
from datetime import UTC, datetime, timedelta
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

KEY_ID, SECRET, REGION = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "us-west-2"
_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<id>[^/]+)/(?P<day>\d{8})/(?P<region>[^/]+)/s3/aws4_request,"
    r"\s*SignedHeaders=(?P<names>[a-z0-9;-]+),\s*Signature=(?P<signature>[0-9a-f]{64})"
)


def _digest(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


class S3Handler(BaseHTTPRequestHandler):
    """Handles a request. Objects are stored in the class."""

    objects: ClassVar[dict[str, tuple[str, bytes]]] = {}
    error_statuses: ClassVar[list[int]] = []  # statuses of the next responses

    def _error_status(self, body: bytes) -> int | None:
        if self.error_statuses:
            return self.error_statuses.pop(0)
        match = _AUTHORIZATION.fullmatch(self.headers.get("authorization", ""))
        timestamp = self.headers.get("x-amz-date", "")
        claimed = self.headers.get("x-amz-content-sha256", "")
        if match is None or match["id"] != KEY_ID or match["region"] != REGION:
            return 403
        signed_at = datetime.strptime(timestamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        if abs(datetime.now(UTC) - signed_at) > timedelta(minutes=15) or not timestamp.startswith(match["day"]):
            return 403
        names = match["names"].split(";")
        if not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(names):
            return 403
        canonical = [self.command, self.path, ""]
        canonical += [f"{name}:{self.headers[name].strip()}" for name in names]
        canonical += ["", match["names"], claimed]
        hashed = hashlib.sha256("\n".join(canonical).encode()).hexdigest()
        signing = _digest(
            _digest(_digest(_digest(f"AWS4{SECRET}".encode(), match["day"]), REGION), "s3"), "aws4_request"
        )
        scope = f"{match['day']}/{REGION}/s3/aws4_request"
        expected = _digest(signing, f"AWS4-HMAC-SHA256\n{timestamp}\n{scope}\n{hashed}").hex()
        if expected != match["signature"]:
            return 403
        return 400 if claimed != hashlib.sha256(body).hexdigest() else None

    def _answer(self, status: int, body: bytes = b"", kind: str = "application/xml") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("etag", f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"')
        self.send_header("last-modified", formatdate(usegmt=True))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        refused = self._error_status(body)
        if refused is not None:
            self._answer(refused, b"<Error/>")
        elif self.command == "PUT":
            self.objects[self.path] = (self.headers["content-type"], body)
            self._answer(200)
        elif self.path not in self.objects:
            self._answer(204 if self.command == "DELETE" else 404)
        elif self.command == "DELETE":
            del self.objects[self.path]
            self._answer(204)
        else:
            kind, objects = self.objects[self.path]
            self._answer(200, objects, kind)

    do_GET = do_HEAD = do_PUT = do_DELETE = _serve

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class S3Fake:
    """The server in its own thread."""

    def __init__(self, port: int) -> None:
        S3Handler.objects, S3Handler.error_statuses = {}, []
        self._server = ThreadingHTTPServer(("127.0.0.1", port), S3Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.url = f"s3+http://{KEY_ID}:{SECRET.replace('/', '%2F').replace('+', '%2B')}@127.0.0.1:{port}/papers/demo"
        self.url += f"?region={REGION}"

    def __enter__(self) -> S3Fake:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
