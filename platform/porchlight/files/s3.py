"""Files in an S3-compatible store. Requests are signed by AWS Signature Version 4; three of its calls are enough."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import httpx

from porchlight.files.folder import KEY, PIECE
from porchlight.ports import FileGone, FileOutage
from tenants.kit import clock

TIMEOUT = httpx.Timeout(20.0, connect=3.0)
TRIES = 2
_EMPTY = hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True, slots=True)
class Bucket:
    """Where files are kept: `endpoint` is scheme and host, `path` begins with the bucket (path style)."""

    endpoint: str
    path: str
    region: str
    key_id: str
    secret: str


def authorization(
    bucket: Bucket, method: str, path: str, headers: Mapping[str, str], body_sha256: str, now: datetime
) -> str:
    """The Authorization header (AWS Signature Version 4). `headers` are all that are signed, with `host` and dates."""
    day, moment = now.strftime("%Y%m%d"), now.strftime("%Y%m%dT%H%M%SZ")
    signed = {name.lower(): " ".join(value.split()) for name, value in headers.items()}
    names = ";".join(sorted(signed))
    lines = "".join(f"{name}:{signed[name]}\n" for name in sorted(signed))
    request = "\n".join((method, quote(path, safe="/-_.~"), "", lines, names, body_sha256))
    scope = f"{day}/{bucket.region}/s3/aws4_request"
    text = "\n".join(("AWS4-HMAC-SHA256", moment, scope, hashlib.sha256(request.encode()).hexdigest()))
    key = b"AWS4" + bucket.secret.encode()
    for part in (day, bucket.region, "s3", "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.new(key, text.encode(), "sha256").hexdigest()
    return f"AWS4-HMAC-SHA256 Credential={bucket.key_id}/{scope},SignedHeaders={names},Signature={signature}"


class S3Store:
    """Keeps files in a bucket. Never more than a piece of one is in memory."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    async def put(self, key: str, source: Path, kind: str) -> None:
        """Keep a file. S3 answers once it is safe."""
        self._path(key)  # a name that is none is refused before anything is read
        size, digest = await asyncio.to_thread(_measured, source)
        headers = {"content-type": kind, "content-length": str(size)}
        await self._done("PUT", key, headers, digest, source)

    async def size(self, key: str) -> int:
        """How many bytes there are under a name."""
        answer = await self._done("HEAD", key, {}, _EMPTY)
        return int(answer.headers.get("content-length", "0"))

    async def read(self, key: str) -> AsyncIterator[bytes]:
        """The file, piece by piece."""
        async with self._client() as client:
            try:
                async with client.stream(
                    "GET", self._url(key), headers=self._headers("GET", key, {}, _EMPTY)
                ) as answer:
                    _judge(answer)
                    async for piece in answer.aiter_raw(PIECE):
                        yield piece
            except httpx.HTTPError as fault:
                raise FileOutage(type(fault).__name__) from fault

    async def delete(self, key: str) -> None:
        """Throw a file away."""
        try:
            await self._done("DELETE", key, {}, _EMPTY)
        except FileGone:
            return

    async def _done(
        self, method: str, key: str, headers: Mapping[str, str], digest: str, source: Path | None = None
    ) -> httpx.Response:
        """One request, tried again when the store did not answer or was busy: each may come twice."""
        for tried in range(1, TRIES + 1):
            try:
                async with self._client() as client:
                    content = _pieces(source) if source is not None else None
                    signed = self._headers(method, key, headers, digest)
                    answer = await client.request(method, self._url(key), headers=signed, content=content)
                _judge(answer)
            except (httpx.HTTPError, FileOutage) as fault:
                if tried == TRIES:
                    raise fault if isinstance(fault, FileOutage) else FileOutage(type(fault).__name__) from fault
                await asyncio.sleep(0.2)
            else:
                return answer
        raise AssertionError("unreachable")  # pragma: no cover

    @staticmethod
    def _client() -> httpx.AsyncClient:
        return httpx.AsyncClient(timeout=TIMEOUT, trust_env=False)

    def _path(self, key: str) -> str:
        if not KEY.fullmatch(key):
            raise ValueError("files are kept under names of our own")
        return f"{self._bucket.path}/{key}"

    def _url(self, key: str) -> str:
        return self._bucket.endpoint + quote(self._path(key), safe="/-_.~")

    def _headers(self, method: str, key: str, more: Mapping[str, str], digest: str) -> dict[str, str]:
        now = clock.now()
        headers = {
            **more,
            "host": self._bucket.endpoint.partition("://")[2],
            "x-amz-content-sha256": digest,
            "x-amz-date": now.strftime("%Y%m%dT%H%M%SZ"),
        }
        signed = authorization(self._bucket, method, self._path(key), headers, digest, now)
        return headers | {"authorization": signed}


def _judge(answer: httpx.Response) -> None:
    if answer.status_code == 404:
        raise FileGone
    if not answer.is_success:
        raise FileOutage(f"HTTP {answer.status_code}")


def _measured(path: Path) -> tuple[int, str]:
    with path.open("rb") as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()


async def _pieces(path: Path) -> AsyncIterator[bytes]:
    file = await asyncio.to_thread(path.open, "rb")
    try:
        while piece := await asyncio.to_thread(file.read, PIECE):
            yield piece
    finally:
        file.close()
