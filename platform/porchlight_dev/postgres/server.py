"""A PostgreSQL server for one machine: `make run` and the tests.

It listens only on 127.0.0.1, requires SCRAM passwords, never runs as root, and recovers from an earlier run that was
killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import IO

import psutil
import psycopg

from porchlight_dev.errors import DevError
from porchlight_dev.postgres.binaries import (
    Binaries,
    PrintLine,
    can_enter,
    create_shared_data_path,
    find_binaries,
    reachable_binaries,
)
from porchlight_dev.processes import (
    Account,
    account_with_uid,
    end_processes,
    popen_account,
    require_free_port,
    spawn,
    unprivileged_account,
)
from tenants.db import roles
from tenants.db.clock_offset import set_clock

SUPERUSER = "postgres"
DATABASE = "porchlight"
MAX_LOG_BYTES = 10_000_000

# For a machine with 2 cores that runs all other services too.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "password_encryption": "scram-sha-256",
    "shared_buffers": "128MB",
    "max_connections": "100",
    "max_worker_processes": "4",
    "max_parallel_workers": "2",
    "max_parallel_workers_per_gather": "1",
    "random_page_cost": "1.1",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] %q%u@%d ",
}
# Tests discard their data, so nothing has to reach the disk.
NON_DURABLE_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_size": "256MB",
    "max_wal_senders": "0",
    "autovacuum_naptime": "10min",
}
# Tests open thousands of connections, and their random passwords need no slow hash.
FAST_PASSWORD_SETTINGS = {"scram_iterations": "1"}
FAST_PASSWORDS_MAJOR = 16
HBA = "host all all 127.0.0.1/32 scram-sha-256\n"


class LocalPostgres:
    """A server with its data in `directory`, listening on `port`.

    `durable=False` turns off all write barriers. `print_line` receives the lines that the developer should read. All
    methods raise DevError.
    """

    def __init__(
        self, directory: Path, port: int, *, durable: bool = True, print_line: PrintLine | None = None
    ) -> None:
        self.directory = directory.absolute()
        self.port = port
        self.durable = durable
        self.account: Account | None = None
        self.data = self.directory / "data"
        self._print_line: PrintLine = print_line or (lambda line: None)
        self._binaries: Binaries | None = None
        self._lock: IO[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    # URLs

    def url(self, role: str, database: str = DATABASE) -> str:
        """Return the libpq URL for `role`."""
        return f"postgresql://{role}:{self.passwords[role]}@127.0.0.1:{self.port}/{database}"

    @property
    def superuser_url(self) -> str:
        """The maintenance database as the superuser, for administration only."""
        return self.url(SUPERUSER, "postgres")

    @property
    def owner_url(self) -> str:
        """The role that runs migrations."""
        return self.url(roles.OWNER_ROLE)

    @property
    def app_url(self) -> str:
        """The role that serves requests."""
        return self.url(roles.APP_ROLE)

    @property
    def service_url(self) -> str:
        """The role that works across tenants."""
        return self.url(roles.SERVICE_ROLE)

    @property
    def log_path(self) -> Path:
        """The server's log."""
        return self.directory / "postgres.log"

    @property
    def passwords(self) -> dict[str, str]:
        """Passwords by role name, generated once and stored in a private file."""
        path = self.directory / "passwords.json"
        with contextlib.suppress(FileNotFoundError):
            try:
                stored: dict[str, str] = json.loads(path.read_text())
                return {
                    role: str(stored[role])
                    for role in (SUPERUSER, roles.OWNER_ROLE, roles.APP_ROLE, roles.SERVICE_ROLE)
                }
            except (ValueError, KeyError) as error:
                raise DevError(f"{path} is damaged: restore it, or use another state folder (STATE=...).") from error
        if self.data.exists():
            raise DevError(
                f"{path} is missing although {self.data} is there: restore it, or use another state folder (STATE=...)."
            )
        passwords = {
            role: secrets.token_urlsafe(24)
            for role in (SUPERUSER, roles.OWNER_ROLE, roles.APP_ROLE, roles.SERVICE_ROLE)
        }
        temporary = path.with_suffix(".new")
        temporary.touch(mode=0o600)
        temporary.write_text(json.dumps(passwords))
        temporary.rename(path)
        return passwords

    # Start and stop, for tests and tools

    def start(self) -> None:
        """Prepare and start the server, wait until it is ready, then provision roles and the database."""
        self.prepare()
        with self.open_log() as log:
            self._process = spawn(
                self.argv(), env=self.env(), log=log, death_signal=signal.SIGINT, account=self.account, cwd=self.data
            )
        try:
            self._wait_until_ready(self._process)
            self.provision()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server with a fast shutdown, which rolls back open transactions. A second call does nothing."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            for order, timeout in ((signal.SIGINT, 30), (signal.SIGQUIT, 10), (signal.SIGKILL, 10)):
                process.send_signal(order)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout)
                    break
        self.release()

    # Single steps, for a supervisor

    def prepare(self) -> None:
        """Prepare a start: lock the folder, choose the account, create the cluster, end servers of a killed run."""
        self._acquire_lock()
        try:
            self._choose_account()
            major = self._data_major()
            self._binaries = find_binaries(major)
            if major is not None and major != self._binaries.major:
                raise DevError(
                    f"{self.data} was created by PostgreSQL {major}, and this machine has PostgreSQL "
                    f"{self._binaries.major}: install release {major}, or use another state folder (STATE=...)."
                )
            if self.account is not None:
                self._binaries = reachable_binaries(self._binaries, self.account, self._print_line)
            # Also with existing data, so that damaged passwords are found before the server starts.
            superuser_password = self.passwords[SUPERUSER]
            if major is None:
                self._create_cluster(self._binaries, superuser_password)
            self.end_orphans()
            require_free_port(self.port, "the database")
        except BaseException:
            self.release()
            raise

    def argv(self) -> list[str]:
        """Return the command that runs the server in the foreground. Call `prepare()` first."""
        if self._binaries is None:
            raise RuntimeError("call prepare() first")
        settings = SETTINGS | {"port": str(self.port)}
        if not self.durable:
            settings |= NON_DURABLE_SETTINGS
            if self._binaries.major >= FAST_PASSWORDS_MAJOR:
                settings |= FAST_PASSWORD_SETTINGS
        argv = [str(self._binaries.program("postgres")), "-D", str(self.data)]
        for name, value in settings.items():
            argv += ["-c", f"{name}={value}"]
        return argv

    def env(self) -> dict[str, str]:
        """Return the server's environment: nothing inherited, messages in English."""
        return {"PATH": os.defpath, "LC_ALL": "C"}

    def open_log(self) -> IO[bytes]:
        """Open the log for appending; rotate it first when it is large."""
        with contextlib.suppress(FileNotFoundError):
            if self.log_path.stat().st_size > MAX_LOG_BYTES:
                self.log_path.replace(self.log_path.with_suffix(".log.1"))
        return self.log_path.open("ab")

    def is_ready(self) -> bool:
        """Return whether the server accepts a connection and a query now."""
        try:
            with psycopg.connect(self.superuser_url, connect_timeout=3) as connection:
                connection.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def provision(self) -> None:
        """Create or update the roles and the database."""
        try:
            roles.provision(self.superuser_url, database=DATABASE, passwords=self.passwords)
            with psycopg.connect(self.superuser_url, autocommit=True) as conn:
                set_clock(conn, DATABASE)  # also without an offset: this may be the state of a run that had one
        except psycopg.Error as error:
            raise DevError(f"PostgreSQL could not create the roles and the database: {error}") from error

    def end_orphans(self) -> None:
        """End the servers of a killed run and remove its stale postmaster.pid.

        This touches only servers on this data directory, and only while this object holds the folder's lock.
        """
        pid_file = self.data / "postmaster.pid"
        servers = self._servers()
        if servers:
            with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
                main = int(pid_file.read_text().splitlines()[0])
                postmaster = [server for server in servers if server.pid == main]
                end_processes(postmaster, first=signal.SIGINT, grace_seconds=30)
            # Backends without a postmaster end by themselves. The rest would block the start.
            remaining = psutil.wait_procs(self._servers(), timeout=3)[1]
            end_processes(remaining, first=signal.SIGQUIT)
        # No server uses the data now. PostgreSQL would refuse to start if another process has the pid in this file.
        pid_file.unlink(missing_ok=True)

    def release(self) -> None:
        """Unlock the folder."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close()

    def _acquire_lock(self) -> None:
        if self._lock is not None:
            return
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            # The server's account must be able to enter; private files have modes of their own.
            self.directory.chmod(0o711)
            lock = (self.directory / "lock").open("a")
        except OSError as error:
            raise DevError(
                f"The state folder {self.directory} cannot be used ({error.strerror}): fix its permissions, or choose "
                "another one (STATE=...)."
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.close()
            raise DevError(
                f"Another Porchlight is using {self.directory}: stop it, or choose another state folder (STATE=...)."
            ) from error
        self._lock = lock

    def _choose_account(self) -> None:
        """Choose the account that runs the server and the folder of its data."""
        pointer = self.directory / "location"
        if pointer.exists():
            self.data = Path(pointer.read_text().strip())
        self.account = unprivileged_account()
        if self.account is None:
            return
        with contextlib.suppress(FileNotFoundError):
            owner = self.data.stat().st_uid
            if owner != 0:
                # The account that created the data keeps running it.
                self.account = account_with_uid(owner)
        if not pointer.exists() and not can_enter(self.directory, self.account):
            self.data = create_shared_data_path(pointer)
            self._print_line(
                f"The account {self.account.name} cannot enter {self.directory}: the database is in {self.data}."
            )
            pointer.write_text(f"{self.data}\n")

    def _data_major(self) -> int | None:
        """Return the release that created the data, or None without data."""
        if not self.data.exists():
            return None
        try:
            return int((self.data / "PG_VERSION").read_text())
        except (OSError, ValueError) as error:
            raise DevError(
                f"{self.data} is not a PostgreSQL data directory: restore it, or use another state folder (STATE=...)."
            ) from error

    def _create_cluster(self, binaries: Binaries, superuser_password: str) -> None:
        """Create the data directory atomically."""
        temporary = self.data.with_name(f"{self.data.name}.new")
        password_file = self.data.with_name(f"{self.data.name}.password")
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(mode=0o700)
        password_file.unlink(missing_ok=True)
        password_file.touch(mode=0o600)
        password_file.write_text(superuser_password)
        if self.account is not None:
            os.chown(temporary, self.account.uid, self.account.gid)
            os.chown(password_file, self.account.uid, self.account.gid)
        locale = ["--locale=C.UTF-8"]
        if binaries.major >= 17:
            # PostgreSQL's own Unicode rules are the same on every machine and survive updates of the C library.
            locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        argv = [
            str(binaries.program("initdb")),
            f"--pgdata={temporary}",
            f"--username={SUPERUSER}",
            "--auth=scram-sha-256",
            f"--pwfile={password_file}",
            "--encoding=UTF8",
            *locale,
            *([] if self.durable else ["--no-sync"]),
        ]
        try:
            result = subprocess.run(
                argv,
                env=self.env(),
                cwd="/",
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                **popen_account(self.account),
            )
            if result.returncode != 0:
                last = (result.stderr or result.stdout).strip().splitlines()[-3:]
                raise DevError(f"PostgreSQL could not create its data directory {temporary}: {' '.join(last)}")
            (temporary / "pg_hba.conf").write_text(HBA)
            temporary.rename(self.data)
        finally:
            password_file.unlink(missing_ok=True)
            shutil.rmtree(temporary, ignore_errors=True)

    def _servers(self) -> list[psutil.Process]:
        """Return the processes of servers on this data. All have the data directory as working directory."""
        processes = []
        data = str(self.data.resolve())
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.name().startswith("postgres") and process.cwd() == data:
                    processes.append(process)
        return processes

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        while not self.is_ready():
            if (code := process.poll()) is not None:
                raise DevError(f"PostgreSQL ended with {code}; {self.log_path} ends with: {self.last_log_lines()}")
            time.sleep(0.05)

    def last_log_lines(self, lines: int = 3) -> str:
        """Return the last lines of the log as one line."""
        with contextlib.suppress(OSError):
            return " | ".join(self.log_path.read_text(errors="replace").splitlines()[-lines:])
        return "(the log is empty)"
