"""Copies of published pages: what is kept of what visitors saw, and what is removed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenants import published
from tenants.published import Shelf, remove_site
from tests.infra.house import BASE, House
from tests.support.product import eventually


def gone(house: House, site: str) -> None:
    """Wait until a site has no copies."""
    eventually(f"{site} has no copies", lambda: not (house.published / site).exists())


@pytest.mark.tls
def test_a_page_of_another_address_is_not_the_page(house: House) -> None:
    """Addresses stand in the page: a Host with a strange port, or a query, must not poison the copy."""
    house.new_guru("careful")
    for host, target in (
        (f"careful.{BASE}:1", "/"),
        (f"careful.{BASE}", "/"),
        (f"careful.{BASE}:{house.caddy.https_port}", "/?x=1"),
    ):
        assert house.caddy.get("careful", target, host=host).status == 200
    plain = house.direct("/", host=f"careful.{BASE}:{house.caddy.https_port}")
    assert plain.status == 200
    body = house.publish("careful", "/services")
    assert not house.copy_of("careful").exists()
    assert house.copy_of("careful", "/services").read_bytes() == body


@pytest.mark.tls
def test_a_copy_follows_its_page(house: House) -> None:
    house.new_guru("baker")
    first = house.publish("baker")
    house.execute("UPDATE gurus SET tagline = 'Bread before breakfast' WHERE label = 'baker'")

    # Each worker hears of the change by itself: one shows it, and another may still keep what was before.
    def follows() -> bool:
        seen, copy = house.caddy.get("baker").body, house.copy_of("baker")
        return seen != first and copy.exists() and copy.read_bytes() == seen

    eventually("the copy follows the page", follows)


@pytest.mark.tls
@pytest.mark.parametrize("how", ["rename", "delete"])
def test_a_renamed_or_deleted_site_is_gone_from_disk(house: House, how: str) -> None:
    label = house.new_guru(f"old-{how}")
    house.publish(label)
    if how == "rename":
        house.execute("UPDATE gurus SET label = 'new-name' WHERE label = %s", label)
    else:
        house.execute("DELETE FROM gurus WHERE label = %s", label)
    gone(house, label)


@pytest.mark.tls
def test_a_domain_taken_away_is_gone_from_disk(house: House) -> None:
    house.new_guru("nomad")
    house.run("domain", "add", "nomad", "nomad.example", "--verified")
    eventually("the domain answers", lambda: house.caddy.gives_certificate("nomad.example"))
    house.publish("nomad.example")
    house.publish("nomad")
    house.execute("DELETE FROM domains WHERE domain = 'nomad.example'")
    gone(house, "nomad.example")
    assert house.copy_of("nomad").exists()


# The shelf itself


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path / "published", budget=100_000)
    yield made
    made.close()


async def kept(shelf: Shelf) -> set[str]:
    """What lies on the shelf once everything asked for is done."""
    await shelf.sites()
    return {path.relative_to(shelf.folder).as_posix() for path in shelf.folder.rglob("*") if path.is_file()}


async def test_pages_lie_where_caddy_looks(shelf: Shelf) -> None:
    for site, path in (("cooking", "/"), ("cooking", "/blog/flat-chicken"), ("potter.example", "/blog/tag/a_b~c.d")):
        assert shelf.put(site, path, b"page")
    assert await kept(shelf) == {
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
async def test_other_names_are_not_written(shelf: Shelf, site: str, path: str) -> None:
    assert not shelf.put(site, path, b"page")
    assert await kept(shelf) == set()


async def test_a_page_that_did_not_change_is_not_written_again(shelf: Shelf) -> None:
    shelf.put("cooking", "/", b"page")
    await kept(shelf)
    page = shelf.folder / "cooking" / "index.html"
    before = page.stat().st_ino
    os.utime(page, (1, 1))
    shelf.put("cooking", "/", b"page")
    await kept(shelf)
    assert page.stat().st_ino == before
    assert page.stat().st_mtime > 1  # but it was seen
    shelf.put("cooking", "/", b"another")
    await kept(shelf)
    assert page.read_bytes() == b"another"


async def test_what_is_removed_can_be_kept_again(shelf: Shelf) -> None:
    shelf.put("cooking", "/", b"page")
    shelf.remove("cooking")
    assert await kept(shelf) == set()
    shelf.put("cooking", "/", b"page")
    assert await kept(shelf) == {"cooking/index.html"}


async def test_a_removal_comes_after_what_still_waits(shelf: Shelf) -> None:
    for number in range(50):
        shelf.put("cooking", f"/blog/post-{number}", b"page")
    shelf.remove("cooking")
    assert await kept(shelf) == set()


async def test_the_longest_unseen_go_when_there_is_too_much(shelf: Shelf) -> None:
    for number in range(9):
        shelf.put("cooking", f"/{number}", bytes(10_000))
    await kept(shelf)
    for number in range(9):
        os.utime(shelf.folder / "cooking" / str(number) / "index.html", (number + 1, number + 1))
    shelf.put("cooking", "/0", bytes(10_000))  # seen again
    shelf.put("cooking", "/fresh", bytes(20_000))
    left = await kept(shelf)
    assert "cooking/0/index.html" in left
    assert "cooking/fresh/index.html" in left
    assert "cooking/1/index.html" not in left
    assert sum((shelf.folder / name).stat().st_size for name in left) <= 90_000


async def test_a_flood_is_dropped_and_nobody_waits(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "WAITING", 2)
    release = threading.Event()
    shelf._soon(lambda: bool(release.wait(30)))
    assert [shelf.put("cooking", f"/{number}", b"page") for number in range(4)] == [True, True, False, False]
    release.set()
    assert await kept(shelf) == {"cooking/0/index.html", "cooking/1/index.html"}


async def test_a_folder_that_cannot_be_written_harms_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    shelf = Shelf(tmp_path / "file")
    assert shelf.put("cooking", "/", b"page")
    shelf.remove("cooking")
    shelf.close()
    assert (tmp_path / "file").read_text() == "in the way"


def test_only_sites_are_removed(tmp_path: Path) -> None:
    for name in ("..", "", ".", "a/b"):
        with pytest.raises(ValueError, match="neither"):
            remove_site(tmp_path / "published", name)
