"""Load generation: wrk if it is installed, otherwise a generator over raw sockets."""

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
    """A repeated sequence of requests: (Host, path) pairs with common headers and an optional body.

    With `keyed`, every request has its own Idempotency-Key and client address.
    """

    targets: list[tuple[str, str]]
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""
    keyed: bool = False

    def requests(self) -> Iterator[bytes]:
        """Yield the raw requests, without end."""
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
        """Return the same requests as a Lua script for wrk."""
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
    """The result of a load. Latencies in milliseconds; `failed` counts statuses from 400 and broken responses."""

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
    wrk_path = shutil.which("wrk")
    if wrk_path is None:
        sys.stdout.write(
            "\nwrk is not installed (`apt-get install wrk`): a slower generator in Python makes the load, "
            "so ratios of fast answers come out nearer to 1."
        )
    return wrk_path


def saturate(port: int, plan: Plan, *, connections: int = 16, seconds: float = 2.0) -> Result:
    """Send as many requests as the server handles: each connection sends the next one after each response."""
    wrk = _wrk()
    if wrk is None:
        return asyncio.run(_generate(port, plan, connections, seconds, None))
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(plan.script())
        script.flush()
        argv = [wrk, "-t1", f"-c{connections}", f"-d{round(seconds)}s", "-s", script.name, f"http://127.0.0.1:{port}"]
        output = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    match = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+) (\d+)", output)
    if match is None:
        raise RuntimeError(f"wrk said nothing of its result:\n{output}")
    requests, micros, median, p99, failed = map(int, match.groups())
    return Result(requests, micros / 1e6, median / 1e3, p99 / 1e3, failed)


def pace(port: int, plan: Plan, rate: float, *, connections: int = 32, seconds: float = 4.0) -> Result:
    """Send `rate` evenly spaced requests per second. Latency counts from the scheduled time."""
    return asyncio.run(_generate(port, plan, connections, seconds, rate))


class _Connection(asyncio.Protocol):
    """A connection that sends a request and waits for the complete response."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._response: asyncio.Future[bool] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        length = _LENGTH.search(self._buffer, 0, end + 2)
        if len(self._buffer) - end - 4 >= (int(length[1]) if length else 0):
            is_success, self._buffer = self._buffer[9:10] in b"23", b""
            if self._response is not None and not self._response.done():
                self._response.set_result(is_success)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._response is not None and not self._response.done():
            self._response.set_result(False)

    async def send(self, request: bytes) -> bool:
        """Send a request. Return whether the status was below 400."""
        if self._transport is None or self._transport.is_closing():
            return False
        self._response = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._response

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def _generate(port: int, plan: Plan, connections: int, seconds: float, rate: float | None) -> Result:
    loop = asyncio.get_running_loop()
    requests = plan.requests()
    times: list[float] = []
    failed = 0
    began = loop.time()
    due = began

    async def send_requests() -> None:
        nonlocal failed, due
        _, connection = await loop.create_connection(_Connection, "127.0.0.1", port)
        while True:
            if rate is None:
                at = loop.time()
            else:
                at, due = due, due + 1 / rate
                await asyncio.sleep(max(0.0, at - loop.time()))
            if at - began > seconds:
                connection.close()
                return
            is_success = await connection.send(next(requests))
            failed += not is_success  # not across the await: other connections count meanwhile
            times.append(loop.time() - at)

    await asyncio.gather(*(send_requests() for _ in range(connections)))
    cuts = statistics.quantiles(times, n=100)
    return Result(len(times), loop.time() - began, cuts[49] * 1e3, cuts[98] * 1e3, failed)
