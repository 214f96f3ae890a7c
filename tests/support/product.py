"""The whole product as a process, the way a person starts it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psutil

PROGRAM = Path(sys.executable).parent / "porchlight"
START_SECONDS = 240
STOP_SECONDS = 120


def eventually(what: str, check: Callable[[], bool], seconds: float = START_SECONDS) -> None:
    """Poll `check` until it holds; fail with `what` when it does not within `seconds`.

    These are a bound for what never comes, not a guess at how long it takes: that depends on what else is running.
    """
    deadline = time.monotonic() + seconds
    while not check():
        if time.monotonic() > deadline:
            raise AssertionError(f"within {seconds:g} s: {what}")
        time.sleep(0.05)


def lives(process: psutil.Process) -> bool:
    """Whether it runs. A zombie has ended; whether anyone waits for it is the business of the first process."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def words_of(process: psutil.Process) -> list[str]:
    """Its command line; nothing once it has ended."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


class Product:
    """`porchlight demo` in a process group of its own, with its state in `state`."""

    def __init__(
        self,
        state: Path,
        port: int,
        *,
        tls_port: int | None = None,
        seed: bool = True,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.state = state
        self.port = port
        self.tls_port = tls_port
        self._argv = [str(PROGRAM), "demo", "--port", str(port), "--state", str(state)]
        self._argv += ["--tls-port", str(tls_port)] if tls_port else []
        self._argv += [] if seed else ["--no-seed"]
        self._env = os.environ | dict(env or {})
        self._process: subprocess.Popen[bytes] | None = None
        self.output_path = state.with_name(f"{state.name}.out")

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The supervising process."""
        if self._process is None:
            raise RuntimeError("not started")
        return self._process

    @property
    def facts_path(self) -> Path:
        """Where the product says how to reach it."""
        return self.state / "demo.json"

    @property
    def output(self) -> str:
        """What it printed."""
        return self.output_path.read_text(errors="replace")

    def launch(self) -> None:
        """Start without waiting."""
        with self.output_path.open("wb") as output:
            self._process = subprocess.Popen(
                self._argv,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def wait_until_ready(self) -> dict[str, Any]:
        """Wait for `demo.json`."""

        def ready() -> bool:
            if self.process.poll() is not None:
                raise AssertionError(f"the product ended with {self.process.returncode}:\n{self.output}")
            # After a kill, the file of the killed start lies there until this start has come to remove it.
            with contextlib.suppress(FileNotFoundError):
                return bool(json.loads(self.facts_path.read_text())["pid"] == self.process.pid)
            return False

        try:
            eventually("the product answers", ready, START_SECONDS)
        except AssertionError:
            self.stop()
            raise
        facts: dict[str, Any] = json.loads(self.facts_path.read_text())
        return facts

    def start(self) -> dict[str, Any]:
        """Start and wait until everything answers; returns `demo.json`."""
        self.launch()
        return self.wait_until_ready()

    def ensure_running(self) -> dict[str, Any]:
        """`demo.json`, of a new start when it does not run."""
        if self._process is None or self._process.poll() is not None:
            return self.start()
        return self.wait_until_ready()

    def everything(self) -> list[psutil.Process]:
        """The supervising process and all it started, directly or not."""
        with contextlib.suppress(psutil.NoSuchProcess):
            supervisor = psutil.Process(self.process.pid)
            return [supervisor, *supervisor.children(recursive=True)]
        return []

    def stop(self, order: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop, and return its exit code."""
        if self._process is None:
            return 0
        if self._process.poll() is None:
            self._process.send_signal(order)
        return self._process.wait(STOP_SECONDS)

    def kill_everything(self) -> None:
        """kill -9 for every process of it at once."""
        for process in self.everything():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait(STOP_SECONDS)


def part_of(facts: Mapping[str, Any], name: str) -> psutil.Process:
    """The process of one part (`postgres`, `api`, `worker`, `caddy`) of the product whose `demo.json` is `facts`."""
    words = {"api": "serve"}
    for child in psutil.Process(facts["pid"]).children():
        if words.get(name, name) in [Path(word).name for word in words_of(child)[:3]]:
            return child
    raise LookupError(f"no part {name} is running")


def run_program(*words: str, env: Mapping[str, str] | None = None, seconds: float = START_SECONDS) -> tuple[int, str]:
    """Run `porchlight <words>` to its end: exit code and everything it printed."""
    done = subprocess.run(
        [PROGRAM, *words],
        env=os.environ | dict(env or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
    return done.returncode, done.stdout
