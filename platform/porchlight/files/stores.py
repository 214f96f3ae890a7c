"""Which store of files PORCHLIGHT_FILES_URL names."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from porchlight.files.folder import FolderStore
from porchlight.files.s3 import Bucket, S3Store
from porchlight.ports import FileStore

HOW = (
    "PORCHLIGHT_FILES_URL must look like file:///var/lib/porchlight/files"
    " or s3+https://KEY:SECRET@host/bucket/folder?region=us-east-1 (with special signs of the secret as %XX)."
)
DEFAULT_REGION = "us-east-1"


def store_at(url: str) -> FileStore:
    """The store behind a URL. Raises ValueError with one sentence for one that names none."""
    try:
        parts = urlsplit(url)
        host, port, given = parts.hostname, parts.port, parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        raise ValueError(HOW) from None
    if parts.scheme == "file" and not parts.netloc and parts.path.startswith("/"):
        return FolderStore(Path(unquote(parts.path)))
    bucket = unquote(parts.path).rstrip("/")
    if parts.scheme in ("s3+https", "s3+http") and host and parts.username and parts.password and len(bucket) > 1:
        place = host if port is None else f"{host}:{port}"
        endpoint = f"{parts.scheme.removeprefix('s3+')}://{place}"
        region = given.get("region", [DEFAULT_REGION])[0]
        return S3Store(Bucket(endpoint, bucket, region, unquote(parts.username), unquote(parts.password)))
    raise ValueError(HOW)
