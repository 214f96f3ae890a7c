"""The last published pages on disk, for Caddy to serve while the API is away (DESIGN 6).

A page that the edge remembers is also kept at `<folder>/<label or domain>/<path>/index.html`. Nothing here keeps a
request waiting: one thread writes and removes, in order. A site that is suspended, renamed or deleted loses its copies
at once; a worker that could not hear of it (it was not running, or not listening) looks at all of them when it listens.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import shutil
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from itertools import count
from pathlib import Path
from uuid import UUID

from tenants.directory import Tenant
from tenants.edge import Scope
from tenants.host import Host, Kind, is_domain, is_label
from tenants.kit.db import Database
from tenants.kit.errors import ProductError

BUDGET = 1024 * 1024 * 1024  # bytes of pages kept; the longest unseen go first
WAITING = 256  # pages that may wait to be written; a page beyond is offered again when it is made anew
RETRY = 0.5  # seconds between attempts to ask a database that is out
_TOGETHER = 500  # names asked for in one query
_COUNT_AGAIN = 512  # writes after which the folder is measured anew: other workers write there too
_REMEMBERED = 20_000  # digests of pages, about 150 bytes each
# What our own pages look like; nothing that climbs, hides or surprises a file system.
_PATH = re.compile(r"/|(?:/[A-Za-z0-9_-][A-Za-z0-9_.~-]{0,199}){1,8}")

_STANDING = """
SELECT w.name, f.id FROM unnest(%s::text[]) AS w(name), LATERAL app.find_label(w.name) AS f
 WHERE f.label = w.name AND f.status = 'active'
UNION ALL
SELECT w.name, f.id FROM unnest(%s::text[]) AS w(name), LATERAL app.find_domain(w.name) AS f
 WHERE f.status = 'active'
"""

log = logging.getLogger(__name__)
_numbers = count()


def is_site(name: str) -> bool:
    """Whether `name` may name the folder of a site: a label or a domain."""
    return is_label(name) or is_domain(name)


def remove_site(folder: Path, name: str) -> None:
    """Remove every copy of a site. It is out of reach at once: the folder is renamed before it is emptied."""
    if not is_site(name):
        raise ValueError("neither a label nor a domain")
    gone = folder / f".gone-{os.getpid()}-{next(_numbers)}"
    with contextlib.suppress(FileNotFoundError):
        (folder / name).rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


class Shelf:
    """The folder itself. Everything but the constructor and `close` may be called from an event loop."""

    def __init__(self, folder: Path, *, budget: int = BUDGET) -> None:
        self.folder = folder
        self._budget = budget
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="published")
        self._digests: OrderedDict[str, bytes] = OrderedDict()
        self._waiting = 0
        self._writes = 0
        self._bytes = 0

    def put(self, site: str, path: str, body: bytes) -> bool:
        """Keep a page soon. False when too much is waiting, or when the names are none for a file system."""
        if self._waiting >= WAITING or not is_site(site) or not _PATH.fullmatch(path):
            return False
        self._waiting += 1

        def write() -> None:
            self._waiting -= 1
            self._write(site + path.rstrip("/") + "/index.html", body)

        self._soon(write)
        return True

    def remove(self, site: str) -> None:
        """Remove a site, after whatever of it still waits to be written."""
        self._soon(lambda: remove_site(self.folder, site))

    async def sites(self) -> list[str]:
        """The names of all sites that have copies. Clears away what is no site's, and too much of it."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._look)

    def close(self) -> None:
        """Finish what waits."""
        self._thread.shutdown()

    def _soon(self, work: Callable[[], None]) -> None:
        def guarded() -> None:
            try:
                work()
            except OSError as fault:  # a full disk costs a copy, never a request
                log.warning("a published page was not kept: %s", fault.strerror)

        self._thread.submit(guarded)

    def _write(self, name: str, body: bytes) -> None:
        target = self.folder / name
        digest = blake2b(body, digest_size=16).digest()
        if self._digests.get(name) == digest:
            with contextlib.suppress(FileNotFoundError):
                os.utime(target)  # seen just now: it stays longest
                return
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f".{os.getpid()}.new")
        fresh.write_bytes(body)
        fresh.replace(target)
        self._digests.pop(name, None)
        self._digests[name] = digest
        if len(self._digests) > _REMEMBERED:
            self._digests.popitem(last=False)
        self._bytes += len(body)
        self._writes += 1
        if self._bytes > self._budget or self._writes % _COUNT_AGAIN == 0:
            self._measure()

    def _look(self) -> list[str]:
        self.folder.mkdir(parents=True, exist_ok=True)
        names = [entry.name for entry in os.scandir(self.folder) if entry.is_dir(follow_symlinks=False)]
        for name in names:
            if not is_site(name):
                shutil.rmtree(self.folder / name, ignore_errors=True)
        self._measure()
        return [name for name in names if is_site(name)]

    def _measure(self) -> None:
        """Count what is there; remove the longest unseen until nine tenths of the budget are left."""
        found: list[tuple[float, int, str]] = []
        for parent, _folders, files in os.walk(self.folder):
            for file in files:
                path = os.path.join(parent, file)
                with contextlib.suppress(FileNotFoundError):
                    facts = os.stat(path)
                    found.append((facts.st_mtime, facts.st_size, path))
        self._bytes = sum(size for _, size, _ in found)
        if self._bytes <= self._budget:
            return
        for _, size, path in sorted(found):
            with contextlib.suppress(OSError):
                os.unlink(path)
                self._bytes -= size
            if self._bytes <= self._budget * 0.9:
                break


class Published:
    """Keeps the shelf true. `https_port`: the public one; a page asked for by another port is not the page."""

    def __init__(self, folder: Path, db: Database, *, https_port: int = 443, budget: int = BUDGET) -> None:
        self.shelf = Shelf(folder, budget=budget)
        self._db = db
        self._port = None if https_port == 443 else https_port
        self._listening = False
        self._all = False
        self._doubtful: set[str] = set()
        self._wake = asyncio.Event()
        self._owners: dict[str, UUID] = {}
        self._of_tenant: dict[UUID, set[str]] = {}

    def page(self, scope: Scope, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        """The edge remembered this answer: keep it too, when it is a whole page as the public sees it."""
        tenant: Tenant | None = scope.get("porchlight.tenant")
        host: Host | None = scope.get("porchlight.host")
        if not self._listening or tenant is None or host is None:
            return
        # Addresses of other ports, queries or without TLS stand in the page itself: such a page is not the page.
        if scope["scheme"] != "https" or host.port != self._port or scope["query_string"]:
            return
        if not any(name == b"content-type" and value.startswith(b"text/html") for name, value in headers):
            return
        site = tenant.label if host.kind is Kind.GURU else host.name
        if self.shelf.put(site, scope["path"], body):
            self._own(site, tenant.id)

    def changed(self, tenant_id: UUID, names: list[str]) -> None:
        """A tenant changed: look whether its sites still stand."""
        self._doubtful.update(self._of_tenant.get(tenant_id, ()), filter(is_site, names))
        self._wake.set()

    def heard(self, listening: bool) -> None:
        """The listening connection came up or went down. What changed meanwhile is found by looking at everything."""
        self._listening = listening
        self._all = self._all or listening
        self._wake.set()

    async def run(self) -> None:
        """Remove what no longer stands, until cancelled."""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                if self._all:
                    self._all = False
                    self._doubtful.update(await self.shelf.sites())
                names = self._doubtful
                self._doubtful = set()
                try:
                    await self._check(names)
                except ProductError:
                    self._doubtful |= names
                    self._wake.set()
                    await asyncio.sleep(RETRY)
                except OSError as fault:
                    log.warning("published pages were not looked at: %s", fault.strerror)
        finally:
            await asyncio.to_thread(self.shelf.close)

    async def _check(self, names: set[str]) -> None:
        there = sorted(name for name in names if name in self._owners or (self.shelf.folder / name).is_dir())
        for start in range(0, len(there), _TOGETHER):
            asked = there[start : start + _TOGETHER]
            labels = [name for name in asked if "." not in name]
            domains = [name for name in asked if "." in name]
            standing = dict(await self._db.read(None, _STANDING, [labels, domains]))
            for name in asked:
                self._disown(name)
                if (owner := standing.get(name)) is None:
                    self.shelf.remove(name)
                else:
                    self._own(name, owner)

    def _own(self, name: str, tenant_id: UUID) -> None:
        if self._owners.get(name) != tenant_id:
            self._disown(name)
            self._owners[name] = tenant_id
            self._of_tenant.setdefault(tenant_id, set()).add(name)

    def _disown(self, name: str) -> None:
        if (tenant_id := self._owners.pop(name, None)) is not None:
            sites = self._of_tenant[tenant_id]
            sites.discard(name)
            if not sites:
                del self._of_tenant[tenant_id]
