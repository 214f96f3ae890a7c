"""Creates the file store of PORCHLIGHT_FILES_URL."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from porchlight.ports import FileStore
from porchlight.storage.folder import FolderStore
from porchlight.storage.s3 import Bucket, BucketStore

FORMAT_MESSAGE = (
    "PORCHLIGHT_FILES_URL must look like file:///var/lib/porchlight/files"
    " or s3+https://KEY:SECRET@host/bucket/folder?region=us-east-1 (with special signs of the secret as %XX)."
)
DEFAULT_REGION = "us-east-1"


def create_store(url: str) -> FileStore:
    """Create the file store of a URL. Raises ValueError with one sentence for an invalid URL."""
    try:
        parts = urlsplit(url)
        host, port, query = parts.hostname, parts.port, parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        raise ValueError(FORMAT_MESSAGE) from None
    if parts.scheme == "file" and not parts.netloc and parts.path.startswith("/"):
        return FolderStore(Path(unquote(parts.path)))
    name, _, prefix = unquote(parts.path).strip("/").partition("/")
    if parts.scheme in ("s3+https", "s3+http") and host and parts.username and parts.password and name:
        authority = host if port is None else f"{host}:{port}"
        endpoint = f"{parts.scheme.removeprefix('s3+')}://{authority}"
        region = query.get("region", [DEFAULT_REGION])[0]
        credentials = (unquote(parts.username), unquote(parts.password))
        return BucketStore(Bucket(endpoint, name, prefix, region, *credentials))
    raise ValueError(FORMAT_MESSAGE)
