"""The file store in an S3-compatible bucket."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import S3Store

from porchlight.ports import FileGone, FileOutage
from porchlight.storage.keys import CHUNK_BYTES, check_key
from tenants.kit import timeouts

if TYPE_CHECKING:
    from obstore.store import S3Credential

MIN_RETRY_DELAY, MAX_RETRY_DELAY = timedelta(milliseconds=200), timedelta(seconds=1)
MAX_RETRIES = 1
_STATUS = re.compile(r"status code: (\d{3})")


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket and its credentials. `endpoint`: scheme and host; `prefix`: the folder in the bucket, may be empty."""

    endpoint: str
    name: str
    prefix: str
    region: str
    access_key_id: str
    secret_access_key: str


class BucketStore:
    """Stores files in a bucket, with path-style requests."""

    def __init__(self, bucket: Bucket) -> None:
        def credentials() -> S3Credential:
            # A provider, because obstore would add a session token of the environment to plain keys.
            return {
                "access_key_id": bucket.access_key_id,
                "secret_access_key": bucket.secret_access_key,
                "expires_at": None,
            }

        self._store = S3Store(
            bucket.name,
            prefix=bucket.prefix or None,
            endpoint=bucket.endpoint,
            region=bucket.region,
            credential_provider=credentials,
            virtual_hosted_style_request=False,
            disable_bulk_delete=True,  # not every S3-compatible store implements it
            client_options={
                "allow_http": bucket.endpoint.startswith("http://"),
                "timeout": timedelta(seconds=timeouts.current.storage_seconds),
                "connect_timeout": timedelta(seconds=timeouts.current.storage_connect_seconds),
            },
            retry_config={
                "max_retries": MAX_RETRIES,
                "backoff": {"init_backoff": MIN_RETRY_DELAY, "max_backoff": MAX_RETRY_DELAY, "base": 2},
                "retry_timeout": timedelta(seconds=timeouts.current.storage_seconds),
            },
        )

    async def put(self, key: str, source: Path, kind: str) -> None:
        """Store a file with one atomic request. It is durable when this returns."""
        check_key(key)
        with _translated_errors():
            await obstore.put_async(self._store, key, source, attributes={"Content-Type": kind}, use_multipart=False)

    async def size(self, key: str) -> int:
        """Return a file's size in bytes."""
        check_key(key)
        with _translated_errors():
            return (await obstore.head_async(self._store, key))["size"]

    async def read(self, key: str) -> AsyncIterator[bytes]:
        """Yield a file's content in chunks."""
        check_key(key)
        with _translated_errors():
            result = await obstore.get_async(self._store, key)
            async for chunk in result.stream(min_chunk_size=CHUNK_BYTES):
                yield bytes(chunk)

    async def delete(self, key: str) -> None:
        """Delete a file, if it exists."""
        check_key(key)
        with contextlib.suppress(FileGone), _translated_errors():
            await obstore.delete_async(self._store, key)


@contextlib.contextmanager
def _translated_errors() -> Iterator[None]:
    """Raise the port's errors. Messages of obstore are dropped, because they contain the file's secret key."""
    try:
        yield
    except (NotFoundError, FileNotFoundError) as error:
        raise FileGone from error
    except BaseError as error:
        status = _STATUS.search(str(error))
        raise FileOutage(f"HTTP {status[1]}" if status else type(error).__name__) from None
