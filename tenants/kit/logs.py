"""Structured logs: JSON lines without personal data. A path is logged as its route, without the query."""

from __future__ import annotations

import asyncio
import atexit
import logging
import sys
from datetime import UTC, datetime
from typing import Any

import orjson
import structlog


def _to_json(event: Any, **_options: Any) -> str:
    return orjson.dumps(event, default=str).decode()


def configure(*, level: int = logging.INFO) -> None:
    """Write all log events, those of libraries included, as JSON lines to standard output."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_to_json)],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(sys.stdout),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(_to_json),
            ],
        )
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for noisy in ("httpx", "uvicorn.access", "procrastinate.worker"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


log = structlog.get_logger("porchlight")


class AccessLog:
    """One log line per request, written in batches: a write per request would cost more than the request itself."""

    FLUSH_INTERVAL_SECONDS = 0.2

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        atexit.register(self.flush)

    def add(self, **line: Any) -> None:
        """Add a line. It is written within FLUSH_INTERVAL_SECONDS."""
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        self._lines.append(orjson.dumps({**line, "event": "request", "level": "info", "timestamp": now}))
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop = loop
            loop.call_later(self.FLUSH_INTERVAL_SECONDS, self.flush)

    def flush(self) -> None:
        """Write the pending lines."""
        lines, self._lines, self._loop = self._lines, [], None
        if lines:
            sys.stdout.write(b"\n".join(lines).decode() + "\n")
            sys.stdout.flush()


access_log = AccessLog()
