"""A small server that behaves like S3: it believes a request only when its signature, date and digest are right.

Its own reckoning of the signature shares nothing with the product's but the published scheme.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

KEY_ID, SECRET, REGION = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "us-west-2"
_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<id>[^/]+)/(?P<day>\d{8})/(?P<region>[^/]+)/s3/aws4_request,"
    r"\s*SignedHeaders=(?P<names>[a-z0-9;-]+),\s*Signature=(?P<signature>[0-9a-f]{64})"
)


def _digest(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


class Bucket(BaseHTTPRequestHandler):
    """One request. What is kept is the class's."""

    kept: ClassVar[dict[str, tuple[str, bytes]]] = {}
    failing: ClassVar[list[int]] = []  # statuses to answer with before anything works again

    def _refused(self, body: bytes) -> int | None:
        if self.failing:
            return self.failing.pop(0)
        found = _AUTHORIZATION.fullmatch(self.headers.get("authorization", ""))
        moment = self.headers.get("x-amz-date", "")
        claimed = self.headers.get("x-amz-content-sha256", "")
        if found is None or found["id"] != KEY_ID or found["region"] != REGION:
            return 403
        then = datetime.strptime(moment, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        if abs(datetime.now(UTC) - then) > timedelta(minutes=15) or not moment.startswith(found["day"]):
            return 403
        names = found["names"].split(";")
        if not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(names):
            return 403
        canonical = [self.command, self.path, ""]
        canonical += [f"{name}:{self.headers[name].strip()}" for name in names]
        canonical += ["", found["names"], claimed]
        hashed = hashlib.sha256("\n".join(canonical).encode()).hexdigest()
        signing = _digest(
            _digest(_digest(_digest(f"AWS4{SECRET}".encode(), found["day"]), REGION), "s3"), "aws4_request"
        )
        scope = f"{found['day']}/{REGION}/s3/aws4_request"
        wanted = _digest(signing, f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{hashed}").hex()
        if wanted != found["signature"]:
            return 403
        return 400 if claimed != hashlib.sha256(body).hexdigest() else None

    def _answer(self, status: int, body: bytes = b"", kind: str = "application/xml") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        refused = self._refused(body)
        if refused is not None:
            self._answer(refused, b"<Error/>")
        elif self.command == "PUT":
            self.kept[self.path] = (self.headers["content-type"], body)
            self._answer(200)
        elif self.path not in self.kept:
            self._answer(204 if self.command == "DELETE" else 404)
        elif self.command == "DELETE":
            del self.kept[self.path]
            self._answer(204)
        else:
            kind, kept = self.kept[self.path]
            self._answer(200, kept, kind)

    do_GET = do_HEAD = do_PUT = do_DELETE = _serve

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class Server:
    """The server, in a thread of its own."""

    def __init__(self, port: int) -> None:
        Bucket.kept, Bucket.failing = {}, []
        self._server = ThreadingHTTPServer(("127.0.0.1", port), Bucket)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.url = f"s3+http://{KEY_ID}:{SECRET.replace('/', '%2F').replace('+', '%2B')}@127.0.0.1:{port}/papers/demo"
        self.url += f"?region={REGION}"

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
