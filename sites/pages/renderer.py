"""Runs guru-web's server bundle: React components to HTML, inside this process, in V8 (mini-racer)."""

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

_MADV_DONTNEED: Final = 4
_MAP_FIXED: Final = 0x10
_MEMORY_LIMIT: Final = 256 * 1024 * 1024
_TIMEOUT_S: Final = 2.0
_TIDY_AFTER: Final = 64  # pages, and then a moment without one
_REST_S: Final = 0.5
_TIDY_AT_THE_LATEST: Final = 2048  # pages: too rare for the slowest hundredth
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
    """One JavaScript context per process, made on first use. Pages are drawn one after the other.

    The engine draws on a thread of its own and tells the event loop that asked, straight away: every thread between
    them would have to wait for Python's lock, up to 5 ms each time while requests are answered. A loop other than the
    last one gets a context of its own.

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
        self._untidy = 0  # pages since it was last tidied up
        self._rest: asyncio.TimerHandle | None = None
        self._tidying: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._turn = asyncio.Lock()
        self._context: MiniRacer | None = None
        self._held: AbstractContextManager[MiniRacer] | None = None

    async def render(self, page: str, props_json: str) -> Rendered:
        """The head and body of a page. `page` is Next's name ("/blog/[slug]"), `props_json` its props as JSON.

        Raises RenderError.
        """
        # A JSON string is also a JavaScript string.
        call = f"render({_literal(page)},{_literal(props_json)})"
        if self._loop is not (loop := asyncio.get_running_loop()):
            self._drop()
            self._loop, self._turn = loop, asyncio.Lock()
        async with self._turn:
            context = await self._ready(loop)
            try:
                answer = await asyncio.wait_for(context.eval_cancelable(call), self._timeout_s)
            except (JSEvalException, TimeoutError) as error:
                await self._settle(context)
                self._drop()
                raise RenderError(f"page {page} could not be rendered: {error}") from error
            except asyncio.CancelledError:
                self._drop()
                raise
            self._tidy_soon(loop, context)
        if not isinstance(answer, str):
            raise RenderError(f"page {page} gave no text")
        head, _, html = answer.partition("\0")
        return Rendered(head, html)

    def close(self) -> None:
        """Free the engine. A later render starts it again."""
        self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _ready(self, loop: asyncio.AbstractEventLoop) -> MiniRacer:
        if self._context is not None:
            return self._context
        # On another thread: the library, the engine and the bundle take some 100 ms to load.
        held, context = await asyncio.to_thread(self._start, loop)
        self._held, self._context = held, context
        _running.add(self)
        return context

    def _start(self, loop: asyncio.AbstractEventLoop) -> tuple[AbstractContextManager[MiniRacer], MiniRacer]:
        init_mini_racer(flags=_FLAGS, ignore_duplicate_init=True)
        held = mini_racer(loop)
        context = held.__enter__()
        context.set_hard_memory_limit(self._memory_limit)
        context.eval(self._source)
        _forget_loading()
        return held, context

    def _tidy_soon(self, loop: asyncio.AbstractEventLoop, context: MiniRacer) -> None:
        """Tidy up as soon as nobody waits for a page, as it holds up pages for some 30 ms; at the latest in a while."""
        self._untidy += 1
        if self._rest is not None:
            self._rest.cancel()
        if self._untidy >= _TIDY_AFTER:
            rest = 0 if self._untidy >= _TIDY_AT_THE_LATEST else _REST_S
            self._rest = loop.call_later(rest, self._begin_to_tidy, loop, context)

    def _begin_to_tidy(self, loop: asyncio.AbstractEventLoop, context: MiniRacer) -> None:
        self._untidy = 0
        self._tidying = loop.create_task(self._tidy(context))

    async def _tidy(self, context: MiniRacer) -> None:
        """Collect what pages left in the engine's old space: by itself it waits for a hundred MB.

        Then the C library gives back what it holds free.
        """
        async with self._turn:
            if context is self._context:
                await asyncio.to_thread(context.low_memory_notification)
        await asyncio.to_thread(_give_back)

    async def _settle(self, context: MiniRacer) -> None:
        """Wait until a stopped page has really left the engine."""
        with suppress(JSEvalException, TimeoutError):
            await asyncio.wait_for(context.eval_cancelable("0"), self._timeout_s)

    def _drop(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        held, self._held, self._context = self._held, None, None
        if held is not None:
            held.__exit__(None, None, None)


_running: Final[WeakSet[Renderer]] = WeakSet()


@atexit.register
def _stop_engines() -> None:
    """An engine still running while the interpreter takes itself apart would hang the process for ever."""
    for renderer in list(_running):
        renderer.close()


def _give_back() -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _forget_loading() -> None:
    """Give back what only loading the engine needed, some 30 MB. Linux alone tells of it.

    The library's own pages, code and tables, are clean pages of a file: what is wanted again is read again. The engine
    also copies its file of Unicode data into memory of its own, of which it hardly reads anything: the very same bytes
    are mapped there from the file, where all workers share them.
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None, use_errno=True)
        library = Path(py_mini_racer.__file__).resolve().with_name("libmini_racer.so")
        data = library.with_name("icudtl.dat")
        copied = -(-data.stat().st_size // mmap.PAGESIZE) * mmap.PAGESIZE
        where, size, kind = 0, 0, ""
        for line in Path("/proc/self/smaps").read_text().splitlines():
            name, _, rest = line.partition(" ")
            if "-" in name and not name.endswith(":"):
                where, end = (int(edge, 16) for edge in name.split("-"))
                size, kind = end - where, " ".join(rest.split()[::4])
            elif name == "Anonymous:" and rest.split()[0] == "0" and kind in (f"r--p {library}", f"r-xp {library}"):
                libc.madvise(ctypes.c_void_p(where), ctypes.c_size_t(size), _MADV_DONTNEED)
            elif name == "Anonymous:" and size == copied and kind == "rw-p":
                _map_instead(libc, data, where)


def _map_instead(libc: ctypes.CDLL, file: Path, where: int) -> None:
    """Map a file over the memory at an address, which holds its bytes. Does nothing where that holds anything else."""
    held = file.read_bytes()
    if ctypes.string_at(where, len(held)) != held:
        return
    del held
    libc.mmap.restype = ctypes.c_void_p
    with file.open("rb") as opened:
        writable = mmap.PROT_READ | mmap.PROT_WRITE
        libc.mmap(
            ctypes.c_void_p(where),
            ctypes.c_size_t(file.stat().st_size),
            writable,
            mmap.MAP_PRIVATE | _MAP_FIXED,
            opened.fileno(),
            ctypes.c_long(0),
        )


def _literal(text: str) -> str:
    return orjson.dumps(text).decode()
