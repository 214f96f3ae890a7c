"""Uploads: typed by content, sanitized, stored privately, served by expiring links."""

from __future__ import annotations

import asyncio
import io
import resource
import zipfile
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pikepdf
import psycopg
import pytest
from PIL import Image

from porchlight.app import Porchlight
from porchlight.audit.verification import fault
from porchlight.features.documents import actions, sanitizer, signed_links, uploads
from porchlight.features.documents.expiry import delete_unused_uploads
from porchlight.features.documents.sanitizer import MAX_MEMORY_BYTES
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, send_raw
from tests.porchlight.documents import files
from tests.porchlight.documents.users import AdminUser, GuruUser, run_jobs


def stored_files(files_folder: Path) -> set[Path]:
    """Return the files in the store."""
    return {path for path in files_folder.rglob("*") if path.is_file()}


async def open_link(web: httpx.AsyncClient, url: str) -> httpx.Response:
    """Open a link as a browser does, without a token."""
    assert url.startswith("/api/documents/files/")
    return await web.get(url)


@pytest.mark.parametrize(
    ("image_format", "kind", "name", "expected_kind"),
    [
        ("JPEG", "image/jpeg", "home.jpg", "image/jpeg"),
        ("JPEG", "image/jpg", "home.jpg", "image/jpeg"),
        ("PNG", "image/png", "home.png", "image/png"),
        ("HEIF", "image/heic", "IMG_0001.HEIC", "image/jpeg"),
        ("HEIF", "", "IMG_0001.HEIC", "image/jpeg"),
        ("HEIF", "application/octet-stream", "IMG_0001.HEIC", "image/jpeg"),
    ],
)
async def test_image_upload_is_reencoded_without_metadata(
    ada: GuruUser, image_format: str, kind: str, name: str, expected_kind: str
) -> None:
    body = files.photo(image_format)
    assert files.SECRET in body
    document = await ada.upload_document(body, kind, name)
    assert (document["file_kind"], document["file_name"]) == (expected_kind, name)
    response = await open_link(ada.web, document["file_url"])
    assert (response.status_code, response.headers["content-type"]) == (200, expected_kind)
    assert files.SECRET not in response.content
    picture = Image.open(io.BytesIO(response.content))
    # HEIC stores the rotation itself, so the EXIF orientation is ignored.
    assert (picture.size, dict(picture.getexif())) == ((320, 200) if image_format == "HEIF" else (200, 320), {})


async def test_pdf_upload_loses_active_content(ada: GuruUser) -> None:
    given = files.busy_pdf()
    for evil in (b"EvilScript", b"EvilProgram", files.SECRET, b"EmbeddedFile"):
        assert evil in given, evil
    document = await ada.upload_document(given + files.TAIL, "application/pdf")
    response = await open_link(ada.web, document["file_url"])
    assert response.headers["content-type"] == "application/pdf"
    body = response.content
    assert body.startswith(b"%PDF-")
    assert body.rstrip().endswith(b"%%EOF")
    assert b"EvilTail" not in body
    with pikepdf.open(io.BytesIO(body)) as sanitized:
        everything = b" ".join(
            value.unparse() + (value.read_raw_bytes() if isinstance(value, pikepdf.Stream) else b"")
            for value in sanitized.objects
        )
        assert len(sanitized.pages) == 1
        assert not sanitized.attachments
        assert sanitized.trailer.get("/Info") is None
    for evil in (b"Evil", b"JavaScript", b"/Launch", b"/OpenAction", b"/AA", files.SECRET):
        assert evil not in everything, evil


SENTENCE = "Please choose a PDF, JPEG, PNG or HEIC file up to 10 MB."


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (files.SVG, "image/svg+xml", SENTENCE),
        (files.SVG, "image/png", SENTENCE),
        (files.HTML, "application/pdf", SENTENCE),
        (files.HTML + files.pdf(), "application/pdf", SENTENCE),
        (files.ZIP, "", SENTENCE),
        (b"", "application/pdf", SENTENCE),
        (b"%PDF-1.7\n" + files.HTML, "application/pdf", "This file is damaged or has the wrong type."),
        (files.photo()[:200], "image/jpeg", "This file is damaged or has the wrong type."),
        (files.photo("PNG"), "application/pdf", "This file is named as a PDF, but it's a PNG image."),
        (files.pdf(), "image/jpeg", "This file is named as a JPEG image, but it's a PDF."),
        (files.pdf(), "text/html", SENTENCE),
        (files.pdf(encryption=pikepdf.Encryption(owner="a", user="b")), "application/pdf", "password-protected"),
        (files.photo(size=(12, 12)), "image/jpeg", "This image is too small to read."),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
async def test_invalid_upload_is_rejected_with_reason(
    ada: GuruUser, files_folder: Path, body: bytes, kind: str, words: str
) -> None:
    before = stored_files(files_folder)
    response = await ada.upload(body, kind)
    assert response.status_code == 422, response.text
    error = response.json()["error"]
    assert (error["code"], words in error["message"]) == ("not_a_document", True), error
    assert error["fields"]["file"] == error["message"]
    assert stored_files(files_folder) == before


async def test_refused_uploads_count_towards_the_day(
    app: Porchlight, ada: GuruUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit once counted what was decoded and stored, so that files which are refused cost a core each."""
    monkeypatch.setattr(app.settings, "limits", "on")
    monkeypatch.setattr(actions, "MAX_UPLOADS_PER_DAY", 3)
    responses = await asyncio.gather(*(ada.upload(files.HTML, "application/pdf") for _ in range(5)))
    codes = [(response.status_code, response.json()["error"]["code"]) for response in responses]
    assert sorted(codes) == [(422, "not_a_document")] * 3 + [(429, "rate_limited")] * 2


@pytest.mark.parametrize("bomb", [files.pdf_bomb, files.picture_bomb])
async def test_decompression_bomb_is_rejected_in_flat_memory(ada: GuruUser, bomb: Any) -> None:
    body = bomb()
    assert len(body) < 3_000_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    largest_before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    response = await ada.upload(body)
    assert (response.status_code, response.json()["error"]["code"]) == (422, "not_a_document"), response.text
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert own - before < 50_000  # KiB
    # The sanitizer's process has its own limit. A child of another test may have been larger, and a child counts with
    # this process's size, from which it was forked.
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert largest <= max(largest_before, own, MAX_MEMORY_BYTES // 1024)


async def test_sanitizer_crash_rejects_upload(ada: GuruUser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sanitizer, "__name__", "porchlight.no_such_program")
    response = await ada.upload(files.photo())
    assert (response.status_code, response.json()["error"]["code"]) == (422, "not_a_document")


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b.pdf", "..\\b.pdf", "..", "a\0b.pdf", " ", "x" * 151, "a\u202eb"]
)
async def test_upload_path_as_name_is_rejected(ada: GuruUser, name: str) -> None:
    response = await ada.upload(files.pdf(), name=name)
    assert response.status_code == 422, response.text
    assert "name" in response.json()["error"]["message"]


async def test_upload_announced_too_large_is_rejected_at_once(app: Porchlight, ada: GuruUser) -> None:
    async with asyncio.timeout(60):  # the body never arrives
        response = await send_raw(
            app.response_cache,
            b"/api/onboarding/documents/files?name=a.pdf",
            BASE_HOST,
            method="POST",
            headers=[
                (b"authorization", f"Bearer {ada.token}".encode()),
                (b"content-type", b"application/pdf"),
                (b"content-length", b"10737418240"),
            ],
            body=[],
        )
    assert response.status == 413
    assert b"too large" in response.body


async def test_upload_stream_too_large_is_cut_off(ada: GuruUser) -> None:
    submitted_ids = 0

    async def flood() -> AsyncIterator[bytes]:
        nonlocal submitted_ids
        yield b"%PDF-1.7\n" + bytes(100)
        for _ in range(64):
            submitted_ids += 1
            yield bytes(1024 * 1024)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    headers = ada.headers() | {"content-type": "application/pdf"}
    response = await ada.web.post(
        "/api/onboarding/documents/files", params={"name": "a.pdf"}, content=flood(), headers=headers
    )
    assert response.status_code == 413, response.text
    assert submitted_ids <= 64
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 120_000  # KiB; the test itself sends 64 MB


async def test_stored_file_has_secret_name_and_mode(ada: GuruUser, files_folder: Path) -> None:
    before = stored_files(files_folder)
    document = await ada.upload_document(files.pdf(), name="My license.pdf")
    (created,) = stored_files(files_folder) - before
    assert "license" not in str(created.relative_to(files_folder))
    assert document["id"] not in str(created)
    assert len(created.name) == 43
    assert (created.stat().st_mode & 0o777, created.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    for path in (f"/{created.name}", f"/files/{created.name}", f"/api/documents/files/{created.name}"):
        assert b"%PDF" not in (await ada.web.get(path)).content, path


async def test_file_link_expires_and_cannot_be_forged(
    app: Porchlight, ada: GuruUser, ben: GuruUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = await ada.upload_document(files.photo())
    response = await open_link(ada.web, document["file_url"])
    assert response.headers["cache-control"] == "private, no-store"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert response.headers["content-disposition"] == "inline; filename*=UTF-8''license.pdf.jpg"
    token = document["file_url"].removeprefix(signed_links.PATH)
    for wrong in (token[:-2] + "AA", token[::-1], token + "AAAA", "", "a", token[:40], "\u20ac" * 9):
        response = await ada.web.get(signed_links.PATH + wrong)
        assert response.status_code in (404, 410), wrong
        assert wrong == "" or response.json()["error"]["code"] == "link_expired"
    allowed, _ = signed_links.verify(app.settings.address_secret, token, clock.now())
    other = signed_links.SignedLink(ben.user_id, allowed.document_id, allowed.file_id, signed_links.OWNER)
    assert (await ada.web.get(signed_links.sign(app.settings.address_secret, other, clock.now()))).status_code == 404
    assert (await ada.web.get(signed_links.sign(b"another secret", allowed, clock.now()))).status_code == 410

    later = clock.now() + signed_links.TTL + timedelta(seconds=2)
    monkeypatch.setattr(clock, "now", lambda: later)
    response = await open_link(ada.web, document["file_url"])
    assert (response.status_code, response.json()["error"]["message"]) == (
        410, "This link has expired. Please go back and open the document again.",
    )  # fmt: skip


async def test_file_access_is_recorded_once_per_link(
    ada: GuruUser, admin: AdminUser, service_db: psycopg.Connection[Any]
) -> None:
    document = await ada.upload_document(files.photo())
    await open_link(ada.web, document["file_url"])
    await open_link(ada.web, document["file_url"])
    visible = next(one for one in await admin.pending() if one["id"] == document["id"])
    assert visible["file_url"] != document["file_url"]
    await open_link(ada.web, visible["file_url"])
    await open_link(ada.web, visible["file_url"])
    events = (await admin.history(ada.user_id))[0]["events"]
    name = service_db.execute("SELECT key_name FROM admin_sessions").fetchone()
    assert name is not None
    assert [(event["kind"], event["actor"]) for event in events] == [
        ("submitted", "owner"), ("opened", "owner"), ("opened", name[0]),
    ]  # fmt: skip
    assert all(datetime.fromisoformat(event["at"]) <= clock.now() for event in events)
    acts = service_db.execute("SELECT action, actor FROM audit_log WHERE subject_id = %s", [document["id"]]).fetchall()
    assert acts == [("document.open", name[0])]
    assert fault(service_db) is None


async def test_upload_is_used_for_one_document(ada: GuruUser, ben: GuruUser) -> None:
    file_id = (await ada.upload(files.pdf())).json()["data"]["id"]
    assert (await ben.submit(file_url="", file_id=file_id)).status_code == 422
    assert (await ada.submit(file_id=file_id)).json()["error"]["fields"] == {
        "file_url": "Add a link or a file, not both."
    }
    responses = await asyncio.gather(*(ada.submit(file_url="", file_id=file_id) for _ in range(4)))
    assert sorted(response.status_code for response in responses)[0] == 201
    assert {response.status_code for response in responses} <= {201, 409, 422}
    assert [response.status_code for response in responses].count(201) == 1


async def test_unused_and_orphaned_uploads_are_deleted(
    app: Porchlight,
    ada: GuruUser,
    ben: GuruUser,
    database: Database,
    files_folder: Path,
    service_db: psycopg.Connection[Any],
) -> None:
    before = stored_files(files_folder)
    used = await ada.upload_document(files.pdf())
    await ada.upload(files.pdf())
    await ben.upload_document(files.pdf())
    assert len(stored_files(files_folder) - before) == 3
    service_db.execute("UPDATE document_files SET created_at = created_at - interval '25 hours'")
    delete_unused_uploads(service_db)
    await run_jobs(database, app)
    assert len(stored_files(files_folder) - before) == 2
    assert (await ben.web.delete("/api/auth/account", headers=ben.headers())).status_code == 200
    await run_jobs(database, app)
    (left,) = stored_files(files_folder) - before
    key = service_db.execute(
        "SELECT f.key FROM document_files f JOIN documents d ON d.file_id = f.id WHERE d.id = %s", [UUID(used["id"])]
    ).fetchone()
    assert key == (str(left.relative_to(files_folder)),)


async def test_file_store_outage_is_reported(
    app: Porchlight, ada: GuruUser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, service_db: psycopg.Connection[Any]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(app.context.files, "_root", blocked)
    response = await ada.upload(files.pdf())
    assert (response.status_code, response.json()["error"]["code"]) == (503, "file_store_unavailable")
    rows = service_db.execute("SELECT stored_at FROM document_files WHERE user_id = %s", [ada.user_id]).fetchall()
    assert rows == [(None,)]


async def test_account_export_contains_own_files_only(
    ada: GuruUser, ben: GuruUser, files_folder: Path, service_db: psycopg.Connection[Any]
) -> None:
    document = await ada.upload_document(files.pdf(), name="My license.pdf")
    await ada.upload_document(files.photo("HEIF"), name="photo.heic")
    lost = await ada.upload_document(files.pdf(), name="lost.pdf")
    theirs = await ben.upload_document(files.pdf(), name="not-adas.pdf")
    (key,) = service_db.execute(
        "SELECT key FROM document_files f JOIN documents d USING (user_id) WHERE d.id = %s AND f.id = d.file_id",
        [lost["id"]],
    ).fetchone() or ("",)
    (files_folder / key).unlink()
    response = await ada.web.get("/api/auth/export", headers=ada.headers())
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    assert archive.testzip() is None
    assert b'"type": "license"' in archive.read("documents.json")
    assert b"key" not in archive.read("document_files.json")
    own = {name.rsplit("/", 1)[1]: name for name in archive.namelist() if name.startswith("document_files/")}
    assert {"My license.pdf", "photo.heic.jpg"} <= set(own)
    assert not {"lost.pdf", "not-adas.pdf"} & set(own)
    visible = await open_link(ada.web, document["file_url"])
    assert archive.read(own["My license.pdf"]) == visible.content
    assert theirs["id"].encode() not in archive.read("documents.json")


async def test_upload_may_have_the_largest_size(tmp_path: Path) -> None:
    async def upload(size: int) -> AsyncIterator[bytes]:
        start = b"%PDF-1.7\n"
        yield start
        yield bytes(size - len(start))

    spooled = tmp_path / "spooled"
    await uploads._spool(upload(uploads.MAX_UPLOAD_BYTES), spooled)
    assert spooled.stat().st_size == uploads.MAX_UPLOAD_BYTES
    with pytest.raises(uploads.DocumentTooLarge):
        await uploads._spool(upload(uploads.MAX_UPLOAD_BYTES + 1), spooled)
