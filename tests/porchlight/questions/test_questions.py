"""Questions: asked once, limited, emailed with Reply-To, read by the two neighbors only, and reportable."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import psycopg

from porchlight.features.questions.actions import MAX_QUESTIONS_A_DAY, MAX_QUESTIONS_A_DAY_TO_ONE
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer, claims
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.named_users import CreateUser

ORIGIN = "https://porchlight.example"


async def _ask(asker: ApiUser, asked: ApiUser, body: str = "Do you teach beginners?", **options: Any) -> httpx.Response:
    return await asker.request("POST", f"/api/users/{asked.handle}/questions", json={"body": body}, **options)


async def _emails(database: Database, user: ApiUser) -> list[tuple[str, str, str, str, str]]:
    """Run the jobs. Return subject, Reply-To, text, HTML and key of the questions that a user got by email."""
    await do_jobs(database, main_origin=ORIGIN)
    with psycopg.connect(database.service_url) as conn:
        return conn.execute(
            "SELECT subject, reply_to, plain, html, key FROM dev_mailbox"
            " WHERE recipient = %s AND key LIKE 'question-%%' ORDER BY sent_at, id",
            [user.email],
        ).fetchall()


async def test_question_is_emailed_once_with_reply_to(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe Quill"), await create_user("Theo Barnes")
    key = {"Idempotency-Key": "question-1"}
    responses = await asyncio.gather(*(_ask(zoe, theo, "Hi!\n<b>Free</b>?", headers=key) for _ in range(4)))
    assert sorted(response.status_code for response in responses) == [200, 200, 200, 201]
    assert (await _ask(zoe, theo, "Other words", headers=key)).status_code == 409
    ((subject, reply_to, plain, html, email_key),) = await _emails(database, theo)
    assert (subject, reply_to) == ("Zoe Quill has a question for you", zoe.email)
    assert plain.startswith("Hi Theo Barnes,\n\nZoe Quill has a question for you:\n\n> Hi!\n> <b>Free</b>?\n")
    assert "<b>Free" not in html
    question_id = email_key.removeprefix("question-")
    assert f"Answer:\n{ORIGIN}/questions/{question_id}\n" in plain

    asked, own = [await user.get(f"/api/questions/{question_id}") for user in (theo, zoe)]
    assert (asked["body"], asked["mine"], asked["replyTo"]) == ("Hi!\n<b>Free</b>?", False, zoe.email)
    assert asked["asker"] == {"handle": zoe.handle, "name": "Zoe Quill", "photoURL": ""}
    assert (own["mine"], own["replyTo"]) == (True, "")
    stranger = await create_user("Sam Stranger")
    assert (await stranger.request("GET", f"/api/questions/{question_id}")).status_code == 404

    report = {"kind": "question", "name": question_id, "reason": "spam", "details": ""}
    assert (await theo.request("POST", "/api/reports", json=report)).status_code == 201
    with psycopg.connect(database.service_url) as conn:
        title = conn.execute("SELECT subject_title FROM reports WHERE subject_name = %s", [question_id]).fetchone()
    assert title == ("Zoe Quill asked: Hi!\n<b>Free</b>?",)


async def test_question_without_key_same_text_is_resend(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe Again"), await create_user("Theo Again")
    first, again = [await _ask(zoe, theo) for _ in range(2)]
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert len(await _emails(database, theo)) == 1


async def test_questions_are_limited_per_day(create_user: CreateUser, database: Database) -> None:
    asker, others = await create_user("Ann Asker"), [await create_user(f"Nora {n}") for n in range(4)]
    statuses = [(await _ask(asker, others[0], f"One {n}")).status_code for n in range(MAX_QUESTIONS_A_DAY_TO_ONE + 1)]
    assert statuses == [201] * MAX_QUESTIONS_A_DAY_TO_ONE + [409]
    statuses = [
        (await _ask(asker, other, f"More {n}")).status_code
        for other in others[1:]
        for n in range(MAX_QUESTIONS_A_DAY_TO_ONE)
    ]
    left = MAX_QUESTIONS_A_DAY - MAX_QUESTIONS_A_DAY_TO_ONE
    assert statuses == [201] * left + [409] * (len(statuses) - left)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE questions SET created_at = created_at - interval '25 hours'")
    assert (await _ask(asker, others[0], "Tomorrow")).status_code == 201


async def test_question_to_hidden_or_own_profile_is_refused(create_user: CreateUser) -> None:
    asker, hidden = await create_user("Ava Asker"), await create_user("Hal Hidden")
    response = await hidden.request("PUT", "/api/auth/profile", json={"privacy": {"publicProfile": False}})
    assert response.status_code == 200
    assert (await _ask(asker, hidden)).status_code == 404
    own = await _ask(asker, asker)
    assert (own.status_code, own.json()["error"]["fields"]) == (422, {"body": "This is your own profile."})
    assert (await _ask(hidden, asker, "  ")).status_code == 422


async def test_question_of_unverified_user_is_refused(create_user: CreateUser, signer: Signer) -> None:
    asker, asked = await create_user("Una Unverified"), await create_user("Theo Asked")
    uid = asker.email.partition("@")[0]
    asker.token = signer.token(claims(uid, email=asker.email, email_verified=False))
    refused = await _ask(asker, asked)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "email_unverified")


async def test_question_to_unverified_address_has_no_words(create_user: CreateUser, database: Database) -> None:
    asker, asked = await create_user("Visit http://evil.example"), await create_user("Theo Unverified")
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET email_verified = false WHERE user_id = %s", [asked.user_id])
    assert (await _ask(asker, asked, "Buy zqxpills")).status_code == 201
    ((subject, reply_to, plain, html, _),) = await _emails(database, asked)
    assert (subject, reply_to) == ("A neighbor has a question for you", "")
    for word in ("evil", "zqxpills", "Theo"):
        assert word not in plain + html


async def test_question_of_private_profile_names_first_name(create_user: CreateUser, database: Database) -> None:
    zoe, theo = await create_user("Zoe Quill"), await create_user("Theo Barnes")
    private = {"privacy": {"publicProfile": False}, "firstName": "Zoe"}
    assert (await zoe.request("PUT", "/api/auth/profile", json=private)).status_code == 200
    assert (await _ask(zoe, theo)).status_code == 201
    ((subject, _reply_to, plain, html, _key),) = await _emails(database, theo)
    assert subject == "Zoe has a question for you"
    assert "Quill" not in plain + html
