"""Measured servers, each in its own process: the product, the baselines, and Caddy in front of either."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.fixtures.ports import free_ports

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Running:
    """A server that listens on `port`."""

    port: int
    process: psutil.Process

    @property
    def cpu(self) -> float:
        """The CPU seconds used, including child processes."""
        return sum(sum(part.cpu_times()[:2]) for part in (self.process, *self.process.children(recursive=True)))

    @property
    def memory(self) -> tuple[float, float]:
        """The resident and proportional set size, in MB."""
        memory = self.process.memory_full_info()
        return memory.rss / 1e6, memory.pss / 1e6


@contextlib.contextmanager
def _running(argv: list[str], port: int, env: Mapping[str, str], *, quiet: bool = False) -> Iterator[Running]:
    said = subprocess.DEVNULL if quiet else None
    process = subprocess.Popen(argv, cwd=ROOT, env=os.environ | dict(env), stdout=subprocess.DEVNULL, stderr=said)
    try:
        deadline = time.monotonic() + START_SECONDS
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{' '.join(argv[:4])} does not answer on port {port}")
            time.sleep(0.05)
        yield Running(port, psutil.Process(process.pid))
    finally:
        process.terminate()
        process.wait(30)


def product(database: Mapping[str, str], **settings: str) -> contextlib.AbstractContextManager[Running]:
    """Run one worker of the product. `settings` are additional environment variables."""
    port = free_ports()
    argv = [str(Path(sys.executable).parent / "porchlight"), "serve", "--port", str(port)]
    return _running(argv, port, {**database, **settings})


def bare(length: int) -> contextlib.AbstractContextManager[Running]:
    """Run the baseline of pages: `length` static bytes."""
    return _baseline("bare", BASELINE_BYTES=str(length))


def plain_api(dsn: str) -> contextlib.AbstractContextManager[Running]:
    """Run the baseline of API calls: FastAPI with one query or one INSERT."""
    return _baseline("api", BASELINE_DATABASE_URL=dsn)


def _baseline(kind: str, **settings: str) -> contextlib.AbstractContextManager[Running]:
    port = free_ports()
    return _running([sys.executable, "-m", "tests.bench.baselines", kind, "--port", str(port)], port, settings)


@contextlib.contextmanager
def caddy(upstream: Running, folder: Path) -> Iterator[Running]:
    """Run Caddy with a minimal configuration in front of a server."""
    port = free_ports()
    home = folder / f"caddy-{port}"
    home.mkdir()
    config = home / "Caddyfile"
    config.write_text(
        "{\n admin off\n auto_https off\n persist_config off\n}\n"
        f"http://:{port} {{\n bind 127.0.0.1\n reverse_proxy 127.0.0.1:{upstream.port} {{\n"
        "  transport http {\n   keepalive_idle_conns_per_host 256\n   compression off\n  }\n }\n}\n"
    )
    argv = [str(Path(sys.executable).parent / "caddy"), "run", "--adapter", "caddyfile", "--config", str(config)]
    env = {"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    with _running(argv, port, env, quiet=True) as running:
        yield running
