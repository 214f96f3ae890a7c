"""The state folder of `make run`: database, files, secrets and logs that outlive one run."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import shutil
from pathlib import Path
from typing import IO, Any

from porchlight_dev.errors import DevError

FORMAT = 5
FORMAT_FILE = "porchlight.json"
REQUIRED_BYTES = 500_000_000
OR_CHOOSE_ANOTHER = "or choose another state folder (STATE=...)"


class StateFolder:
    """A folder that one run at a time may use. All methods raise DevError."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: IO[str] | None = None

    @property
    def marker(self) -> str:
        """The value that identifies this folder's processes in their environment."""
        return str(self.path.resolve())

    @property
    def logs(self) -> Path:
        """The folder of the services' logs."""
        return self.path / "logs"

    @property
    def facts_path(self) -> Path:
        """The path of `demo.json`, which exists only while every service is ready."""
        return self.path / "demo.json"

    def acquire(self) -> None:
        """Create or open the folder and lock it until `release()` or the end of the process."""
        try:
            self._create_or_verify()
            self._lock = self._acquire_lock()
            self.facts_path.unlink(missing_ok=True)
            self.logs.mkdir(exist_ok=True)
            (self.path / "files").mkdir(exist_ok=True)
            self._check_disk()
        except OSError as error:
            self.release()
            raise DevError(
                f"The state folder {self.path} cannot be used ({error.strerror}): fix its permissions, "
                f"{OR_CHOOSE_ANOTHER}."
            ) from error
        except DevError:
            self.release()
            raise

    def _acquire_lock(self) -> IO[str]:
        lock = (self.path / "lock").open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read().strip()
            lock.close()
            process = f" (process {holder})" if holder else ""
            raise DevError(
                f"Porchlight is already running from {self.path}{process}: stop it, {OR_CHOOSE_ANOTHER}."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        return lock

    def _check_disk(self) -> None:
        free = shutil.disk_usage(self.path).free
        if free < REQUIRED_BYTES:
            raise DevError(
                f"The disk of {self.path} is nearly full ({free // 1_000_000} MB free, "
                f"{REQUIRED_BYTES // 1_000_000} MB needed): free some space, {OR_CHOOSE_ANOTHER}."
            )

    def release(self) -> None:
        """Unlock the folder."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close()

    def secret(self, name: str, length: int = 32) -> str:
        """Return the stored secret `name`; create it from `length` random bytes on first use."""
        path = self.path / "secrets.json"
        stored: dict[str, str] = {}
        with contextlib.suppress(FileNotFoundError):
            try:
                stored = json.loads(path.read_text())
                if name in stored:
                    return str(stored[name])
            except (ValueError, TypeError) as error:
                raise DevError(f"{path} is damaged: delete it, and new secrets are created.") from error
        stored[name] = secrets.token_urlsafe(length)
        write_private_json(path, stored)
        return stored[name]

    def _create_or_verify(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        # PostgreSQL's account must be able to enter; private files have modes of their own.
        if self.path.stat().st_uid == os.geteuid():
            self.path.chmod(0o711)
        format_file = self.path / FORMAT_FILE
        if not format_file.exists():
            other_files = sorted(entry.name for entry in self.path.iterdir())
            if other_files:
                raise DevError(
                    f"{self.path} contains files that are not Porchlight's ({other_files[0]}): empty it, "
                    f"{OR_CHOOSE_ANOTHER}."
                )
            write_private_json(format_file, {"format": FORMAT})
            return
        try:
            stored_format = json.loads(format_file.read_text())["format"]
        except (ValueError, KeyError, TypeError) as error:
            raise DevError(f"{format_file} is damaged: restore the folder, {OR_CHOOSE_ANOTHER}.") from error
        if stored_format != FORMAT:
            raise DevError(
                f"{self.path} was created by another release of Porchlight (format {stored_format}, not {FORMAT}): "
                f"remove it (make clean-state), {OR_CHOOSE_ANOTHER}."
            )


def write_private_json(path: Path, value: Any) -> None:
    """Write JSON atomically to a file that only this user can read."""
    temporary = path.with_name(f"{path.name}.new")
    temporary.unlink(missing_ok=True)
    temporary.touch(mode=0o600)
    with temporary.open("w") as file:
        json.dump(value, file, indent=2)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
