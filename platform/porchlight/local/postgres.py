"""A real PostgreSQL server of our own, for one machine: `make run` and the tests.

It listens on 127.0.0.1 only, wants SCRAM passwords, never runs as root, and survives whatever happened to the
process that started it the last time.
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

from porchlight.local.binaries import Binaries, Say, data_elsewhere, enters, find_binaries, reachable_binaries
from porchlight.local.errors import LocalError
from porchlight.local.processes import (
    Account,
    account_of,
    end_processes,
    popen_account,
    refuse_taken_port,
    spawn,
    unprivileged_account,
)
from tenants import roles

SUPERUSER = "postgres"
DATABASE = "porchlight"
LOG_LIMIT = 10_000_000

# For a machine of 2 cores that also runs everything else.
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
# Tests throw their data away: nothing is forced to the disk.
THROWAWAY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum_naptime": "10min",
}
HBA = "host all all 127.0.0.1/32 scram-sha-256\n"


class LocalPostgres:
    """One server with its data in `directory`, listening on `port`.

    `durable=False` turns off every write barrier. `say` receives the few lines a person should read. All methods
    raise LocalError with one sentence for a person.
    """

    def __init__(self, directory: Path, port: int, *, durable: bool = True, say: Say | None = None) -> None:
        self.directory = directory.absolute()
        self.port = port
        self.durable = durable
        self.account: Account | None = None
        self.data = self.directory / "data"
        self._say: Say = say or (lambda line: None)
        self._binaries: Binaries | None = None
        self._lock: IO[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    # Addresses

    def url(self, role: str, database: str = DATABASE) -> str:
        """The libpq URL for `role`."""
        return f"postgresql://{role}:{self.passwords[role]}@127.0.0.1:{self.port}/{database}"

    @property
    def superuser_url(self) -> str:
        """Administration only: the maintenance database, as the superuser."""
        return self.url(SUPERUSER, "postgres")

    @property
    def owner_url(self) -> str:
        """The role that migrates."""
        return self.url(roles.OWNER)

    @property
    def app_url(self) -> str:
        """The role that serves requests."""
        return self.url(roles.APP)

    @property
    def overseer_url(self) -> str:
        """The role that reads across tenants."""
        return self.url(roles.OVERSEER)

    @property
    def log_path(self) -> Path:
        """The server's own log."""
        return self.directory / "postgres.log"

    @property
    def passwords(self) -> dict[str, str]:
        """Role name to password, made once and kept in a file only we can read."""
        path = self.directory / "passwords.json"
        with contextlib.suppress(FileNotFoundError):
            try:
                kept: dict[str, str] = json.loads(path.read_text())
                return {role: str(kept[role]) for role in (SUPERUSER, roles.OWNER, roles.APP, roles.OVERSEER)}
            except (ValueError, KeyError) as error:
                raise LocalError(
                    f"{path} is damaged: restore it, or start over with another state folder (STATE=...)."
                ) from error
        if self.data.exists():
            raise LocalError(
                f"{path} is missing although {self.data} is there: restore it, "
                "or start over with another state folder (STATE=...)."
            )
        made = {role: secrets.token_urlsafe(24) for role in (SUPERUSER, roles.OWNER, roles.APP, roles.OVERSEER)}
        fresh = path.with_suffix(".new")
        fresh.touch(mode=0o600)
        fresh.write_text(json.dumps(made))
        fresh.rename(path)
        return made

    # The whole life, for tests and tools

    def start(self) -> None:
        """Prepare, start, wait until it answers, and provision roles and the database."""
        self.prepare()
        with self.open_log() as log:
            self._process = spawn(
                self.argv(), env=self.env(), log=log, death_signal=signal.SIGINT, account=self.account, cwd=self.data
            )
        try:
            self._wait_until_it_answers(self._process)
            self.provision()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the server in good order (a fast shutdown: open transactions are rolled back). May be called twice."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            for order, patience in ((signal.SIGINT, 30), (signal.SIGQUIT, 10), (signal.SIGKILL, 10)):
                process.send_signal(order)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(patience)
                    break
        self.release()

    # Its parts, for a supervisor

    def prepare(self) -> None:
        """Everything before the server can be started: the folder, the account, the cluster, the last run's remains."""
        self._hold()
        try:
            self._choose_account()
            major = self._data_major()
            self._binaries = find_binaries(major)
            if major is not None and major != self._binaries.major:
                raise LocalError(
                    f"{self.data} was made by PostgreSQL {major} and this machine has PostgreSQL "
                    f"{self._binaries.major}: install release {major}, or start over with another state folder "
                    "(STATE=...)."
                )
            if self.account is not None:
                self._binaries = reachable_binaries(self._binaries, self.account, self._say)
            if major is None:
                self._create_cluster(self._binaries)
            self.end_remains()
            refuse_taken_port(self.port, "the database")
        except BaseException:
            self.release()
            raise

    def argv(self) -> list[str]:
        """The command that runs the server in the foreground. Needs `prepare()`."""
        if self._binaries is None:
            raise RuntimeError("prepare() comes first")
        settings = SETTINGS | ({} if self.durable else THROWAWAY) | {"port": str(self.port)}
        argv = [str(self._binaries.program("postgres")), "-D", str(self.data)]
        for name, value in settings.items():
            argv += ["-c", f"{name}={value}"]
        return argv

    def env(self) -> dict[str, str]:
        """The server's environment: nothing of ours, messages in English."""
        return {"PATH": os.defpath, "LC_ALL": "C"}

    def open_log(self) -> IO[bytes]:
        """The log, appended to; a long one is put aside first."""
        with contextlib.suppress(FileNotFoundError):
            if self.log_path.stat().st_size > LOG_LIMIT:
                self.log_path.replace(self.log_path.with_suffix(".log.1"))
        return self.log_path.open("ab")

    def answers(self) -> bool:
        """Whether the server takes a connection and a query right now."""
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
        except psycopg.Error as error:
            raise LocalError(f"PostgreSQL could not make the roles and the database: {error}") from error

    def end_remains(self) -> None:
        """End what an earlier, killed start left behind, and remove its stale postmaster.pid.

        Only a server on this very data directory is touched, and only while we hold the folder's lock.
        """
        pid_file = self.data / "postmaster.pid"
        servers = self._servers()
        if servers:
            with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
                main = int(pid_file.read_text().splitlines()[0])
                end_processes([server for server in servers if server.pid == main], first=signal.SIGINT, grace=30)
            # Backends whose postmaster is gone leave by themselves; those that do not are in the way.
            remaining = psutil.wait_procs(self._servers(), timeout=3)[1]
            end_processes(remaining, first=signal.SIGQUIT)
        # Now nobody uses the data, so the file is stale. It must not stay: its number may be another process's today.
        pid_file.unlink(missing_ok=True)

    def release(self) -> None:
        """Let others use the folder."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close()

    # Inside

    def _hold(self) -> None:
        if self._lock is not None:
            return
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            # The server's account passes through to its data; what is private has its own mode.
            self.directory.chmod(0o711)
            lock = (self.directory / "lock").open("a")
        except OSError as error:
            raise LocalError(
                f"The state folder {self.directory} cannot be used ({error.strerror}): make it yours, or choose "
                "another one (STATE=...)."
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.close()
            raise LocalError(
                f"Another Porchlight already uses {self.directory}: stop it, or choose another state folder "
                "(STATE=...)."
            ) from error
        self._lock = lock

    def _choose_account(self) -> None:
        """Settle who runs the server and where its data lies."""
        pointer = self.directory / "location"
        if pointer.exists():
            self.data = Path(pointer.read_text().strip())
        self.account = unprivileged_account()
        if self.account is None:
            return
        with contextlib.suppress(FileNotFoundError):
            owner = self.data.stat().st_uid
            if owner != 0:
                # Who made the data goes on running it.
                self.account = account_of(owner)
        if not pointer.exists() and not enters(self.directory, self.account):
            self.data = data_elsewhere(pointer)
            self._say(
                f"The account {self.account.name} cannot reach {self.directory}: the database lies in {self.data}."
            )
            pointer.write_text(f"{self.data}\n")

    def _data_major(self) -> int | None:
        """The release that made the data; None when there is no data yet."""
        if not self.data.exists():
            return None
        try:
            return int((self.data / "PG_VERSION").read_text())
        except (OSError, ValueError) as error:
            raise LocalError(
                f"{self.data} is not a PostgreSQL data directory: restore it, or start over with another state folder "
                "(STATE=...)."
            ) from error

    def _create_cluster(self, binaries: Binaries) -> None:
        """Make the data directory, whole or not at all."""
        fresh = self.data.with_name(f"{self.data.name}.new")
        password_file = self.data.with_name(f"{self.data.name}.password")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        password_file.unlink(missing_ok=True)
        password_file.touch(mode=0o600)
        password_file.write_text(self.passwords[SUPERUSER])
        if self.account is not None:
            os.chown(fresh, self.account.uid, self.account.gid)
            os.chown(password_file, self.account.uid, self.account.gid)
        locale = ["--locale=C.UTF-8"]
        if binaries.major >= 17:
            # PostgreSQL's own Unicode: the same everywhere, and indexes outlive a change of the C library.
            locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        argv = [
            str(binaries.program("initdb")),
            f"--pgdata={fresh}",
            f"--username={SUPERUSER}",
            "--auth=scram-sha-256",
            f"--pwfile={password_file}",
            "--encoding=UTF8",
            *locale,
            *([] if self.durable else ["--no-sync"]),
        ]
        try:
            made = subprocess.run(
                argv,
                env=self.env(),
                cwd="/",
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
                **popen_account(self.account),
            )
            if made.returncode != 0:
                last = (made.stderr or made.stdout).strip().splitlines()[-3:]
                raise LocalError(f"PostgreSQL could not make its data directory {fresh}: {' '.join(last)}")
            (fresh / "pg_hba.conf").write_text(HBA)
            fresh.rename(self.data)
        finally:
            password_file.unlink(missing_ok=True)
            shutil.rmtree(fresh, ignore_errors=True)

    def _servers(self) -> list[psutil.Process]:
        """Every living process of a server on our data: they all work in the data directory."""
        found = []
        data = str(self.data.resolve())
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.name().startswith("postgres") and process.cwd() == data:
                    found.append(process)
        return found

    def _wait_until_it_answers(self, process: subprocess.Popen[bytes], patience: float = 120) -> None:
        deadline = time.monotonic() + patience
        while not self.answers():
            code = process.poll()
            if code is not None or time.monotonic() > deadline:
                state = "did not answer" if code is None else f"ended with {code}"
                raise LocalError(f"PostgreSQL {state}; its log {self.log_path} ends with: {self.last_words()}")
            time.sleep(0.05)

    def last_words(self, lines: int = 3) -> str:
        """The end of the log, on one line."""
        with contextlib.suppress(OSError):
            return " | ".join(self.log_path.read_text(errors="replace").splitlines()[-lines:])
        return "(nothing)"
