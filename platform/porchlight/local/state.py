"""The state folder of `make run`: everything that outlives a start, and nothing that is not ours."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import shutil
from pathlib import Path
from typing import IO, Any

from porchlight.local.errors import LocalError

FORMAT = 1
MARK = "porchlight.json"
NEEDED_BYTES = 500_000_000
ELSEWHERE = "or choose another state folder (STATE=...)"


class StateFolder:
    """A folder held by one start at a time. All methods raise LocalError with one sentence for a person."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: IO[str] | None = None

    @property
    def marker(self) -> str:
        """What the processes of this folder carry in their environment."""
        return str(self.path.resolve())

    @property
    def logs(self) -> Path:
        """The parts' logs."""
        return self.path / "logs"

    @property
    def facts_path(self) -> Path:
        """`demo.json`: how to reach what runs; there only while everything answers."""
        return self.path / "demo.json"

    def hold(self) -> None:
        """Make the folder or recognise it, and keep others out until `release()` or our end."""
        try:
            self._recognise()
            self._lock = self._locked()
            self.facts_path.unlink(missing_ok=True)
            self.logs.mkdir(exist_ok=True)
            (self.path / "files").mkdir(exist_ok=True)
            self._check_disk()
        except OSError as error:
            self.release()
            raise LocalError(
                f"The state folder {self.path} cannot be used ({error.strerror}): make it yours, {ELSEWHERE}."
            ) from error
        except LocalError:
            self.release()
            raise

    def _locked(self) -> IO[str]:
        lock = (self.path / "lock").open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read().strip()
            lock.close()
            by = f" (process {holder})" if holder else ""
            raise LocalError(f"Porchlight already runs from {self.path}{by}: stop it, {ELSEWHERE}.") from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        return lock

    def _check_disk(self) -> None:
        free = shutil.disk_usage(self.path).free
        if free < NEEDED_BYTES:
            raise LocalError(
                f"The disk of {self.path} is nearly full: {free // 1_000_000} MB are free and "
                f"{NEEDED_BYTES // 1_000_000} MB are needed; make room, {ELSEWHERE}."
            )

    def release(self) -> None:
        """Let another start use the folder."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close()

    def secret(self, name: str, length: int = 32) -> str:
        """A secret made once and kept, `length` random bytes as text."""
        path = self.path / "secrets.json"
        kept: dict[str, str] = {}
        with contextlib.suppress(FileNotFoundError):
            try:
                kept = json.loads(path.read_text())
                if name in kept:
                    return str(kept[name])
            except (ValueError, TypeError) as error:
                raise LocalError(f"{path} is damaged: remove it, and new secrets are made.") from error
        kept[name] = secrets.token_urlsafe(length)
        write_private(path, kept)
        return kept[name]

    def _recognise(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        # The database's account passes through; what is private in here has its own mode.
        if self.path.stat().st_uid == os.geteuid():
            self.path.chmod(0o711)
        mark = self.path / MARK
        if not mark.exists():
            strange = sorted(entry.name for entry in self.path.iterdir())
            if strange:
                raise LocalError(
                    f"{self.path} holds files that are not Porchlight's ({strange[0]}): empty it, {ELSEWHERE}."
                )
            write_private(mark, {"format": FORMAT})
            return
        try:
            form = json.loads(mark.read_text())["format"]
        except (ValueError, KeyError, TypeError) as error:
            raise LocalError(f"{mark} is damaged: restore the folder, {ELSEWHERE}.") from error
        if form != FORMAT:
            raise LocalError(
                f"{self.path} was made by another release of Porchlight (format {form}, not {FORMAT}): "
                f"use that release, {ELSEWHERE}."
            )


def write_private(path: Path, value: Any) -> None:
    """Write JSON that only we can read, whole or not at all."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    with fresh.open("w") as file:
        json.dump(value, file, indent=2)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
