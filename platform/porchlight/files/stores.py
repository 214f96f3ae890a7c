"""Which store of files PORCHLIGHT_FILES_URL names."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from porchlight.files.folder import FolderStore
from porchlight.ports import FileStore

HOW = (
    "PORCHLIGHT_FILES_URL must look like file:///var/lib/porchlight/files or s3+https://KEY:SECRET@host/bucket?region=x"
)


def store_at(url: str) -> FileStore:
    """The store behind a URL. Raises ValueError with one sentence for one that names none."""
    parts = urlsplit(url)
    if parts.scheme == "file" and not parts.netloc and parts.path.startswith("/"):
        return FolderStore(Path(unquote(parts.path)))
    raise ValueError(HOW)
