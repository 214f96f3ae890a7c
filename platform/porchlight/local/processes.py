"""Child processes that end with us, and the account they run as."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import pwd
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import psutil

from porchlight.local.errors import LocalError

# Every part carries this variable, so that a part whose supervisor was killed is recognised at the next start.
PART_OF = "PORCHLIGHT_PART_OF"

PR_SET_PDEATHSIG = 1
# Loaded before any fork: the child must not load libraries between fork and exec.
LIBC: Any = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None


@dataclass(frozen=True, slots=True)
class Account:
    """A user of this machine."""

    name: str
    uid: int
    gid: int


def account_of(uid: int) -> Account:
    """The account with this user id, named after the number when the machine has no name for it."""
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return Account(str(uid), uid, uid)
    return Account(entry.pw_name, uid, entry.pw_gid)


def unprivileged_account() -> Account | None:
    """Who runs what must not be root: None when we are not root ourselves, else `postgres` or `nobody`."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return account_of(pwd.getpwnam(name).pw_uid)
        except KeyError:
            continue
    raise LocalError(
        "PostgreSQL refuses to run as root and this machine has neither an account `postgres` nor `nobody`: "
        "run Porchlight as another user."
    )


def popen_account(account: Account | None) -> dict[str, Any]:
    """The arguments of `subprocess` that make the child run as `account` (None: as we do)."""
    if account is None or account.uid == os.geteuid():
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def ends_with_parent(death_signal: signal.Signals) -> Callable[[], None]:
    """A `preexec_fn` after which the kernel sends `death_signal` to the child once the calling thread has ended.

    Linux only; elsewhere a child that outlives us is found by its PART_OF variable at the next start. Spawn from a
    thread that lives as long as the child should.
    """
    parent = os.getpid()

    def in_child() -> None:
        if LIBC is not None:
            LIBC.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
            if os.getppid() != parent:  # the parent died between fork and prctl
                os._exit(1)

    return in_child


def spawn(
    argv: Sequence[str | Path],
    *,
    env: Mapping[str, str],
    log: IO[bytes],
    death_signal: signal.Signals = signal.SIGTERM,
    account: Account | None = None,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child in a process group of its own, with its output in `log`, that ends when we end."""
    return subprocess.Popen(
        [str(word) for word in argv],
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=ends_with_parent(death_signal),
        **popen_account(account),
    )


def port_is_free(port: int, host: str = "127.0.0.1") -> bool:
    """Whether a server could listen on `port` now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                return False
            raise
    return True


def who_listens(port: int) -> str | None:
    """`name (pid)` of the process listening on `port`, when this user may know it."""
    with contextlib.suppress(psutil.Error, OSError):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr[1:] == (port,) and connection.pid:
                return f"{psutil.Process(connection.pid).name()}, process {connection.pid}"
    return None


def refuse_taken_port(port: int, purpose: str) -> None:
    """Raise LocalError when we could not listen on `port`."""
    if port_is_free(port):
        return
    if port < 1024 and os.geteuid() != 0:
        raise LocalError(f"Port {port} ({purpose}) is kept for the system's administrator: choose one from 1024 on.")
    holder = who_listens(port)
    by = f" by {holder}" if holder else ""
    raise LocalError(
        f"Port {port} ({purpose}) is taken{by}: stop that, or choose other ports (make run PORT=...; the database "
        "takes PORT+3)."
    )


def parts_of(marker: str) -> list[psutil.Process]:
    """Processes that were started as parts of `marker` (a state folder), by whomever."""
    found = []
    for process in psutil.process_iter():
        if process.pid == os.getpid():
            continue
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(PART_OF) == marker:
                found.append(process)
    return found


def end_processes(
    processes: Iterable[psutil.Process], *, first: signal.Signals = signal.SIGTERM, grace: float = 5.0
) -> None:
    """Ask with `first`, wait up to `grace` seconds, then kill. Processes that are gone already are fine."""
    alive = list(processes)
    for order, patience in ((first, grace), (signal.SIGKILL, 5.0)):
        for process in alive:
            with contextlib.suppress(psutil.Error):
                process.send_signal(order)
        alive = psutil.wait_procs(alive, timeout=patience)[1]
        if not alive:
            return
    raise LocalError(f"Process {alive[0].pid} of an earlier start does not end: stop it by hand (kill -9).")


def group_members(group: int) -> list[psutil.Process]:
    """The living processes of a process group (zombies, which only wait for their parent, are not counted)."""
    members = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                members.append(process)
    return members


def end_group(group: int, *, patience: float = 5.0) -> None:
    """Kill what is left of a process group whose leader has ended, and wait until it is gone."""
    deadline = time.monotonic() + patience
    while group_members(group) and time.monotonic() < deadline:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        time.sleep(0.01)
