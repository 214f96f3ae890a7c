"""Stamps: files that record from which inputs a result was made, so that unchanged work is not repeated."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

BUILD_OUTPUTS = {"node_modules", "dist", "dist-ssr", ".next", "out", "coverage", "test-results"}
# Tests are no input of a build, and Next.js generates next-env.d.ts.
IGNORED_SUFFIXES = (".tsbuildinfo", ".log", ".test.ts", ".test.tsx", "next-env.d.ts")


class Stamp:
    """A file with the hash of a result's inputs."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> str:
        """Return the hash, or "" when the result is missing or incomplete."""
        with contextlib.suppress(OSError):
            return self.path.read_text().strip()
        return ""

    def clear(self) -> None:
        """Mark the result as incomplete."""
        self.path.unlink(missing_ok=True)

    def write(self, value: str) -> None:
        """Mark the result as complete."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(value + "\n")


def hash_inputs(root: Path, paths: Sequence[Path]) -> str:
    """Return a hash of the names and contents of files and folders below `root`, without build outputs and tests."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            for folder, names, file_names in os.walk(path):
                names[:] = sorted(name for name in names if name not in BUILD_OUTPUTS)
                files += [Path(folder) / name for name in file_names if not name.endswith(IGNORED_SUFFIXES)]
        elif path.exists():
            files.append(path)
    digest = hashlib.sha256()
    for file in sorted(files):
        body = file.read_bytes()
        digest.update(b"%s\0%d\0" % (file.relative_to(root).as_posix().encode(), len(body)))
        digest.update(body)
    return digest.hexdigest()
