"""Child processes that end with their parent, the account they run as, and the ports they use."""

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

from porchlight_dev.errors import DevError

# Every service has this variable in its environment, so that the next run finds services whose supervisor was killed.
MARKER_VARIABLE = "PORCHLIGHT_PART_OF"

PR_SET_PDEATHSIG = 1
# Loaded before any fork, because a child must not load libraries between fork and exec.
LIBC: Any = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None


@dataclass(frozen=True, slots=True)
class Account:
    """A user account of this machine."""

    name: str
    uid: int
    gid: int


def account_with_uid(uid: int) -> Account:
    """Return the account with this user id. Without a name on this machine, the id is the name."""
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return Account(str(uid), uid, uid)
    return Account(entry.pw_name, uid, entry.pw_gid)


UNPRIVILEGED_ACCOUNTS = ("postgres", "nobody")


def unprivileged_account() -> Account | None:
    """Return the account for programs that refuse root: None unless this process is root, else `postgres` or `nobody`.

    Raises DevError when root has neither account.
    """
    if os.geteuid() != 0:
        return None
    for name in UNPRIVILEGED_ACCOUNTS:
        try:
            return account_with_uid(pwd.getpwnam(name).pw_uid)
        except KeyError:
            continue
    raise DevError(
        "PostgreSQL refuses to run as root, and this machine has no account named `postgres` or `nobody`: "
        "run Porchlight as another user."
    )


def popen_account(account: Account | None) -> dict[str, Any]:
    """Return the `subprocess` arguments that run a child as `account` (None: as this user)."""
    if account is None or account.uid == os.geteuid():
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def end_with_parent(death_signal: signal.Signals) -> Callable[[], None]:
    """Return a `preexec_fn` that has the kernel send `death_signal` to the child when the calling thread ends.

    Only Linux can do this; elsewhere the next run finds orphans by MARKER_VARIABLE. Call `spawn` from a thread that
    lives as long as the child should.

    The child does not inherit that SIGINT is ignored, as in the background jobs of a shell: it would miss the signal
    until it has its own handler.
    """
    parent = os.getpid()

    def in_child() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
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
    """Start a child that ends with its parent, in its own process group, with its output in `log`."""
    return subprocess.Popen(
        [str(word) for word in argv],
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=end_with_parent(death_signal),
        **popen_account(account),
    )


def is_port_free(port: int, host: str = "127.0.0.1") -> bool:
    """Return whether a server could listen on `port` now."""
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


def listening_process(port: int) -> str | None:
    """Return name and pid of the process that listens on `port`, if this user may see it."""
    with contextlib.suppress(psutil.Error, OSError):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr[1:] == (port,) and connection.pid:
                return f"{psutil.Process(connection.pid).name()}, process {connection.pid}"
    return None


def require_free_port(port: int, purpose: str) -> None:
    """Raise DevError when a server could not listen on `port`."""
    if is_port_free(port):
        return
    if port < 1024 and os.geteuid() != 0:
        raise DevError(f"Only root may use port {port} ({purpose}): choose a port from 1024 on.")
    process = listening_process(port)
    by = f" by {process}" if process else ""
    raise DevError(
        f"Port {port} ({purpose}) is in use{by}: stop that process, or choose other ports (make run PORT=...; the "
        "database uses PORT+3)."
    )


def service_processes(marker: str) -> list[psutil.Process]:
    """Return the processes that any run started as services of `marker` (a state folder)."""
    processes = []
    for process in psutil.process_iter():
        if process.pid == os.getpid():
            continue
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARKER_VARIABLE) == marker:
                processes.append(process)
    return processes


def end_processes(
    processes: Iterable[psutil.Process], *, first: signal.Signals = signal.SIGTERM, grace_seconds: float = 5.0
) -> None:
    """Send `first`, wait up to `grace_seconds`, then kill. Processes that have already ended are ignored.

    Raises DevError when a process survives.
    """
    alive = list(processes)
    for order, timeout in ((first, grace_seconds), (signal.SIGKILL, 5.0)):
        for process in alive:
            with contextlib.suppress(psutil.Error):
                process.send_signal(order)
        alive = psutil.wait_procs(alive, timeout=timeout)[1]
        if not alive:
            return
    raise DevError(f"Process {alive[0].pid} of an earlier run does not end: stop it yourself (kill -9 {alive[0].pid}).")


def group_members(group: int) -> list[psutil.Process]:
    """Return the processes of a process group, without zombies."""
    members = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                members.append(process)
    return members


def end_group(group: int, *, timeout_seconds: float = 5.0) -> None:
    """Kill the rest of a process group whose leader has ended, and wait until the group is empty."""
    deadline = time.monotonic() + timeout_seconds
    while group_members(group) and time.monotonic() < deadline:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        time.sleep(0.01)
