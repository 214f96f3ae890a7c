"""Stores of files: a folder and an S3-compatible bucket keep the same promises."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from porchlight.files.s3 import Bucket, authorization
from porchlight.files.stores import store_at
from porchlight.ports import FileGone, FileOutage, FileStore
from tests.files import bucket as fake
from tests.support.ports import free_ports

KEY = "documents/ab/abcdefgh_-1"


@pytest.fixture(scope="module")
def server() -> Iterator[fake.Server]:
    with fake.Server(free_ports(1)) as made:
        yield made


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path, server: fake.Server) -> FileStore:
    return store_at((tmp_path / "state" / "files").as_uri() if request.param == "folder" else server.url)


async def _read(store: FileStore, key: str) -> bytes:
    return b"".join([piece async for piece in store.read(key)])


async def test_what_is_kept_comes_back_and_goes(store: FileStore, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_bytes(bytes(range(256)) * 4096)
    await store.put(KEY, given, "application/pdf")
    assert await store.size(KEY) == 1_048_576
    assert await _read(store, KEY) == given.read_bytes()
    given.write_bytes(b"another")
    await store.put(KEY, given, "application/pdf")
    assert await _read(store, KEY) == b"another"
    await store.delete(KEY)
    await store.delete(KEY)
    for ask in (store.size(KEY), _read(store, KEY)):
        with pytest.raises(FileGone):
            await ask


async def test_many_at_once_do_not_mix(store: FileStore, tmp_path: Path) -> None:
    async def one(number: int) -> None:
        given = tmp_path / str(number)
        given.write_bytes(str(number).encode() * 100_000)
        await store.put(f"documents/{number}", given, "image/png")
        assert await _read(store, f"documents/{number}") == given.read_bytes()

    await asyncio.gather(*(one(number) for number in range(8)))


@pytest.mark.parametrize("key", ["../secrets", "/etc/passwd", "a//b", "a/../b", "", "a b", "a%2e", "é"])
async def test_names_are_our_own(store: FileStore, key: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        await store.put(key, tmp_path, "image/png")
    with pytest.raises(ValueError):
        await store.delete(key)


async def test_nothing_half_is_left_when_a_disk_is_full(tmp_path: Path) -> None:
    store = store_at((tmp_path / "files").as_uri())
    with pytest.raises(FileGone):
        await store.put(KEY, tmp_path / "not there", "image/png")
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == []
    (tmp_path / "file").write_text("")
    with pytest.raises(FileOutage):
        await store_at((tmp_path / "file" / "below").as_uri()).put(KEY, tmp_path / "file", "image/png")


async def test_a_bucket_that_stumbles_once_is_asked_again(server: fake.Server, tmp_path: Path) -> None:
    store, given = store_at(server.url), tmp_path / "given"
    given.write_bytes(b"x" * 600_000)
    fake.Bucket.failing.append(503)
    await store.put(KEY, given, "image/jpeg")
    assert fake.Bucket.kept[f"/papers/demo/{KEY}"] == ("image/jpeg", given.read_bytes())
    fake.Bucket.failing += [500, 503]
    with pytest.raises(FileOutage, match="503"):
        await store.size(KEY)


async def test_a_wrong_secret_and_a_bucket_that_is_away_are_outages(server: fake.Server, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_bytes(b"x")
    wrong = server.url.replace("EXAMPLEKEY", "EXAMPLEKEZ")
    for url in (wrong, f"s3+http://a:b@127.0.0.1:{free_ports(1)}/papers"):
        with pytest.raises(FileOutage):
            await store_at(url).put(KEY, given, "image/png")


def test_signatures_are_those_that_amazon_publishes() -> None:
    """The examples of "Authenticating Requests: Using the Authorization Header" in the S3 API reference."""
    secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    amazon = Bucket("https://examplebucket.s3.amazonaws.com", "", "us-east-1", "AKIAIOSFODNN7EXAMPLE", secret)
    now = datetime(2013, 5, 24, tzinfo=UTC)
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    get = {
        "host": "examplebucket.s3.amazonaws.com",
        "range": "bytes=0-9",
        "x-amz-content-sha256": empty,
        "x-amz-date": "20130524T000000Z",
    }
    assert authorization(amazon, "GET", "/test.txt", get, empty, now).endswith(
        "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    )
    body = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
    put = {
        "date": "Fri, 24 May 2013 00:00:00 GMT",
        "host": "examplebucket.s3.amazonaws.com",
        "x-amz-content-sha256": body,
        "x-amz-date": "20130524T000000Z",
        "x-amz-storage-class": "REDUCED_REDUNDANCY",
    }
    assert authorization(amazon, "PUT", "/test$file.text", put, body, now).endswith(
        "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
    )


@pytest.mark.parametrize(
    "url",
    ["", "files", "file://host/path", "s3://bucket", "s3+https://host/bucket", "s3+https://a:b@host", "s3+https://a:b@host/",
     "https://a:b@host/bucket", "s3+https://a:b@host:port/bucket"],
)  # fmt: skip
def test_a_url_that_names_no_store_says_how_it_should_look(url: str) -> None:
    with pytest.raises(ValueError, match="PORCHLIGHT_FILES_URL must look like"):
        store_at(url)
