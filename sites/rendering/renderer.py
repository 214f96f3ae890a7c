"""Server-side rendering: runs guru-web's server bundle in this process, in V8 (mini-racer)."""

import asyncio
import atexit
import ctypes
import mmap
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self
from weakref import WeakSet

import orjson
import py_mini_racer
from py_mini_racer import (
    DEFAULT_V8_FLAGS,
    JSEvalException,
    MiniRacer,
    init_mini_racer,
    mini_racer,
)

from tenants.kit import timeouts

_MADV_DONTNEED: Final = 4
_MAP_FIXED: Final = 0x10
_MAX_HEAP_BYTES: Final = 256 * 1024 * 1024
_CLEANUP_PAGES: Final = 64  # rendered pages before a cleanup, which waits for an idle moment
_IDLE_SECONDS: Final = 0.5
_MAX_CLEANUP_PAGES: Final = 2048  # then it no longer waits; rare enough not to affect the 99th percentile
# V8 collects young objects every megabyte instead of every 16: 30 MB less per worker, 10% more time.
# On CPUs with memory protection keys, V8's memory would belong to the thread that starts it and that thread's
# descendants, and a second engine in another thread of the pool would end the process.
_FLAGS: Final = (*DEFAULT_V8_FLAGS, "--max-semi-space-size=1", "--no-memory-protection-keys")


class RenderError(Exception):
    """A page could not be rendered: the components threw an error, took too long, or needed too much memory."""


class RenderedPage(NamedTuple):
    """The parts of a rendered page."""

    head: str
    """The elements of `<head>`."""
    html: str
    """The content of `#__next`."""


class Renderer:
    """One JavaScript context per process, created on first use. It renders one page at a time.

    The engine runs in its own thread and notifies the requesting event loop directly: each further thread would have to
    wait for the GIL, up to 5 ms each time under load. A new event loop gets a new context.

    After an error the context is discarded, so that one page cannot affect another. A new one takes some 30 ms.
    """

    def __init__(
        self,
        bundle_path: Path,
        *,
        max_heap_bytes: int = _MAX_HEAP_BYTES,
        timeout_seconds: float | None = timeouts.current.render_page_seconds,
    ) -> None:
        """Read the bundle. `timeout_seconds` limits one page.

        Raise FileNotFoundError when the bundle has not been built.
        """
        self._source = bundle_path.read_text(encoding="utf-8")
        self._max_heap_bytes = max_heap_bytes
        self._timeout_seconds = timeout_seconds
        self._pages_since_cleanup = 0
        self._cleanup_timer: asyncio.TimerHandle | None = None
        self._cleanup_task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = asyncio.Lock()
        self._context: MiniRacer | None = None
        self._context_manager: AbstractContextManager[MiniRacer] | None = None

    async def render(self, page: str, props_json: str) -> RenderedPage:
        """Render a page's head and body. `page` is Next's name ("/blog/[slug]"), `props_json` its props as JSON.

        Raise RenderError.
        """
        # A JSON string is also a JavaScript string.
        call = f"render({_literal(page)},{_literal(props_json)})"
        if self._loop is not (loop := asyncio.get_running_loop()):
            self._discard()
            self._loop, self._lock = loop, asyncio.Lock()
        async with self._lock:
            context = await self._get_context(loop)
            try:
                output = await asyncio.wait_for(context.eval_cancelable(call), self._timeout_seconds)
            except (JSEvalException, TimeoutError) as error:
                await self._wait_until_stopped(context)
                self._discard()
                raise RenderError(f"page {page} could not be rendered: {error}") from error
            except asyncio.CancelledError:
                self._discard()
                raise
            self._schedule_cleanup(loop, context)
        if not isinstance(output, str):
            raise RenderError(f"page {page} returned no text")
        head, _, html = output.partition("\0")
        return RenderedPage(head, html)

    def close(self) -> None:
        """Free the engine. A later call of `render` starts it again."""
        self._discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _get_context(self, loop: asyncio.AbstractEventLoop) -> MiniRacer:
        if self._context is not None:
            return self._context
        # In a thread: loading the library, the engine and the bundle takes some 100 ms.
        manager, context = await asyncio.to_thread(self._start, loop)
        self._context_manager, self._context = manager, context
        _running.add(self)
        return context

    def _start(self, loop: asyncio.AbstractEventLoop) -> tuple[AbstractContextManager[MiniRacer], MiniRacer]:
        init_mini_racer(flags=_FLAGS, ignore_duplicate_init=True)
        manager = mini_racer(loop)
        context = manager.__enter__()
        context.set_hard_memory_limit(self._max_heap_bytes)
        context.eval(self._source)
        _release_loading_memory()
        return manager, context

    def _schedule_cleanup(self, loop: asyncio.AbstractEventLoop, context: MiniRacer) -> None:
        """Schedule a cleanup for an idle moment, because it blocks rendering for some 30 ms; at the latest soon."""
        self._pages_since_cleanup += 1
        if self._cleanup_timer is not None:
            self._cleanup_timer.cancel()
        if self._pages_since_cleanup >= _CLEANUP_PAGES:
            delay = 0 if self._pages_since_cleanup >= _MAX_CLEANUP_PAGES else _IDLE_SECONDS
            self._cleanup_timer = loop.call_later(delay, self._start_cleanup, loop, context)

    def _start_cleanup(self, loop: asyncio.AbstractEventLoop, context: MiniRacer) -> None:
        self._pages_since_cleanup = 0
        self._cleanup_task = loop.create_task(self._clean_up(context))

    async def _clean_up(self, context: MiniRacer) -> None:
        """Collect the garbage in V8's old space, which V8 by itself lets grow to 100 MB, and trim the C heap."""
        async with self._lock:
            if context is self._context:
                await asyncio.to_thread(context.low_memory_notification)
        await asyncio.to_thread(_trim_heap)

    async def _wait_until_stopped(self, context: MiniRacer) -> None:
        """Wait until a canceled page has left the engine."""
        with suppress(JSEvalException, TimeoutError):
            await asyncio.wait_for(context.eval_cancelable("0"), self._timeout_seconds)

    def _discard(self) -> None:
        if self._cleanup_timer is not None:
            self._cleanup_timer.cancel()
            self._cleanup_timer = None
        manager, self._context_manager, self._context = self._context_manager, None, None
        if manager is not None:
            manager.__exit__(None, None, None)


_running: Final[WeakSet[Renderer]] = WeakSet()


@atexit.register
def _stop_engines() -> None:
    """Close all engines at exit: a running engine would block the interpreter's shutdown forever."""
    for renderer in list(_running):
        renderer.close()


def _trim_heap() -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _release_loading_memory() -> None:
    """Release some 30 MB that only loading the engine needed. Linux only.

    The library's code and tables are clean pages of a file, which the kernel can read again. The engine also copies its
    file of Unicode data to the heap and hardly reads it: the file is mapped over the copy, shared by all workers.
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None, use_errno=True)
        library = Path(py_mini_racer.__file__).resolve().with_name("libmini_racer.so")
        data = library.with_name("icudtl.dat")
        copy_size = -(-data.stat().st_size // mmap.PAGESIZE) * mmap.PAGESIZE
        start, size, mapping = 0, 0, ""
        for line in Path("/proc/self/smaps").read_text().splitlines():
            name, _, rest = line.partition(" ")
            if "-" in name and not name.endswith(":"):
                start, end = (int(bound, 16) for bound in name.split("-"))
                size, mapping = end - start, " ".join(rest.split()[::4])
            elif name == "Anonymous:" and rest.split()[0] == "0" and mapping in (f"r--p {library}", f"r-xp {library}"):
                libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(size), _MADV_DONTNEED)
            elif name == "Anonymous:" and size == copy_size and mapping == "rw-p":
                _map_file_over_copy(libc, data, start)


def _map_file_over_copy(libc: ctypes.CDLL, file: Path, start: int) -> None:
    """Map a file over its copy in memory at an address. Do nothing if the memory has different content."""
    content = file.read_bytes()
    if ctypes.string_at(start, len(content)) != content:
        return
    del content
    libc.mmap.restype = ctypes.c_void_p
    with file.open("rb") as opened:
        writable = mmap.PROT_READ | mmap.PROT_WRITE
        libc.mmap(
            ctypes.c_void_p(start),
            ctypes.c_size_t(file.stat().st_size),
            writable,
            mmap.MAP_PRIVATE | _MAP_FIXED,
            opened.fileno(),
            ctypes.c_long(0),
        )


def _literal(text: str) -> str:
    return orjson.dumps(text).decode()
