"""Snapshots of published pages: when they are written and removed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sites.rendering import snapshots
from sites.rendering.snapshots import SnapshotStore, remove_site
from tests.fixtures.product import eventually
from tests.infra.deployment import BASE, Deployment


def wait_until_removed(deployment: Deployment, site: str) -> None:
    """Wait until a site has no snapshots."""
    eventually(f"{site} has no copies", lambda: not (deployment.snapshots_dir / site).exists())


@pytest.mark.tls
def test_snapshot_ignores_foreign_port_and_query(deployment: Deployment) -> None:
    """Pages contain their own URL, so a Host with another port, or a query, must not change the snapshot."""
    deployment.new_guru("careful")
    for host, target in (
        (f"careful.{BASE}:1", "/"),
        (f"careful.{BASE}", "/"),
        (f"careful.{BASE}:{deployment.caddy.https_port}", "/?x=1"),
    ):
        assert deployment.caddy.get("careful", target, host=host).status == 200
    plain = deployment.direct("/", host=f"careful.{BASE}:{deployment.caddy.https_port}")
    assert plain.status == 200
    body = deployment.publish("careful", "/services")
    assert not deployment.snapshot_path("careful").exists()
    assert deployment.snapshot_path("careful", "/services").read_bytes() == body


@pytest.mark.tls
def test_snapshot_follows_page_change(deployment: Deployment) -> None:
    deployment.new_guru("baker")
    first = deployment.publish("baker")
    deployment.execute("UPDATE gurus SET tagline = 'Bread before breakfast' WHERE label = 'baker'")

    # Each API worker receives the notification separately; one may still write the old page.
    def is_updated() -> bool:
        page, snapshot = deployment.caddy.get("baker").body, deployment.snapshot_path("baker")
        return page != first and snapshot.exists() and snapshot.read_bytes() == page

    eventually("the copy follows the page", is_updated)


@pytest.mark.tls
@pytest.mark.parametrize("how", ["rename", "delete"])
def test_snapshots_of_renamed_or_deleted_site_are_removed(deployment: Deployment, how: str) -> None:
    label = deployment.new_guru(f"old-{how}")
    deployment.publish(label)
    if how == "rename":
        deployment.execute("UPDATE gurus SET label = 'new-name' WHERE label = %s", label)
    else:
        deployment.execute("DELETE FROM gurus WHERE label = %s", label)
    wait_until_removed(deployment, label)


@pytest.mark.tls
def test_snapshots_of_removed_domain_are_removed(deployment: Deployment) -> None:
    deployment.new_guru("nomad")
    deployment.add_domain("nomad", "nomad.example")
    eventually("the domain answers", lambda: deployment.caddy.has_certificate_for("nomad.example"))
    deployment.publish("nomad.example")
    deployment.publish("nomad")
    deployment.execute("DELETE FROM domains WHERE domain = 'nomad.example'")
    wait_until_removed(deployment, "nomad.example")
    assert deployment.snapshot_path("nomad").exists()


# SnapshotStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SnapshotStore]:
    store_ = SnapshotStore(tmp_path / "published", max_bytes=100_000)
    yield store_
    store_.close()


async def stored_files(store: SnapshotStore) -> set[str]:
    """Return the stored files after all pending writes."""
    await store.sites()
    return {path.relative_to(store.folder).as_posix() for path in store.folder.rglob("*") if path.is_file()}


async def test_store_put_writes_caddy_paths(store: SnapshotStore) -> None:
    for site, path in (("cooking", "/"), ("cooking", "/blog/flat-chicken"), ("potter.example", "/blog/tag/a_b~c.d")):
        assert store.put(site, path, b"page")
    assert await stored_files(store) == {
        "cooking/index.html",
        "cooking/blog/flat-chicken/index.html",
        "potter.example/blog/tag/a_b~c.d/index.html",
    }


@pytest.mark.parametrize(
    ("site", "path"),
    [
        ("..", "/"),
        (".", "/"),
        ("", "/"),
        ("a/b", "/"),
        ("UPPER", "/"),
        (".gone-1-1", "/"),
        ("cooking", ""),
        ("cooking", "blog"),
        ("cooking", "//"),
        ("cooking", "/../music"),
        ("cooking", "/blog/.."),
        ("cooking", "/.hidden"),
        ("cooking", "/blog/"),
        ("cooking", "/a\\b"),
        ("cooking", "/a%2fb"),
        ("cooking", "/a\x00b"),
        ("cooking", "/a\nb"),
        ("cooking", "/é"),
        ("cooking", "/" + "a" * 201),
        ("cooking", "/a" * 9),
    ],
)
async def test_store_put_rejects_unsafe_names(store: SnapshotStore, site: str, path: str) -> None:
    assert not store.put(site, path, b"page")
    assert await stored_files(store) == set()


async def test_store_put_of_unchanged_page_keeps_file(store: SnapshotStore) -> None:
    store.put("cooking", "/", b"page")
    await stored_files(store)
    page = store.folder / "cooking" / "index.html"
    before = page.stat().st_ino
    os.utime(page, (1, 1))
    store.put("cooking", "/", b"page")
    await stored_files(store)
    assert page.stat().st_ino == before
    assert page.stat().st_mtime > 1  # but it was used
    store.put("cooking", "/", b"another")
    await stored_files(store)
    assert page.read_bytes() == b"another"


async def test_store_put_after_remove_writes_page(store: SnapshotStore) -> None:
    store.put("cooking", "/", b"page")
    store.remove("cooking")
    assert await stored_files(store) == set()
    store.put("cooking", "/", b"page")
    assert await stored_files(store) == {"cooking/index.html"}


async def test_store_remove_runs_after_pending_writes(store: SnapshotStore) -> None:
    for number in range(50):
        store.put("cooking", f"/blog/post-{number}", b"page")
    store.remove("cooking")
    assert await stored_files(store) == set()


async def test_store_above_budget_evicts_least_recent(store: SnapshotStore) -> None:
    for number in range(9):
        store.put("cooking", f"/{number}", bytes(10_000))
    await stored_files(store)
    for number in range(9):
        os.utime(store.folder / "cooking" / str(number) / "index.html", (number + 1, number + 1))
    store.put("cooking", "/0", bytes(10_000))  # used again
    store.put("cooking", "/fresh", bytes(20_000))
    remaining = await stored_files(store)
    assert "cooking/0/index.html" in remaining
    assert "cooking/fresh/index.html" in remaining
    assert "cooking/1/index.html" not in remaining
    assert sum((store.folder / name).stat().st_size for name in remaining) <= 90_000


async def test_store_put_with_full_queue_drops_page(store: SnapshotStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "MAX_PENDING_WRITES", 2)
    release = threading.Event()

    def block() -> None:
        release.wait(30)

    store._submit(block)
    assert [store.put("cooking", f"/{number}", b"page") for number in range(4)] == [True, True, False, False]
    release.set()
    assert await stored_files(store) == {"cooking/0/index.html", "cooking/1/index.html"}


async def test_store_with_unwritable_folder_stays_silent(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = SnapshotStore(tmp_path / "file")
    assert store.put("cooking", "/", b"page")
    store.remove("cooking")
    store.close()
    assert (tmp_path / "file").read_text() == "in the way"


def test_remove_site_rejects_unsafe_names(tmp_path: Path) -> None:
    for name in ("..", "", ".", "a/b"):
        with pytest.raises(ValueError, match="neither"):
            remove_site(tmp_path / "published", name)
