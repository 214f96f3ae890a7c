"""Load on a server: wrk where it is installed, else a generator of our own over raw sockets."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_RUN = itertools.count(time.time_ns() // 1_000_000)


@dataclass(frozen=True, slots=True)
class Plan:
    """Requests, one after the other round and round: (Host, path) pairs with common headers and perhaps a body.

    `keyed`: every request carries an Idempotency-Key and an address of its own.
    """

    targets: list[tuple[str, str]]
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""
    keyed: bool = False

    def requests(self) -> Iterator[bytes]:
        """The requests as they go over the wire, without end."""
        run = next(_RUN)
        for count, (host, path) in enumerate(itertools.cycle(self.targets)):
            headers = {"Host": host, **self.headers}
            if self.body:
                headers["Content-Length"] = str(len(self.body))
            if self.keyed:
                headers["Idempotency-Key"] = f"bench-{run}-{count}"
                headers["X-Forwarded-For"] = f"10.{count % 250}.{count // 250 % 250}.{run % 250}"
            head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            yield f"{'POST' if self.body else 'GET'} {path} HTTP/1.1\r\n{head}\r\n{self.body}".encode()

    def script(self) -> str:
        """The same for wrk, in Lua."""
        targets = ",".join(f"{{{json.dumps(host)},{json.dumps(path)}}}" for host, path in self.targets)
        headers = ",".join(f"[{json.dumps(name)}]={json.dumps(value)}" for name, value in self.headers.items())
        return _SCRIPT % {
            "targets": targets,
            "headers": headers,
            "method": '"POST"' if self.body else '"GET"',
            "body": json.dumps(self.body) if self.body else "nil",
            "keyed": "true" if self.keyed else "false",
            "run": next(_RUN),
        }


_SCRIPT = """
local targets = {%(targets)s}
local headers = {%(headers)s}
local ready, count, run = {}, -1, %(run)d
local function made(target)
  headers["Host"] = target[1]
  return wrk.format(%(method)s, target[2], headers, %(body)s)
end
request = function()
  count = count + 1
  local place = count %% #targets + 1
  if %(keyed)s then
    headers["Idempotency-Key"] = string.format("bench-%%d-%%d", run, count)
    headers["X-Forwarded-For"] =
      string.format("10.%%d.%%d.%%d", count %% 250, math.floor(count / 250) %% 250, run %% 250)
    return made(targets[place])
  end
  if ready[place] == nil then ready[place] = made(targets[place]) end
  return ready[place]
end
done = function(summary, latency, _)
  local errors = summary.errors
  io.write(string.format("RESULT %%d %%d %%d %%d %%d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
"""


@dataclass(frozen=True, slots=True)
class Result:
    """What a load came to. Latencies in milliseconds; `failed` counts answers of 400 and above, and broken ones."""

    requests: int
    seconds: float
    median: float
    p99: float
    failed: int

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds


@cache
def _wrk() -> str | None:
    found = shutil.which("wrk")
    if found is None:
        sys.stdout.write(
            "\nwrk is not installed (`apt-get install wrk`): a slower generator in Python makes the load, "
            "so ratios of fast answers come out nearer to 1."
        )
    return found


def saturate(port: int, plan: Plan, *, connections: int = 16, seconds: float = 2.0) -> Result:
    """As many requests as the server takes: each connection asks again as soon as it is answered."""
    wrk = _wrk()
    if wrk is None:
        return asyncio.run(_generate(port, plan, connections, seconds, None))
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(plan.script())
        script.flush()
        argv = [wrk, "-t1", f"-c{connections}", f"-d{round(seconds)}s", "-s", script.name, f"http://127.0.0.1:{port}"]
        said = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    found = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+) (\d+)", said)
    if found is None:
        raise RuntimeError(f"wrk said nothing of its result:\n{said}")
    requests, micros, median, p99, failed = map(int, found.groups())
    return Result(requests, micros / 1e6, median / 1e3, p99 / 1e3, failed)


def pace(port: int, plan: Plan, rate: float, *, connections: int = 32, seconds: float = 4.0) -> Result:
    """`rate` requests a second, evenly; latency counts from when a request was due, so that no wait is left out."""
    return asyncio.run(_generate(port, plan, connections, seconds, rate))


class _Asker(asyncio.Protocol):
    """One connection: sends a request, and tells when its answer is whole."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._got = b""
        self._answered: asyncio.Future[bool] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self._got += data
        end = self._got.find(b"\r\n\r\n")
        if end < 0:
            return
        length = _LENGTH.search(self._got, 0, end + 2)
        if len(self._got) - end - 4 >= (int(length[1]) if length else 0):
            fine, self._got = self._got[9:10] in b"23", b""
            if self._answered is not None and not self._answered.done():
                self._answered.set_result(fine)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answered is not None and not self._answered.done():
            self._answered.set_result(False)

    async def ask(self, request: bytes) -> bool:
        """Whether the answer was below 400."""
        if self._transport is None or self._transport.is_closing():
            return False
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answered

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def _generate(port: int, plan: Plan, connections: int, seconds: float, rate: float | None) -> Result:
    loop = asyncio.get_running_loop()
    requests = plan.requests()
    took: list[float] = []
    failed = 0
    began = loop.time()
    due = began

    async def one() -> None:
        nonlocal failed, due
        _, asker = await loop.create_connection(_Asker, "127.0.0.1", port)
        while True:
            if rate is None:
                at = loop.time()
            else:
                at, due = due, due + 1 / rate
                await asyncio.sleep(max(0.0, at - loop.time()))
            if at - began > seconds:
                asker.close()
                return
            failed += not await asker.ask(next(requests))
            took.append(loop.time() - at)

    await asyncio.gather(*(one() for _ in range(connections)))
    cuts = statistics.quantiles(took, n=100)
    return Result(len(took), loop.time() - began, cuts[49] * 1e3, cuts[98] * 1e3, failed)
