"""Runs guru-web's server bundle: React components to HTML, inside this process, in V8 (mini-racer)."""

import atexit
import ctypes
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Final, NamedTuple, Self
from weakref import WeakSet

import orjson
from py_mini_racer import (
    DEFAULT_V8_FLAGS,
    JSEvalException,
    JSOOMException,
    JSTimeoutException,
    MiniRacer,
    init_mini_racer,
)

_MADV_DONTNEED: Final = 4
_MEMORY_LIMIT: Final = 256 * 1024 * 1024
_TIMEOUT_S: Final = 2.0
# A page's garbage is collected every megabyte instead of every sixteen: 30 MB less a worker, for a tenth more time.
_FLAGS: Final = (*DEFAULT_V8_FLAGS, "--max-semi-space-size=1")


class RenderError(Exception):
    """A page could not be drawn: the components threw, took too long, or needed too much memory."""


class Rendered(NamedTuple):
    """What a page puts into the document."""

    head: str
    """The elements of `<head>`."""
    html: str
    """What stands inside `#__next`."""


class Renderer:
    """One JavaScript context per process, made on first use; safe to share between threads, which wait for each other.

    After any failure the context is thrown away: the next page gets a fresh one (some 30 ms), so that one page
    can never spoil another.
    """

    def __init__(
        self, bundle_path: Path, *, memory_limit: int = _MEMORY_LIMIT, timeout_s: float | None = _TIMEOUT_S
    ) -> None:
        """Read the bundle. `memory_limit` is in bytes; `timeout_s` bounds one page, in seconds.

        Raises FileNotFoundError when the bundle has not been built.
        """
        self._source = bundle_path.read_text(encoding="utf-8")
        self._memory_limit = memory_limit
        self._timeout_s = timeout_s
        self._lock = Lock()
        self._context: MiniRacer | None = None

    def render(self, page: str, props_json: str) -> Rendered:
        """The head and body of a page. `page` is Next's name ("/blog/[slug]"), `props_json` its props as JSON.

        Raises RenderError.
        """
        # A JSON string is also a JavaScript string.
        call = f"render({_literal(page)},{_literal(props_json)})"
        with self._lock:
            try:
                answer = self._ready().eval(call, timeout_sec=self._timeout_s)
            except (JSEvalException, JSTimeoutException, JSOOMException) as error:
                self._settle()
                self._drop()
                raise RenderError(f"page {page} could not be rendered: {error}") from error
        if not isinstance(answer, str):
            raise RenderError(f"page {page} gave no text")
        head, _, html = answer.partition("\0")
        return Rendered(head, html)

    def close(self) -> None:
        """Free the engine. A later render starts it again."""
        with self._lock:
            self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ready(self) -> MiniRacer:
        if self._context is None:
            # Made on a thread without an event loop, the engine gets a loop of its own. Made inside a running loop it
            # would adopt that one, and could then neither be timed nor outlive it.
            with ThreadPoolExecutor(1, "porchlight-renderer") as thread:
                self._context = thread.submit(self._start).result()
            _running.add(self)
        return self._context

    def _start(self) -> MiniRacer:
        init_mini_racer(flags=_FLAGS, ignore_duplicate_init=True)
        context = MiniRacer()
        context.set_hard_memory_limit(self._memory_limit)
        context.eval(self._source)
        _forget_tables()
        return context

    def _settle(self) -> None:
        """Wait until a stopped page has really left the engine: its last words need the loop that `close` ends."""
        if self._context is not None:
            with suppress(JSEvalException, JSTimeoutException, JSOOMException):
                self._context.eval("0", timeout_sec=self._timeout_s)

    def _drop(self) -> None:
        context, self._context = self._context, None
        if context is not None:
            context.close()


_running: Final[WeakSet[Renderer]] = WeakSet()


@atexit.register
def _stop_engines() -> None:
    """An engine still running while the interpreter takes itself apart would hang the process for ever."""
    for renderer in list(_running):
        renderer.close()


def _forget_tables() -> None:
    """Give back what only loading the engine read: 20 MB of its file, tables of symbols and relocations above all.

    They are clean pages of a file, mapped for reading: what is wanted again is read again. Linux alone tells of them.
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        where: tuple[int, int] | None = None
        for line in Path("/proc/self/smaps").read_text().splitlines():
            name, _, rest = line.partition(" ")
            if "-" in name and not name.endswith(":"):
                start, _, end = name.partition("-")
                tables = rest.startswith("r--p") and rest.endswith("libmini_racer.so")
                where = (int(start, 16), int(end, 16)) if tables else None
            elif name == "Anonymous:" and where is not None and rest.split()[0] == "0":
                libc.madvise(ctypes.c_void_p(where[0]), ctypes.c_size_t(where[1] - where[0]), _MADV_DONTNEED)


def _literal(text: str) -> str:
    return orjson.dumps(text).decode()
