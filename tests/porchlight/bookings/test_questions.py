"""The questions of a service, which each hold copies, and their answers, which belong to the booking."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.app import Porchlight
from porchlight.features.bookings.questions import lifecycle
from tenants.kit.errors import KeyReused
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser, NewGuru, code, execute, free_starts, hold, post_booking
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.series import post_series, weekly
from tests.porchlight.bookings.sessions import create_owner
from tests.porchlight.bookings.test_customers import link_of
from tests.porchlight.bookings.waitlists import cancel, full_session, join, open_offer
from tests.porchlight.factories import SeededGuru
from tests.porchlight.hours.calendar_calls import BOOKING, revision, set_booking
from tests.porchlight.owner import GuruOwner

LEVEL, GOAL, NUTS = "How long have you played?", "What do you <b>want</b> to learn?", "Any allergy to nuts?"
QUESTIONS: list[dict[str, Any]] = [
    {"label": LEVEL, "kind": "choice", "required": True, "choices": ["Not yet", "A year", "Longer"]},
    {"label": GOAL, "kind": "long", "required": False, "choices": []},
    {"label": NUTS, "kind": "yes_no", "required": True, "choices": []},
]
ANSWERS = [
    {"question": LEVEL, "answer": "A year"},
    {"question": GOAL, "answer": "A <i>waltz</i> & more.\nThen a tango."},
    {"question": NUTS, "answer": "No"},
]
OTHER_ANSWERS = [{"question": LEVEL, "answer": "Longer"}, {"question": NUTS, "answer": "Yes"}]
QUOTES = '"' * 79  # twice as long in JSON
NEEDED = {"answers.0": "Please answer this question.", "answers.2": "Please answer this question."}


def asking(new_guru: NewGuru, **settings: Any) -> SeededGuru:
    """Return a guru whose service asks QUESTIONS."""
    return new_guru(questions=Jsonb(QUESTIONS), **settings)


async def change(user: ApiUser, booking_id: str, answers: list[dict[str, str]]) -> httpx.Response:
    path = f"/api/bookings/{booking_id}/question-answers"
    return await user.request("PUT", path, json={"answers": answers})


@pytest.fixture
async def gina(
    app: Porchlight, web: httpx.AsyncClient, signer: Signer, database: Database, new_guru: NewGuru
) -> GuruOwner:
    return await create_owner(app, web, signer, database, asking(new_guru))


async def test_questions_are_kept_when_their_service_changes(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner, database: Database
) -> None:
    starts, ada = await free_starts(web, gina.guru), await create_user("Ada Neighbor")
    token = await hold(web, gina.guru, starts[0])
    changed = [{"label": "Anything else?", "kind": "short", "required": False, "choices": []}]
    assert (await set_booking(gina, questions=changed))["questions"] == changed
    # A visitor sees those of the time when they chose it, before they sign in.
    assert (await web.get(f"/api/holds/{token}")).json()["data"]["questions"] == QUESTIONS
    response = await post_booking(ada, token, answers=ANSWERS)
    booked = response.json()["data"]
    assert (response.status_code, booked["questions"], booked["answers"]) == (201, QUESTIONS, ANSWERS)
    await set_booking(gina, questions=[])
    assert (await ada.get(f"/api/bookings/{booked['id']}"))["answers"] == ANSWERS
    for seen in (
        await gina.call("GET", f"/bookings/{booked['id']}"),
        (await gina.call("GET", "/bookings", params={"when": "upcoming"}))["bookings"][0],
    ):
        assert seen["answers"] == ANSWERS
    later = await hold(ada, gina.guru, starts[5])
    assert (await ada.get(f"/api/holds/{later}"))["questions"] == []
    await gina.web.aclose()


async def test_each_missing_and_wrong_answer_is_named(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, ada = asking(new_guru), await create_user("Ada Neighbor")
    token = await hold(ada, guru, (await free_starts(web, guru))[0])
    assert invalid_fields(await post_booking(ada, token)) == NEEDED
    wrong = [{"question": LEVEL, "answer": "a year"}, {"question": NUTS, "answer": "Maybe"}]
    assert invalid_fields(await post_booking(ada, token, answers=wrong)) == {
        "answers.0": "Choose one of the answers.", "answers.2": "Choose Yes or No."
    }  # fmt: skip
    unasked = [*ANSWERS, {"question": "Your income?", "answer": "None"}]
    assert list(invalid_fields(await post_booking(ada, token, answers=unasked))) == ["answers"]
    long = [{"question": GOAL, "answer": "x" * 501}]
    assert list(invalid_fields(await post_booking(ada, token, answers=long))) == ["answers.0.answer"]
    # The hold is still theirs; what is optional may stay open.
    assert (await post_booking(ada, token, answers=OTHER_ANSWERS)).json()["data"]["answers"] == OTHER_ANSWERS


async def test_booking_without_questions_takes_no_answer(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, ada = new_guru(), await create_user("Ada Neighbor")
    token = await hold(ada, guru, (await free_starts(web, guru))[0])
    assert list(invalid_fields(await post_booking(ada, token, answers=ANSWERS[:1]))) == ["answers"]
    assert (await post_booking(ada, token)).json()["data"]["answers"] == []


async def test_same_booking_again_keeps_first_answers(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, ada = asking(new_guru), await create_user("Ada Neighbor")
    token = await hold(ada, guru, (await free_starts(web, guru))[0])
    headers = {"idempotency-key": str(new_id())}
    digest = (await ada.get(f"/api/holds/{token}"))["policyDigest"]
    made = [await post_booking(ada, token, digest, answers=ANSWERS, headers=headers) for _ in range(2)]
    assert [one.status_code for one in made] == [201, 201]
    assert made[0].json()["data"]["id"] == made[1].json()["data"]["id"]
    other = await post_booking(ada, token, digest, answers=OTHER_ANSWERS, headers=headers)
    assert code(other) == KeyReused.code
    assert (await ada.get(f"/api/bookings/{made[0].json()['data']['id']}"))["answers"] == ANSWERS


async def test_series_is_asked_once_for_all_sessions(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru, ada = asking(new_guru), await create_user("Ada Neighbor")
    starts = await weekly(web, guru, 3)
    token = await hold(ada, guru, starts[0])
    assert invalid_fields(await post_series(ada, token, starts[1:])) == NEEDED
    series = (await post_series(ada, token, starts[1:], answers=ANSWERS)).json()["data"]
    assert [one["answers"] for one in series["bookings"]] == [ANSWERS] * 3
    # Afterwards each session has its own.
    second = series["bookings"][1]["id"]
    assert (await change(ada, second, OTHER_ANSWERS)).status_code == 200
    of_series = await ada.get(f"/api/bookings/series/{series['id']}")
    assert [one["answers"] for one in of_series["bookings"]] == [ANSWERS, OTHER_ANSWERS, ANSWERS]


async def test_request_and_emails_have_the_answers(
    app: Porchlight,
    web: httpx.AsyncClient,
    signer: Signer,
    create_user: CreateUser,
    new_guru: NewGuru,
    database: Database,
) -> None:
    owner = await create_owner(app, web, signer, database, asking(new_guru, approval="request"))
    ada = await create_user("Ada Neighbor")
    token = await hold(ada, owner.guru, (await free_starts(web, owner.guru))[0])
    asked = (await post_booking(ada, token, answers=ANSWERS)).json()["data"]
    (waiting,) = (await owner.call("GET", "/bookings", params={"when": "requests"}))["bookings"]
    assert waiting["answers"] == ANSWERS
    await do_jobs(database)
    await owner.call("POST", f"/bookings/{asked['id']}/answer", {"accept": True})
    await do_jobs(database)
    sent = emails(database, UUID(asked["id"]))
    for kind in ("requested", "accepted"):
        message = sent[kind, "guru"]
        assert f"{LEVEL}\n> A year" in message["plain"]
        assert "> A <i>waltz</i> & more.\n> Then a tango." in message["plain"]
        assert "What do you &lt;b&gt;want&lt;/b&gt; to learn?" in message["html"]
        assert "A &lt;i&gt;waltz&lt;/i&gt; &amp; more.<br>" in message["html"]
        assert len(message["plain"] + message["html"]) < 100_000
        assert LEVEL not in sent[kind, "person"]["plain"] + message["invitation"]
    await owner.web.aclose()


async def test_waitlist_asks_who_takes_the_spot(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=2, party_max=2)
    start, seated = await full_session(web, create_user, guru)
    execute(database, "UPDATE booking_settings SET questions = %s WHERE tenant_id = %s", Jsonb(QUESTIONS), guru.id)
    ada = await create_user("Waiting Ada")
    entry = await join(ada, guru, start)
    await cancel(*seated[0])
    token = (await open_offer(ada, entry)).json()["data"]["token"]
    assert invalid_fields(await post_booking(ada, token)) == NEEDED
    assert (await post_booking(ada, token, answers=ANSWERS)).json()["data"]["answers"] == ANSWERS


async def test_customer_of_guru_may_leave_questions_open(
    web: httpx.AsyncClient, gina: GuruOwner, database: Database
) -> None:
    body = {
        "serviceId": str(gina.guru.services[0]), "startsAt": (await free_starts(web, gina.guru))[0],
        "name": "Wanda", "email": "wanda@example.com",
    }  # fmt: skip
    wrong = await gina.web.post("/api/guru/bookings", json=body | {"answers": [{"question": NUTS, "answer": "?"}]})
    assert invalid_fields(wrong) == {"answers.2": "Choose Yes or No."}
    made = await gina.call("POST", "/bookings", body | {"answers": ANSWERS[:1]}, expect=201)
    assert made["answers"] == ANSWERS[:1]
    await do_jobs(database)
    link = link_of(database, made["id"])
    # The guru typed the address, so the email has none of these words.
    assert LEVEL not in emails(database, UUID(made["id"]))["booked", "person"]["plain"]
    page = (await web.get(link)).json()["data"]
    assert (page["questions"], page["answers"]) == (QUESTIONS, ANSWERS[:1])
    changed = await web.put(f"{link}/question-answers", json={"answers": OTHER_ANSWERS[1:]})
    assert (changed.status_code, changed.json()["data"]["answers"]) == (200, OTHER_ANSWERS[1:])
    assert changed.headers["cache-control"] == "no-store"
    await gina.web.aclose()


async def test_answers_change_until_the_session_starts(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner, database: Database
) -> None:
    ada, bob = await create_user("Ada Neighbor"), await create_user("Bob Neighbor")
    token = await hold(ada, gina.guru, (await free_starts(web, gina.guru))[0])
    booked = (await post_booking(ada, token, answers=ANSWERS)).json()["data"]
    assert (await change(bob, booked["id"], OTHER_ANSWERS)).status_code == 404
    assert invalid_fields(await change(ada, booked["id"], [])) == NEEDED
    for _ in range(2):  # the second time nothing changes, so the history doesn't grow
        response = await change(ada, booked["id"], OTHER_ANSWERS)
        assert (response.status_code, response.json()["data"]["answers"]) == (200, OTHER_ANSWERS)
    seen = await gina.call("GET", f"/bookings/{booked['id']}")
    assert seen["answers"] == OTHER_ANSWERS
    assert [one["event"] for one in seen["events"]] == ["held", "confirmed", "answers_changed"]
    assert seen["events"][-1]["actor"] == "person"
    execute(
        database,
        "UPDATE bookings SET starts_at = app.now() - interval '1 minute' WHERE id = %s",
        UUID(booked["id"]),
    )
    assert code(await change(ada, booked["id"], ANSWERS)) == "booking_changed"
    await gina.web.aclose()


async def test_many_changes_do_not_grow_the_history(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "MAX_CHANGES_IN_HISTORY", 1)
    ada = await create_user("Ada Neighbor")
    token = await hold(ada, gina.guru, (await free_starts(web, gina.guru))[0])
    booked = (await post_booking(ada, token, answers=ANSWERS)).json()["data"]
    for answers in (OTHER_ANSWERS, ANSWERS, OTHER_ANSWERS):
        assert (await change(ada, booked["id"], answers)).status_code == 200
    seen = await gina.call("GET", f"/bookings/{booked['id']}")
    assert (seen["answers"], len(seen["events"])) == (OTHER_ANSWERS, 3)
    await gina.web.aclose()


async def test_guru_cannot_set_questions_of_another(
    app: Porchlight, web: httpx.AsyncClient, signer: Signer, gina: GuruOwner, new_guru: NewGuru, database: Database
) -> None:
    other = await create_owner(app, web, signer, database, new_guru())
    body = BOOKING | {"revision": await revision(other), "questions": []}
    response = await other.web.put(f"/api/guru/services/{gina.guru.services[0]}/booking", json=body)
    assert response.status_code == 404
    own = await gina.call("GET", f"/services/{gina.guru.services[0]}/booking")
    assert own["questions"] == QUESTIONS
    await other.web.aclose()
    await gina.web.aclose()


async def test_unclear_questions_of_service_are_named(gina: GuruOwner) -> None:
    path = f"/api/guru/services/{gina.guru.services[0]}/booking"
    text = {"kind": "short", "required": False, "choices": []}
    cases: list[tuple[list[dict[str, Any]], list[str]]] = [
        ([text | {"label": " "}, text | {"label": "Level?"}], ["questions.0.label"]),
        ([text | {"label": "Level?"}, text | {"label": "level?"}], ["questions.0.label", "questions.1.label"]),
        ([text | {"label": "Level?", "kind": "choice", "choices": ["One"]}], ["questions.0.choices"]),
        ([text | {"label": "x" * 121}], ["questions.0.label"]),
        ([text | {"label": "Level?", "kind": "choice", "choices": list("abcdefghi")}], ["questions.0.choices"]),
        ([text | {"label": f"Question {number}"} for number in range(6)], ["questions"]),
    ]
    for questions, fields in cases:
        body = BOOKING | {"revision": await revision(gina), "questions": questions}
        assert list(invalid_fields(await gina.web.put(path, json=body))) == fields
    longest = [
        {"label": f"{number}{'é' * 119}", "kind": "choice", "required": True,
         "choices": [str(choice) + QUOTES for choice in range(8)]}
        for number in range(5)
    ]  # fmt: skip
    assert (await set_booking(gina, questions=longest))["questions"] == longest
    await gina.web.aclose()


async def test_database_refuses_other_answers(
    web: httpx.AsyncClient, create_user: CreateUser, gina: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    token = await hold(ada, gina.guru, (await free_starts(web, gina.guru))[0])
    booked = (await post_booking(ada, token, answers=ANSWERS)).json()["data"]
    for value in ({"a": 1}, [1] * 6, ["x" * 8001]):
        with pytest.raises((psycopg.DataError, psycopg.errors.CheckViolation)):
            execute(database, "UPDATE bookings SET answers = %s WHERE id = %s", Jsonb(value), UUID(booked["id"]))
    await gina.web.aclose()
