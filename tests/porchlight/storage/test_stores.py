"""File stores: a folder and an S3-compatible bucket behave the same."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from porchlight.ports import FileGone, FileOutage, FileStore
from porchlight.storage.stores import create_store
from tests.fixtures.ports import free_ports
from tests.porchlight.storage import s3_fake

KEY = "documents/ab/abcdefgh_-1"


@pytest.fixture(scope="module")
def s3_server() -> Iterator[s3_fake.S3Fake]:
    with s3_fake.S3Fake(free_ports(1)) as created:
        yield created


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path, s3_server: s3_fake.S3Fake) -> FileStore:
    return create_store((tmp_path / "state" / "files").as_uri() if request.param == "folder" else s3_server.url)


async def _read(store: FileStore, key: str) -> bytes:
    return b"".join([piece async for piece in store.read(key)])


async def test_file_store_put_read_delete(store: FileStore, tmp_path: Path) -> None:
    source = tmp_path / "given"
    source.write_bytes(bytes(range(256)) * 4096)
    await store.put(KEY, source, "application/pdf")
    assert await store.size(KEY) == 1_048_576
    assert await _read(store, KEY) == source.read_bytes()
    source.write_bytes(b"another")
    await store.put(KEY, source, "application/pdf")
    assert await _read(store, KEY) == b"another"
    await store.delete(KEY)
    await store.delete(KEY)
    for ask in (store.size(KEY), _read(store, KEY)):
        with pytest.raises(FileGone):
            await ask


async def test_file_store_concurrent_files_are_separate(store: FileStore, tmp_path: Path) -> None:
    async def put_and_read(number: int) -> None:
        source = tmp_path / str(number)
        source.write_bytes(str(number).encode() * 100_000)
        await store.put(f"documents/{number}", source, "image/png")
        assert await _read(store, f"documents/{number}") == source.read_bytes()

    await asyncio.gather(*(put_and_read(number) for number in range(8)))


@pytest.mark.parametrize("key", ["../secrets", "/etc/passwd", "a//b", "a/../b", "", "a b", "a%2e", "é"])
async def test_file_store_invalid_key_is_rejected(store: FileStore, key: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        await store.put(key, tmp_path, "image/png")
    with pytest.raises(ValueError):
        await store.delete(key)


async def test_folder_store_failed_put_leaves_no_file(tmp_path: Path) -> None:
    store = create_store((tmp_path / "files").as_uri())
    with pytest.raises(FileGone):
        await store.put(KEY, tmp_path / "not there", "image/png")
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == []
    (tmp_path / "file").write_text("")
    with pytest.raises(FileOutage):
        await create_store((tmp_path / "file" / "below").as_uri()).put(KEY, tmp_path / "file", "image/png")


async def test_bucket_error_is_retried_once(s3_server: s3_fake.S3Fake, tmp_path: Path) -> None:
    store, source = create_store(s3_server.url), tmp_path / "given"
    source.write_bytes(b"x" * 600_000)
    s3_fake.S3Handler.error_statuses.append(503)
    await store.put(KEY, source, "image/jpeg")
    assert s3_fake.S3Handler.objects[f"/papers/demo/{KEY}"] == ("image/jpeg", source.read_bytes())
    s3_fake.S3Handler.error_statuses += [500, 503]
    with pytest.raises(FileOutage, match="503"):
        await store.size(KEY)


async def test_bucket_unreachable_raises_outage(s3_server: s3_fake.S3Fake, tmp_path: Path) -> None:
    source = tmp_path / "given"
    source.write_bytes(b"x")
    wrong_secret = s3_server.url.replace("EXAMPLEKEY", "EXAMPLEKEZ")
    for url in (wrong_secret, f"s3+http://a:b@127.0.0.1:{free_ports(1)}/papers"):
        with pytest.raises(FileOutage):
            await create_store(url).put(KEY, source, "image/png")


@pytest.mark.parametrize(
    "url",
    ["", "files", "file://host/path", "s3://bucket", "s3+https://host/bucket", "s3+https://a:b@host", "s3+https://a:b@host/",
     "https://a:b@host/bucket", "s3+https://a:b@host:port/bucket"],
)  # fmt: skip
def test_invalid_store_url_explains_format(url: str) -> None:
    with pytest.raises(ValueError, match="PORCHLIGHT_FILES_URL must look like"):
        create_store(url)
