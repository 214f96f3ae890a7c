"""Snapshots of public pages on disk, which Caddy serves while the API is down (docs/webs.md).

A cached page is also written to `<folder>/<label or domain>/<path>/index.html`. Requests never wait for it: one thread
writes and removes files, in order. The snapshots of a suspended, renamed or deleted site, and of a host that redirects
to the site's main address, are removed at once; a worker that missed the notification checks all when it reconnects.
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

from tenants.db.pool import Database
from tenants.http.asgi import Scope
from tenants.kit.errors import ProductError
from tenants.tenancy.current import host_tenant, request_host
from tenants.tenancy.directory import Tenant
from tenants.tenancy.hosts import HostKind, is_domain, is_label

MAX_TOTAL_BYTES = 1024 * 1024 * 1024  # of all snapshots; the least recently written are removed first
MAX_PENDING_WRITES = 256  # a page above it is stored when it is rendered again
RETRY_DELAY_SECONDS = 0.5  # while the database is down
_BATCH_SIZE = 500  # names in one query
_MEASURE_INTERVAL_WRITES = 512  # writes between measurements of the folder; other workers write there too
_MAX_DIGESTS = 20_000  # of pages, about 150 bytes each
# Paths of the site's own pages: no parent folders, hidden files or special characters.
_PATH = re.compile(r"/|(?:/[A-Za-z0-9_-][A-Za-z0-9_.~-]{0,199}){1,8}")

_SITES = """
SELECT w.name, f.id, f.label, f.status, f.main_domain, f.domains
  FROM unnest(%s::text[]) AS w(name), LATERAL app.find_site(w.name) AS f"""

log = logging.getLogger(__name__)
_counter = count()


def is_site(name: str) -> bool:
    """Whether `name` is a valid folder name of a site: a label or a domain."""
    return is_label(name) or is_domain(name)


def remove_site(folder: Path, name: str) -> None:
    """Remove every snapshot of a site. The folder is renamed before it is deleted, so it disappears at once."""
    if not is_site(name):
        raise ValueError("neither a label nor a domain")
    removed = folder / f".gone-{os.getpid()}-{next(_counter)}"
    with contextlib.suppress(FileNotFoundError):
        (folder / name).rename(removed)
        shutil.rmtree(removed, ignore_errors=True)


class SnapshotStore:
    """The folder of snapshots. All methods except the constructor and `close` can be called from an event loop."""

    def __init__(self, folder: Path, *, max_bytes: int = MAX_TOTAL_BYTES) -> None:
        self.folder = folder
        self._max_bytes = max_bytes
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="snapshots")
        self._digests: OrderedDict[str, bytes] = OrderedDict()
        self._pending = 0
        self._writes = 0
        self._bytes = 0

    def put(self, site: str, path: str, body: bytes) -> bool:
        """Write a page in the background. Return False if too many writes are pending, or a name is invalid."""
        if self._pending >= MAX_PENDING_WRITES or not is_site(site) or not _PATH.fullmatch(path):
            return False
        self._pending += 1

        def write() -> None:
            self._pending -= 1
            self._write(site + path.rstrip("/") + "/index.html", body)

        self._submit(write)
        return True

    def remove(self, site: str) -> None:
        """Remove a site, after its pending writes."""
        self._submit(lambda: remove_site(self.folder, site))

    async def sites(self) -> list[str]:
        """Return the names of all sites with snapshots. Remove invalid folders, and old files above the limit."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._scan)

    def close(self) -> None:
        """Finish the pending writes."""
        self._thread.shutdown()

    def _submit(self, work: Callable[[], object]) -> None:
        def run() -> None:
            try:
                work()
            except OSError as error:  # a full disk costs a snapshot, never a request
                log.warning("page snapshot not written: %s", error.strerror)

        self._thread.submit(run)

    def _write(self, name: str, body: bytes) -> None:
        target = self.folder / name
        digest = blake2b(body, digest_size=16).digest()
        if self._digests.get(name) == digest:
            with contextlib.suppress(FileNotFoundError):
                os.utime(target)  # marks it as recently written
                return
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{os.getpid()}.new")
        temporary.write_bytes(body)
        temporary.replace(target)
        self._digests.pop(name, None)
        self._digests[name] = digest
        if len(self._digests) > _MAX_DIGESTS:
            self._digests.popitem(last=False)
        self._bytes += len(body)
        self._writes += 1
        if self._bytes > self._max_bytes or self._writes % _MEASURE_INTERVAL_WRITES == 0:
            self._measure()

    def _scan(self) -> list[str]:
        self.folder.mkdir(parents=True, exist_ok=True)
        names = [entry.name for entry in os.scandir(self.folder) if entry.is_dir(follow_symlinks=False)]
        for name in names:
            if not is_site(name):
                shutil.rmtree(self.folder / name, ignore_errors=True)
        self._measure()
        return [name for name in names if is_site(name)]

    def _measure(self) -> None:
        """Measure the folder. Above the limit, remove the oldest files until 90% of it are left."""
        measured: list[tuple[float, int, str]] = []
        for parent, _folders, files in os.walk(self.folder):
            for file in files:
                path = os.path.join(parent, file)
                with contextlib.suppress(FileNotFoundError):
                    status = os.stat(path)
                    measured.append((status.st_mtime, status.st_size, path))
        self._bytes = sum(size for _, size, _ in measured)
        if self._bytes <= self._max_bytes:
            return
        for _, size, path in sorted(measured):
            with contextlib.suppress(OSError):
                os.unlink(path)
                self._bytes -= size
            if self._bytes <= self._max_bytes * 0.9:
                break


class PageSnapshots:
    """Keeps the snapshots current. `https_port` is the public port; pages requested at other ports are ignored."""

    def __init__(
        self, folder: Path, db: Database, base_host: str, *, https_port: int = 443, max_bytes: int = MAX_TOTAL_BYTES
    ) -> None:
        self._base_host = base_host
        self.store = SnapshotStore(folder, max_bytes=max_bytes)
        self._db = db
        self._port = None if https_port == 443 else https_port
        self._is_connected = False
        self._check_all = False
        self._unchecked: set[str] = set()
        self._wake = asyncio.Event()
        self._owners: dict[str, UUID] = {}
        self._sites_by_tenant: dict[UUID, set[str]] = {}

    def on_store(self, scope: Scope, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        """Write a snapshot of a cached response, if it is a complete page as the public sees it."""
        tenant = host_tenant(scope)
        host = request_host(scope)
        if not self._is_connected or tenant is None or host is None:
            return
        # A page contains its own address: with another port, a query, or without TLS it is a different page.
        if scope["scheme"] != "https" or host.port != self._port or scope["query_string"]:
            return
        if not any(name == b"content-type" and value.startswith(b"text/html") for name, value in headers):
            return
        site = tenant.label if host.kind is HostKind.GURU else host.name
        if self.store.put(site, scope["path"], body):
            self._set_owner(site, tenant.id)

    def on_change(self, tenant_id: UUID, names: list[str]) -> None:
        """Check the sites of a changed tenant."""
        self._unchecked.update(self._sites_by_tenant.get(tenant_id, ()), filter(is_site, names))
        self._wake.set()

    def on_connection_change(self, connected: bool) -> None:
        """Check all sites after a reconnection: changes are missed while the change listener has no connection."""
        self._is_connected = connected
        self._check_all = self._check_all or connected
        self._wake.set()

    async def run(self) -> None:
        """Remove the snapshots of inactive sites, until canceled."""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                if self._check_all:
                    self._check_all = False
                    self._unchecked.update(await self.store.sites())
                names = self._unchecked
                self._unchecked = set()
                try:
                    await self._check(names)
                except ProductError:
                    self._unchecked |= names
                    self._wake.set()
                    await asyncio.sleep(RETRY_DELAY_SECONDS)
                except OSError as error:
                    log.warning("page snapshots not checked: %s", error.strerror)
        finally:
            await asyncio.to_thread(self.store.close)

    async def _check(self, names: set[str]) -> None:
        existing = sorted(name for name in names if name in self._owners or (self.store.folder / name).is_dir())
        for start in range(0, len(existing), _BATCH_SIZE):
            batch = existing[start : start + _BATCH_SIZE]
            rows = await self._db.read(None, _SITES, [batch])
            sites = {name: Tenant.from_row(*columns) for name, *columns in rows}
            for name in batch:
                self._clear_owner(name)
                site = sites.get(name)
                if site is None or site.is_suspended or not self._shows_pages(site, name):
                    self.store.remove(name)
                else:
                    self._set_owner(name, site.id)

    def _shows_pages(self, site: Tenant, name: str) -> bool:
        """Whether pages are at this label or domain. A host that redirects would keep old pages."""
        return site.shows_pages(name if is_domain(name) else f"{name}.{self._base_host}", self._base_host)

    def _set_owner(self, name: str, tenant_id: UUID) -> None:
        if self._owners.get(name) != tenant_id:
            self._clear_owner(name)
            self._owners[name] = tenant_id
            self._sites_by_tenant.setdefault(tenant_id, set()).add(name)

    def _clear_owner(self, name: str) -> None:
        if (tenant_id := self._owners.pop(name, None)) is not None:
            sites = self._sites_by_tenant[tenant_id]
            sites.discard(name)
            if not sites:
                del self._sites_by_tenant[tenant_id]
