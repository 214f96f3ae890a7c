"""Threads and messages: delivery, requests, unread counts, changes, removal, blocks, reports and flags."""

from __future__ import annotations

import asyncio
import io
import zipfile

import httpx
import psycopg
import pytest
from PIL import Image

from porchlight.features.messages.delivery.rules import LINK_DELAY, MAIL_DELAY
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer, claims
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import refusal
from tests.porchlight.angels.users import ApiUser, owner_with_need, photo_with_location
from tests.porchlight.app_client import wait_until
from tests.porchlight.messages.api import THREADS, block, card, mark_read, open_thread, send, texts, write
from tests.porchlight.named_users import CreateUser

ORIGIN = "https://porchlight.example"


async def _unread(user: ApiUser) -> int:
    return int((await user.get(THREADS))["unread"])


def _recount(database: Database) -> None:
    """Compare the counters of all inboxes with what they count."""
    with psycopg.connect(database.service_url) as conn:
        wrong = conn.execute(
            "SELECT i.user_id, i.unread, s.unread FROM inboxes i CROSS JOIN LATERAL ("
            "  SELECT coalesce(sum(m.unread) FILTER (WHERE m.held_until IS NULL), 0) AS unread FROM thread_members m"
            "   WHERE m.user_id = i.user_id) s WHERE i.unread <> s.unread"
        ).fetchall()
        assert wrong == []
        members = conn.execute(
            "SELECT m.user_id, m.thread_id FROM thread_members m WHERE m.unread <> (SELECT count(*) FROM messages g"
            "  WHERE g.thread_id = m.thread_id AND g.sender_id <> m.user_id AND g.number > m.read_number)"
        ).fetchall()
        assert members == []


async def test_first_message_of_stranger_waits_in_requests(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe Quill"), await create_user("Theo Barnes")
    thread = await open_thread(zoe, theo, "Do you teach\nbeginners?")
    assert (await theo.get(THREADS))["threads"] == []
    (request,) = (await theo.get(THREADS, box="requests"))["threads"]
    assert (request["id"], request["request"], request["unread"], request["number"]) == (thread, True, 1, 1)
    assert request["other"] == {"name": "Zoe Quill", "photoUrl": "", "handle": zoe.handle}
    assert request["last"]["preview"] == "Do you teach beginners?"
    assert await texts(theo, thread) == await texts(zoe, thread) == ["Do you teach\nbeginners?"]
    # An answer accepts it.
    assert (await send(theo, thread, "Yes!")).status_code == 201
    (own,) = (await theo.get(THREADS))["threads"]
    assert (own["request"], own["unread"], own["last"]["mine"]) == (False, 0, True)
    (other,) = (await zoe.get(THREADS))["threads"]
    assert (other["unread"], other["canWrite"], other["refusal"]) == (1, True, None)
    _recount(database)


async def test_request_is_accepted_without_answer(create_user: CreateUser) -> None:
    zoe, theo = await create_user("Zoe Asks"), await create_user("Theo Accepts")
    thread = await open_thread(zoe, theo)
    accepted = await theo.request("PUT", f"{THREADS}/{thread}/acceptance")
    assert (accepted.status_code, accepted.json()["data"]["request"]) == (200, False)
    assert len((await theo.get(THREADS))["threads"]) == 1


async def test_message_is_sent_once_per_key(create_user: CreateUser) -> None:
    zoe, theo = await create_user("Zoe Again"), await create_user("Theo Again")
    first = await asyncio.gather(*(write(zoe, "profile", theo.handle, "Once", key="k1") for _ in range(4)))
    assert sorted(response.status_code for response in first) == [200, 200, 200, 201]
    assert len({response.json()["data"]["message"]["id"] for response in first}) == 1
    thread = first[0].json()["data"]["thread"]["id"]
    again = await asyncio.gather(*(send(zoe, thread, "Twice", key="k2") for _ in range(3)))
    assert sorted(response.status_code for response in again) == [200, 200, 201]
    assert again[0].json()["data"]["idempotencyKey"] == "k2"
    reused = await send(zoe, thread, "Other words", key="k2")
    assert (reused.status_code, reused.json()["error"]["code"]) == (409, "key_reused")
    assert await texts(theo, thread) == ["Once", "Twice"]


async def test_both_write_first_at_once_share_one_thread(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe First"), await create_user("Theo First")
    sent = await asyncio.gather(write(zoe, "profile", theo.handle), write(theo, "profile", zoe.handle))
    assert {response.status_code for response in sent} == {201}
    assert len({response.json()["data"]["thread"]["id"] for response in sent}) == 1
    _recount(database)


async def test_message_needs_words_or_files(create_user: CreateUser) -> None:
    zoe, theo = await create_user("Zoe Empty"), await create_user("Theo Empty")
    for body in ("", "   ", "x" * 4001, "nul\0"):
        assert (await write(zoe, "profile", theo.handle, body)).status_code == 422
    many = await write(zoe, "profile", theo.handle, json={"fileIds": [str(new_id()) for _ in range(6)]})
    assert (many.status_code, many.json()["error"]["code"]) == (422, "too_many_files")
    gone = await write(zoe, "profile", theo.handle, json={"fileIds": [str(new_id())]})
    assert gone.json()["error"]["fields"] == {"fileIds": "A file has expired. Please add it again."}
    own = await write(zoe, "profile", zoe.handle)
    assert own.json()["error"]["fields"] == {"to": "This is you."}


async def test_recipients_have_something_in_common(create_user: CreateUser) -> None:
    owner, posted = await owner_with_need(create_user)
    angel, stranger = await create_user("Ann Angel"), await create_user("Sam Stranger")
    await angel.offer_service()
    offer = await angel.create_offer(posted)
    found = await owner.get("/api/messages/recipients", kind="need_offer", id=offer)
    assert (found["other"]["name"], found["about"], found["threadId"]) == (
        "Ann Angel", "Request: A fence that leans", None
    )  # fmt: skip
    sent = await write(owner, "need_offer", offer, "When can you come?")
    assert sent.json()["data"]["thread"]["request"] is False
    assert (await card(angel, sent.json()["data"]["thread"]["id"]))["request"] is False
    for kind, part in (("need_offer", offer), ("booking", str(new_id())), ("lead", str(new_id())), ("match", "no-one")):
        assert (await write(stranger, kind, part)).status_code == 404, kind
    hide = {"privacy": {"publicProfile": False}}
    assert (await angel.request("PUT", "/api/auth/profile", json=hide)).status_code == 200
    assert (await write(stranger, "profile", angel.handle)).status_code == 404


async def test_unverified_sender_is_refused(create_user: CreateUser, signer: Signer) -> None:
    zoe, theo = await create_user("Una Unverified"), await create_user("Theo Asked")
    uid = zoe.email.partition("@")[0]
    zoe.token = signer.token(claims(uid, email=zoe.email, email_verified=False))
    refused = await write(zoe, "profile", theo.handle)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "email_unverified")


async def test_thread_of_others_is_unknown(create_user: CreateUser) -> None:
    zoe, theo, sam = [await create_user(name) for name in ("Zoe Own", "Theo Own", "Sam Other")]
    thread = await open_thread(zoe, theo)
    calls = (
        ("GET", "", None), ("GET", "/messages", None), ("POST", "/messages", {"body": "Hi"}),
        ("DELETE", "/messages/1", None), ("PUT", "/read", {"number": 1}), ("PUT", "/acceptance", None),
        ("PUT", "/settings", {"muted": True, "archived": True}), ("PUT", "/block", None), ("DELETE", "/block", None),
        ("POST", "/reports", {"reason": "spam"}),
    )  # fmt: skip
    for method, path, body in calls:
        response = await sam.request(method, f"{THREADS}/{thread}{path}", json=body)
        assert response.status_code == 404, (method, path, response.text)
    assert await texts(theo, thread) == ["Hello!"]


async def test_reading_counts_what_is_left(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe Counts"), await create_user("Theo Counts")
    thread = await open_thread(zoe, theo, "1")
    for body in "23":
        await send(zoe, thread, body)
    assert await mark_read(theo, thread, 2) == 1
    assert await mark_read(theo, thread, 1) == 1  # a late answer of another window
    assert await mark_read(theo, thread, 99) == 0
    await send(zoe, thread, "4")
    assert (await card(theo, thread))["unread"] == await _unread(theo) == 1
    _recount(database)


async def test_changes_are_gapless_pages(create_user: CreateUser) -> None:
    zoe, theo = await create_user("Zoe Pages"), await create_user("Theo Pages")
    thread = await open_thread(zoe, theo, "0")
    start = (await theo.get("/api/messages/changes", after=0))["change"]
    for number in range(1, 4):
        await send(zoe, thread, str(number))
    found = await theo.get("/api/messages/changes", after=start)
    assert [message["body"] for message in found["messages"]] == ["1", "2", "3"]
    assert (found["change"], found["more"], found["unread"]) == (start + 3, False, 4)
    assert [one["id"] for one in found["threads"]] == [thread]
    assert (await theo.get("/api/messages/changes", after=found["change"]))["threads"] == []
    await mark_read(theo, thread, 4)
    read = await theo.get("/api/messages/changes", after=found["change"])
    assert (read["messages"], read["threads"][0]["unread"], read["change"]) == ([], 0, start + 4)


async def test_changes_come_in_pages_of_200(
    create_user: CreateUser, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porchlight.features.messages.queries.MAX_CHANGES", 3)
    zoe, theo = await create_user("Zoe Many"), await create_user("Theo Many")
    thread = await open_thread(zoe, theo, "0")
    for number in range(1, 8):
        await send(zoe, thread, str(number))
    after, seen, more = 0, [], True
    while more:
        page = await theo.get("/api/messages/changes", after=after)
        seen += [message["body"] for message in page["messages"]]
        after, more = page["change"], page["more"]
    assert seen == [str(number) for number in range(8)]


async def test_removed_message_leaves_its_number(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe Removes"), await create_user("Theo Removes")
    thread = await open_thread(zoe, theo, "Oops zqxwords")
    change = (await theo.get(THREADS, box="requests"))["change"]
    assert (await theo.request("DELETE", f"{THREADS}/{thread}/messages/1")).status_code == 404
    for _ in range(2):
        removed = await zoe.request("DELETE", f"{THREADS}/{thread}/messages/1")
        assert (removed.status_code, removed.json()["data"]["removed"]) == (200, True)
    found = await theo.get("/api/messages/changes", after=change)
    assert [(one["number"], one["body"], one["removed"]) for one in found["messages"]] == [(1, "", True)]
    assert found["threads"][0]["last"] == found["threads"][0]["last"] | {
        "preview": "Message removed",
        "kind": "removed",
    }
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("SELECT FROM messages WHERE body LIKE '%zqxwords%'").fetchall() == []


async def test_archived_thread_returns_with_message(create_user: CreateUser) -> None:
    zoe, theo = await create_user("Zoe Keeps"), await create_user("Theo Keeps")
    thread = await open_thread(zoe, theo)
    await send(theo, thread, "Yes")
    settings = {"muted": True, "archived": True}
    kept = await theo.request("PUT", f"{THREADS}/{thread}/settings", json=settings)
    assert (kept.json()["data"]["muted"], kept.json()["data"]["archived"]) == (True, True)
    assert ((await theo.get(THREADS))["threads"], len((await theo.get(THREADS, box="archived"))["threads"])) == ([], 1)
    await send(zoe, thread, "Still there?")
    (back,) = (await theo.get(THREADS))["threads"]
    assert (back["muted"], back["unread"]) == (True, 1)


async def test_block_works_both_ways_and_is_not_told(create_user: CreateUser) -> None:
    zoe, theo = await create_user("Zoe Blocks"), await create_user("Theo Blocked")
    thread = await open_thread(theo, zoe)
    await block(zoe, thread)
    refused = await send(theo, thread)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_taking_messages")
    seen = await card(theo, thread)
    assert (seen["blocked"], seen["canWrite"], seen["refusal"]) == (
        "no",
        False,
        "This neighbor is not taking messages.",
    )
    own = await card(zoe, thread)
    assert (own["blocked"], own["canWrite"]) == ("by_me", False)
    assert (await send(zoe, thread)).json()["error"]["code"] == "recipient_blocked"
    (listed,) = (await zoe.get("/api/blocks"))["blocks"]
    assert (listed["name"], (await theo.get("/api/blocks"))["blocks"]) == ("Theo Blocked", [])
    for _ in range(2):
        assert (await zoe.request("DELETE", f"/api/blocks/{listed['id']}")).status_code == 200
    assert (await send(theo, thread)).status_code == 201


async def test_profile_is_blocked_without_thread(create_user: CreateUser) -> None:
    zoe, theo = await create_user("Zoe Profile"), await create_user("Theo Profile")
    assert (await zoe.request("PUT", f"/api/users/{theo.handle}/block")).status_code == 200
    assert (await theo.request("GET", f"/api/users/{zoe.handle}")).status_code == 404
    assert (await write(theo, "profile", zoe.handle)).status_code == 404
    itself = await zoe.request("PUT", f"/api/users/{zoe.handle}/block")
    assert refusal(itself)[0] == 422


async def test_report_keeps_last_ten_messages(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe Rude"), await create_user("Theo Reports")
    thread = await open_thread(zoe, theo, "0")
    for number in range(1, 12):
        await send(zoe, thread, str(number))
    for status in (201, 200):
        report = await theo.request("POST", f"{THREADS}/{thread}/reports", json={"reason": "spam", "details": "Rude"})
        assert report.status_code == status, report.text
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute(
            "SELECT subject_kind, subject_title, evidence FROM reports WHERE subject_name = %s", [thread]
        ).fetchone()
    assert row is not None
    kind, title, evidence = row
    assert (kind, title) == ("thread", "Messages with Zoe Rude")
    assert [(one["author"], one["body"]) for one in evidence] == [("Zoe Rude", str(n)) for n in range(2, 12)]
    plain = {"kind": "thread", "name": thread, "reason": "spam", "details": ""}
    assert (await theo.request("POST", "/api/reports", json=plain)).status_code == 422


async def test_email_tells_of_unread_after_three_minutes(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe Mails"), await create_user("Theo Mailed")
    thread = await open_thread(zoe, theo, "First")
    await send(theo, thread, "Yes?")
    await send(zoe, thread, "Are <b>you</b> free?")

    def due(minutes: float) -> None:
        with psycopg.connect(database.service_url) as conn:
            conn.execute(
                "UPDATE thread_members SET mail_due_at = mail_due_at - make_interval(secs => %s) WHERE thread_id = %s",
                [minutes * 60, thread],
            )

    def emails() -> list[tuple[str, str]]:
        with psycopg.connect(database.service_url) as conn:
            return conn.execute(
                "SELECT subject, plain FROM dev_mailbox WHERE recipient = %s AND key LIKE 'messages-%%' ORDER BY id",
                [theo.email],
            ).fetchall()

    await _process(database)
    assert emails() == []
    due(MAIL_DELAY.total_seconds() / 60)
    await _process(database)
    ((subject, plain),) = emails()
    assert subject == "Zoe Mails wrote to you"
    assert "> Are <b>you</b> free?" in plain
    assert f"{ORIGIN}/messages/{thread}" in plain
    # The next email about the thread waits an hour.
    await send(zoe, thread, "Hello?")
    due(MAIL_DELAY.total_seconds() / 60)
    await _process(database)
    assert len(emails()) == 1
    due(60)
    await _process(database)
    assert len(emails()) == 2
    # One that was read needs no email.
    await send(zoe, thread, "Well")
    await mark_read(theo, thread, 99)
    due(120)
    await _process(database)
    assert len(emails()) == 2


async def _process(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("SELECT app.enqueue('messages:process_due', '{}', NULL)")
    await do_jobs(database, main_origin=ORIGIN)


async def test_link_of_stranger_counts_after_ten_minutes(create_user: CreateUser, database: Database) -> None:
    sam, theo = await create_user("Sam Spam"), await create_user("Theo Held")
    thread = await open_thread(sam, theo, "Buy at https://pills.example")
    assert len((await theo.get(THREADS, box="requests"))["threads"]) == 1
    assert await _unread(theo) == 0
    change = (await theo.get(THREADS))["change"]
    await _process(database)
    assert await _unread(theo) == 0
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE thread_members SET held_until = held_until - %s WHERE thread_id = %s", [LINK_DELAY, thread]
        )
    await _process(database)
    assert await _unread(theo) == 1
    assert (await theo.get("/api/messages/changes", after=change))["threads"][0]["unread"] == 1
    _recount(database)


def _office_file(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in ("[Content_Types].xml", *names):
            archive.writestr(name, "<x/>")
    return buffer.getvalue()


async def _upload(user: ApiUser, content: bytes, name: str) -> httpx.Response:
    headers = {"content-type": "application/octet-stream"}
    return await user.request("POST", "/api/messages/files", params={"name": name}, content=content, headers=headers)


async def test_photo_is_reencoded_and_read_by_two(create_user: CreateUser) -> None:
    zoe, theo, sam = [await create_user(name) for name in ("Zoe Photo", "Theo Photo", "Sam Photo")]
    uploaded = await _upload(zoe, photo_with_location(), "../../My fence.JPG")
    assert uploaded.status_code == 201, uploaded.text
    file = uploaded.json()["data"]
    assert (file["name"], file["type"], file["isImage"], file["width"]) == ("My fence.webp", "image/webp", True, 1600)
    path = f"/api/messages/files/{file['id']}"
    assert (await theo.request("GET", path)).status_code == 404
    sent = await write(zoe, "profile", theo.handle, "", json={"fileIds": [file["id"]]})
    assert sent.json()["data"]["message"]["files"] == [file]
    for user, status in ((zoe, 200), (theo, 200), (sam, 404)):
        assert (await user.request("GET", path)).status_code == status
    got = await theo.request("GET", path)
    assert (got.headers["content-type"], got.headers["x-content-type-options"]) == ("image/webp", "nosniff")
    assert got.headers["content-disposition"].startswith("inline")
    assert not Image.open(io.BytesIO(got.content)).getexif()
    small = await theo.request("GET", path, params={"size": "thumb"})
    assert Image.open(io.BytesIO(small.content)).width == 480
    # A file goes with one message, and with its removal.
    again = await write(zoe, "profile", theo.handle, "", json={"fileIds": [file["id"]]})
    assert again.status_code == 422
    thread = sent.json()["data"]["thread"]["id"]
    assert (await zoe.request("DELETE", f"{THREADS}/{thread}/messages/1")).status_code == 200
    assert (await theo.request("GET", path)).status_code == 404


@pytest.mark.parametrize(
    ("content", "name", "shown"),
    [
        (b"%PDF-1.7 x", "plan.exe", "plan.exe.pdf"),
        (b"Dear neighbor,\r\n", "note", "note.txt"),
        (_office_file("word/document.xml"), "a.docx", "a.docx"),
        (_office_file("xl/workbook.xml"), "b", "b.xlsx"),
        (_office_file("word/document.xml", "word/vbaProject.bin"), "a.docx", None),
        (_office_file("evil.exe"), "a.docx", None),
        (b"MZ\x90\x00\x03\x00", "setup.pdf", None),
        (b"PK\x03\x04broken", "a.xlsx", None),
        (b"", "a.txt", None),
        (b"\xff\xd8\xff not a photo", "a.jpg", None),
    ],
)
async def test_file_is_known_by_content(create_user: CreateUser, content: bytes, name: str, shown: str | None) -> None:
    zoe = await create_user("Zoe Files")
    response = await _upload(zoe, content, name)
    if shown is None:
        assert response.status_code == 422
        assert response.json()["error"]["fields"].keys() == {"file"}
        return
    assert (response.status_code, response.json()["data"]["name"]) == (201, shown)
    got = await zoe.request("GET", f"/api/messages/files/{response.json()['data']['id']}")
    assert (got.content, got.headers["content-disposition"]) == (content, f"attachment; filename*=UTF-8''{shown}")


async def test_unused_upload_is_deleted_after_a_day(create_user: CreateUser, database: Database) -> None:
    zoe = await create_user("Zoe Unused")
    file = (await _upload(zoe, b"Some words", "a.txt")).json()["data"]
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE message_files SET created_at = created_at - interval '25 hours' WHERE id = %s", [file["id"]]
        )
        conn.execute("SELECT app.enqueue('messages:delete_unused_files', '{}', NULL)")
    await do_jobs(database, main_origin=ORIGIN)
    assert refusal(await zoe.request("GET", f"/api/messages/files/{file['id']}")) == (404, "not_found")


async def test_deleted_account_leaves_numbers_only(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe Leaves"), await create_user("Theo Stays")
    thread = await open_thread(zoe, theo, "My zqxsecret")
    await send(theo, thread, "Noted")
    change = (await theo.get(THREADS))["change"]
    deleted = await zoe.request("DELETE", "/api/auth/account")
    assert deleted.status_code in (200, 204), deleted.text
    kept = await card(theo, thread)
    assert (kept["other"]["name"], kept["canWrite"]) == ("Deleted neighbor", False)
    assert await texts(theo, thread) == ["", "Noted"]
    assert [one["id"] for one in (await theo.get("/api/messages/changes", after=change))["threads"]] == [thread]
    assert (await send(theo, thread)).json()["error"]["code"] == "not_taking_messages"
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("SELECT FROM messages WHERE body LIKE '%zqxsecret%'").fetchall() == []


async def test_messages_are_off_with_the_flag(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe Flags"), await create_user("Theo Flags")
    assert (await zoe.request("GET", "/api/messages/stream")).status_code == 404  # realTimeChat is off
    await open_thread(zoe, theo)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE thread_members SET mail_due_at = app.now() WHERE user_id = %s", [theo.user_id])
        conn.execute("INSERT INTO flag_settings (name, enabled) VALUES ('messaging', false)")
    try:
        await _wait_for(zoe, 404)
        assert (await zoe.request("GET", "/api/blocks")).status_code == 200
        await _process(database)
        assert _emails_about_messages(database, theo) == 0
    finally:
        with psycopg.connect(database.service_url) as conn:
            conn.execute("DELETE FROM flag_settings WHERE name = 'messaging'")
        await _wait_for(zoe, 200)
    await _process(database)
    assert _emails_about_messages(database, theo) == 1


def _emails_about_messages(database: Database, user: ApiUser) -> int:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute(
            "SELECT count(*) FROM dev_mailbox WHERE recipient = %s AND key LIKE 'messages-%%'", [user.email]
        ).fetchone()
    assert row is not None
    return int(row[0])


async def _wait_for(user: ApiUser, status: int) -> None:
    async def has_status() -> bool:
        return (await user.request("GET", THREADS)).status_code == status

    await wait_until(f"threads answer {status}", has_status)


async def test_parallel_senders_skip_no_change(create_user: CreateUser, database: Database) -> None:
    theo = await create_user("Theo Popular")
    senders = [await create_user(f"Sender {number}") for number in range(20)]
    seen: list[str] = []
    after = 0

    async def follow(stop: asyncio.Event) -> None:
        nonlocal after
        while True:
            last = stop.is_set()
            page = await theo.get("/api/messages/changes", after=after)
            seen.extend(message["id"] for message in page["messages"])
            after = page["change"]
            if last and not page["more"]:
                return

    stop = asyncio.Event()
    follower = asyncio.create_task(follow(stop))
    sent = await asyncio.gather(*(write(sender, "profile", theo.handle, f"{n}") for n, sender in enumerate(senders)))
    stop.set()
    await follower
    assert {response.status_code for response in sent} == {201}
    assert sorted(seen) == sorted(response.json()["data"]["message"]["id"] for response in sent)
    assert after == len(senders)
    _recount(database)
