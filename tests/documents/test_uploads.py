"""Uploads: known by their content, made harmless, kept outside of the web, opened by links that end."""

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

from porchlight.admin.audit import fault
from porchlight.app import Porchlight
from porchlight.documents import links, uploads
from porchlight.documents.cleaning import MEMORY
from porchlight.documents.expiry import forget_unused_uploads
from tenants.kit import clock
from tests.documents import files
from tests.documents.people import Guru, Staff, run_jobs
from tests.platform_.world import BASE, ask
from tests.support.databases import Database


def kept(folder: Path) -> set[Path]:
    """The files in the store."""
    return {path for path in folder.rglob("*") if path.is_file()}


async def opened(web: httpx.AsyncClient, url: str) -> httpx.Response:
    """Open a link as a browser does: without any token."""
    assert url.startswith("/api/documents/files/")
    return await web.get(url)


@pytest.mark.parametrize(
    ("made", "kind", "name", "wanted"),
    [
        ("JPEG", "image/jpeg", "home.jpg", "image/jpeg"),
        ("JPEG", "image/jpg", "home.jpg", "image/jpeg"),
        ("PNG", "image/png", "home.png", "image/png"),
        ("HEIF", "image/heic", "IMG_0001.HEIC", "image/jpeg"),
        ("HEIF", "", "IMG_0001.HEIC", "image/jpeg"),
        ("HEIF", "application/octet-stream", "IMG_0001.HEIC", "image/jpeg"),
    ],
)
async def test_pictures_are_drawn_anew_upright_and_say_nothing_more(
    ada: Guru, made: str, kind: str, name: str, wanted: str
) -> None:
    given = files.photo(made)
    assert files.SECRET in given
    paper = await ada.uploaded(given, kind, name)
    assert (paper["file_kind"], paper["file_name"]) == (wanted, name)
    answer = await opened(ada.web, paper["file_url"])
    assert (answer.status_code, answer.headers["content-type"]) == (200, wanted)
    assert files.SECRET not in answer.content
    picture = Image.open(io.BytesIO(answer.content))
    # HEIC turns pictures by itself, whatever EXIF says.
    assert (picture.size, dict(picture.getexif())) == ((320, 200) if made == "HEIF" else (200, 320), {})


async def test_a_pdf_is_written_anew_and_does_nothing_by_itself(ada: Guru) -> None:
    given = files.busy_pdf()
    for evil in (b"EvilScript", b"EvilProgram", files.SECRET, b"EmbeddedFile"):
        assert evil in given, evil
    paper = await ada.uploaded(given + files.TAIL, "application/pdf")
    answer = await opened(ada.web, paper["file_url"])
    assert answer.headers["content-type"] == "application/pdf"
    body = answer.content
    assert body.startswith(b"%PDF-")
    assert body.rstrip().endswith(b"%%EOF")
    assert b"EvilTail" not in body
    with pikepdf.open(io.BytesIO(body)) as document:
        everything = b" ".join(
            thing.unparse() + (thing.read_raw_bytes() if isinstance(thing, pikepdf.Stream) else b"")
            for thing in document.objects
        )
        assert len(document.pages) == 1
        assert not document.attachments
        assert document.trailer.get("/Info") is None
    for evil in (b"Evil", b"JavaScript", b"/Launch", b"/OpenAction", b"/AA", files.SECRET):
        assert evil not in everything, evil


SENTENCE = "Please choose a PDF, JPEG, PNG or HEIC file of at most 10 MB."


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (files.SVG, "image/svg+xml", SENTENCE),
        (files.SVG, "image/png", SENTENCE),
        (files.HTML, "application/pdf", SENTENCE),
        (files.HTML + files.pdf(), "application/pdf", SENTENCE),
        (files.ZIP, "", SENTENCE),
        (b"", "application/pdf", SENTENCE),
        (b"%PDF-1.7\n" + files.HTML, "application/pdf", "This file is damaged or not what it claims to be."),
        (files.photo()[:200], "image/jpeg", "This file is damaged or not what it claims to be."),
        (files.photo("PNG"), "application/pdf", "This file says it is a PDF, but it is a PNG picture."),
        (files.pdf(), "image/jpeg", "This file says it is a JPEG picture, but it is a PDF."),
        (files.pdf(), "text/html", SENTENCE),
        (files.pdf(encryption=pikepdf.Encryption(owner="a", user="b")), "application/pdf", "locked with a password"),
        (files.photo(size=(12, 12)), "image/jpeg", "This picture is too small to read."),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
async def test_what_is_no_document_is_refused_with_a_sentence(
    ada: Guru, folder: Path, body: bytes, kind: str, words: str
) -> None:
    before = kept(folder)
    answer = await ada.upload(body, kind)
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert (error["code"], words in error["message"]) == ("not_a_document", True), error
    assert error["fields"]["file"] == error["message"]
    assert kept(folder) == before


@pytest.mark.parametrize("bomb", [files.pdf_bomb, files.picture_bomb])
async def test_bombs_are_refused_and_our_memory_stays_flat(ada: Guru, bomb: Any) -> None:
    body = bomb()
    assert len(body) < 3_000_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer = await ada.upload(body)
    assert answer.status_code == 422, answer.text
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB
    # What decodes has a limit of its own, which the system holds it to.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < MEMORY / 1024


async def test_a_decoder_that_falls_over_is_a_refusal(ada: Guru, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads.cleaning, "__name__", "porchlight.no_such_program")
    answer = await ada.upload(files.photo())
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "not_a_document")


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b.pdf", "..\\b.pdf", "..", "a\0b.pdf", " ", "x" * 151, "a\u202eb"]
)
async def test_names_that_are_paths_are_refused(ada: Guru, name: str) -> None:
    answer = await ada.upload(files.pdf(), name=name)
    assert answer.status_code == 422, answer.text
    assert "name" in answer.json()["error"]["message"]


async def test_ten_gigabytes_announced_are_refused_at_once(app: Porchlight, ada: Guru) -> None:
    async with asyncio.timeout(60):  # nothing of them ever comes: who waited for a byte would wait for ever
        answer = await ask(
            app.edge,
            b"/api/onboarding/documents/files?name=a.pdf",
            BASE,
            method="POST",
            headers=[
                (b"authorization", f"Bearer {ada.token}".encode()),
                (b"content-type", b"application/pdf"),
                (b"content-length", b"10737418240"),
            ],
            body=[],
        )
    assert answer.status == 413
    assert b"too large" in answer.body


async def test_more_than_is_announced_or_allowed_is_cut_off_and_never_all_in_memory(ada: Guru) -> None:
    sent = 0

    async def flood() -> AsyncIterator[bytes]:
        nonlocal sent
        yield b"%PDF-1.7\n" + bytes(100)
        for _ in range(64):
            sent += 1
            yield bytes(1024 * 1024)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    headers = ada.headers() | {"content-type": "application/pdf"}
    answer = await ada.web.post(
        "/api/onboarding/documents/files", params={"name": "a.pdf"}, content=flood(), headers=headers
    )
    assert answer.status_code == 413, answer.text
    assert sent <= 64
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 120_000  # KiB; the test's own flood is 64 MB


async def test_files_lie_under_names_nobody_guesses_and_only_we_read(ada: Guru, folder: Path) -> None:
    before = kept(folder)
    paper = await ada.uploaded(files.pdf(), name="My license.pdf")
    (made,) = kept(folder) - before
    assert "license" not in str(made.relative_to(folder))
    assert paper["id"] not in str(made)
    assert len(made.name) == 43
    assert (made.stat().st_mode & 0o777, made.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    for path in (f"/{made.name}", f"/files/{made.name}", f"/api/documents/files/{made.name}"):
        assert b"%PDF" not in (await ada.web.get(path)).content, path


async def test_links_end_and_cannot_be_made_up(
    app: Porchlight, ada: Guru, ben: Guru, monkeypatch: pytest.MonkeyPatch
) -> None:
    paper = await ada.uploaded(files.photo())
    answer = await opened(ada.web, paper["file_url"])
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["content-disposition"] == "inline; filename*=UTF-8''license.pdf.jpg"
    token = paper["file_url"].removeprefix(links.PATH)
    for wrong in (token[:-2] + "AA", token[::-1], token + "AAAA", "", "a", token[:40], "\u20ac" * 9):
        answer = await ada.web.get(links.PATH + wrong)
        assert answer.status_code in (404, 410), wrong
        assert wrong == "" or answer.json()["error"]["code"] == "link_expired"
    allowed, _ = links.opened(app.settings.address_secret, token, clock.now())
    other = links.Pass(ben.user_id, allowed.document_id, allowed.file_id, links.OWNER)
    assert (await ada.web.get(links.link(app.settings.address_secret, other, clock.now()))).status_code == 404
    assert (await ada.web.get(links.link(b"another secret", allowed, clock.now()))).status_code == 410

    later = clock.now() + links.LIFETIME + timedelta(seconds=2)
    monkeypatch.setattr(clock, "now", lambda: later)
    answer = await opened(ada.web, paper["file_url"])
    assert (answer.status_code, answer.json()["error"]["message"]) == (
        410, "This link has expired. Please go back and open the document again.",
    )  # fmt: skip


async def test_who_opened_which_document_when_is_written_down_once_a_link(
    ada: Guru, staff: Staff, overseer: psycopg.Connection[Any]
) -> None:
    paper = await ada.uploaded(files.photo())
    await opened(ada.web, paper["file_url"])
    await opened(ada.web, paper["file_url"])
    shown = next(one for one in await staff.pending() if one["id"] == paper["id"])
    assert shown["file_url"] != paper["file_url"]
    await opened(ada.web, shown["file_url"])
    await opened(ada.web, shown["file_url"])
    events = (await staff.history(ada.user_id))[0]["events"]
    name = overseer.execute("SELECT key_name FROM admin_sessions").fetchone()
    assert name is not None
    assert [(event["kind"], event["actor"]) for event in events] == [
        ("submitted", "owner"), ("opened", "owner"), ("opened", name[0]),
    ]  # fmt: skip
    assert all(datetime.fromisoformat(event["at"]) <= clock.now() for event in events)
    acts = overseer.execute("SELECT action, actor FROM audit_log WHERE subject_id = %s", [paper["id"]]).fetchall()
    assert acts == [("document.open", name[0])]
    assert fault(overseer) is None


async def test_an_upload_is_used_once(ada: Guru, ben: Guru) -> None:
    file_id = (await ada.upload(files.pdf())).json()["data"]["id"]
    assert (await ben.submit(file_url="", file_id=file_id)).status_code == 422
    assert (await ada.submit(file_id=file_id)).json()["error"]["fields"] == {
        "file_url": "Please give a link or a file, not both."
    }
    answers = await asyncio.gather(*(ada.submit(file_url="", file_id=file_id) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers)[0] == 201
    assert {answer.status_code for answer in answers} <= {201, 409, 422}
    assert [answer.status_code for answer in answers].count(201) == 1


async def test_uploads_that_nobody_uses_and_those_of_erased_accounts_are_thrown_away(
    app: Porchlight, ada: Guru, ben: Guru, database: Database, folder: Path, overseer: psycopg.Connection[Any]
) -> None:
    before = kept(folder)
    used = await ada.uploaded(files.pdf())
    await ada.upload(files.pdf())
    await ben.uploaded(files.pdf())
    assert len(kept(folder) - before) == 3
    overseer.execute("UPDATE document_files SET created_at = created_at - interval '25 hours'")
    forget_unused_uploads(overseer)
    await run_jobs(database, app)
    assert len(kept(folder) - before) == 2
    assert (await ben.web.delete("/api/auth/account", headers=ben.headers())).status_code == 200
    await run_jobs(database, app)
    (left,) = kept(folder) - before
    key = overseer.execute(
        "SELECT f.key FROM document_files f JOIN documents d ON d.file_id = f.id WHERE d.id = %s", [UUID(used["id"])]
    ).fetchone()
    assert key == (str(left.relative_to(folder)),)


async def test_a_store_that_is_out_says_so_and_leaves_a_row_to_sweep(
    app: Porchlight, ada: Guru, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overseer: psycopg.Connection[Any]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(app.platform.files, "_root", blocked)
    answer = await ada.upload(files.pdf())
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store_away")
    rows = overseer.execute("SELECT stored_at FROM document_files WHERE user_id = %s", [ada.user_id]).fetchall()
    assert rows == [(None,)]


async def test_the_export_of_ones_data_has_ones_files_and_no_keys(
    ada: Guru, ben: Guru, folder: Path, overseer: psycopg.Connection[Any]
) -> None:
    paper = await ada.uploaded(files.pdf(), name="My license.pdf")
    await ada.uploaded(files.photo("HEIF"), name="photo.heic")
    lost = await ada.uploaded(files.pdf(), name="lost.pdf")
    theirs = await ben.uploaded(files.pdf(), name="not-adas.pdf")
    (key,) = overseer.execute(
        "SELECT key FROM document_files f JOIN documents d USING (user_id) WHERE d.id = %s AND f.id = d.file_id",
        [lost["id"]],
    ).fetchone() or ("",)
    (folder / key).unlink()
    answer = await ada.web.get("/api/auth/export", headers=ada.headers())
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.testzip() is None
    assert b'"type": "license"' in archive.read("documents.json")
    assert b"key" not in archive.read("document_files.json")
    mine = {name.rsplit("/", 1)[1]: name for name in archive.namelist() if name.startswith("document_files/")}
    assert {"My license.pdf", "photo.heic.jpg"} <= set(mine)
    assert not {"lost.pdf", "not-adas.pdf"} & set(mine)
    shown = await opened(ada.web, paper["file_url"])
    assert archive.read(mine["My license.pdf"]) == shown.content
    assert theirs["id"].encode() not in archive.read("documents.json")
