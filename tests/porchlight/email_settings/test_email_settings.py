"""Email settings: signed in, by the page's link, and by the link for mail programs."""

from __future__ import annotations

from uuid import UUID

import httpx
import psycopg

from porchlight.emails.kinds import ALWAYS, CHOICES, MailKind, OptOut, find_opt_out
from porchlight.features.search.alerts import SEND_ALERTS_TASK
from porchlight.ports import EmailMessage
from tenants.db.jobs import enqueue_as_service
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.jobs import do_jobs, running_job
from tests.porchlight.auth.api_client import bearer_header, register_user
from tests.porchlight.factories import seed_user
from tests.porchlight.matches.factories import UserData, insert_user

ORIGIN = "https://porchlight.example"
ONE_CLICK = {"List-Unsubscribe": "One-Click"}
FOR_ALL = [kind for kind, choice in CHOICES.items() if not choice.guru_only]


def links(database: Database, person: UUID, kind: MailKind) -> tuple[str, str]:
    """Return the paths of the page and for mail programs in an email of a kind."""
    with running_job(database, SEND_ALERTS_TASK) as job, job.for_user(person).transaction() as conn:
        found = find_opt_out(conn, kind, person, ORIGIN)
        assert conn.execute("SELECT app.user_id()").fetchone() == (person,)
    return f"/api{found.page_url.removeprefix(ORIGIN)}", found.one_click_url.removeprefix(ORIGIN)


def state(response: httpx.Response) -> dict[str, bool]:
    """Return which kinds are on."""
    assert response.status_code == 200
    return {item["kind"]: item["isOn"] for item in response.json()["data"]["settings"]}


async def test_page_link_changes_every_kind_without_sign_in(database: Database, web: httpx.AsyncClient) -> None:
    with psycopg.connect(database.service_url) as conn:
        person, other = (seed_user(conn) for _ in range(2))
    own = links(database, person, MailKind.NEEDS)
    page, _ = own
    for _ in range(2):  # a mail scanner and the person open it
        response = await web.get(page)
        assert state(response) == dict.fromkeys(FOR_ALL, True)
        assert response.json()["data"]["complete"] is True
    changed = await web.put(page, json={"kind": "search_alerts", "isOn": False})
    assert state(changed) == dict.fromkeys(FOR_ALL, True) | {MailKind.SEARCH_ALERTS: False}
    assert state(await web.get(links(database, other, MailKind.NEEDS)[0])) == dict.fromkeys(FOR_ALL, True)
    assert state(await web.put(page, json={"kind": "search_alerts", "isOn": True}))["search_alerts"] is True
    assert links(database, person, MailKind.NEEDS) == own, "the links stay"
    for kind in ("all", "account", "x"):
        assert (await web.put(page, json={"kind": kind, "isOn": False})).status_code == 422
    assert (await web.post(f"{page}/unsubscription", data=ONE_CLICK)).status_code == 404


async def test_mail_program_ends_one_kind_for_one_person(database: Database, web: httpx.AsyncClient) -> None:
    with psycopg.connect(database.service_url) as conn:
        person, other = (seed_user(conn) for _ in range(2))
    found, found_of_other = (links(database, user, MailKind.REMINDERS) for user in (person, other))
    page, one_click = found
    opened = await web.get(one_click)
    assert (opened.status_code, opened.headers["location"].endswith(one_click.split("/")[3])) == (303, True)
    for nothing in ({}, {"List-Unsubscribe": "No"}, {"x": "One-Click" * 400, "List-Unsubscribe": ""}):
        assert (await web.post(one_click, data=nothing)).status_code == 400
    assert links(database, person, MailKind.REMINDERS) == found, "only a POST of a mail program changes it"
    link = one_click.removesuffix("/unsubscription")
    assert (await web.put(link, json={"kind": "needs", "isOn": False})).status_code == 404
    assert state(await web.get(link)) == {"reminders": True}
    for _ in range(2):  # with a form, then with form data; the second changes nothing
        assert (await web.post(one_click, data=ONE_CLICK)).status_code == 200
        response = await web.post(one_click, files={"List-Unsubscribe": (None, "One-Click")})
        assert response.status_code == 200
        assert response.json()["message"] == "You won't get these emails anymore."
    assert state(await web.get(page)) == dict.fromkeys(FOR_ALL, True) | {"reminders": False}
    assert links(database, other, MailKind.REMINDERS) == found_of_other
    assert state(await web.put(link, json={"kind": "reminders", "isOn": True})) == {"reminders": True}


async def test_unknown_token_is_not_found(web: httpx.AsyncClient) -> None:
    for token in (str(new_id()), "x", "%00", "0" * 32):
        path = f"/api/email-settings/{token}"
        responses = [
            await web.get(path),
            await web.put(path, json={"kind": "needs", "isOn": False}),
            await web.post(f"{path}/unsubscription", data=ONE_CLICK),
        ]
        for response in responses:
            assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


async def test_own_settings_follow_sign_in(web: httpx.AsyncClient, emulator: Emulator) -> None:
    tokens = [emulator.sign_up()[2] for _ in range(2)]
    for token in tokens:
        await register_user(web, token)
    headers = [bearer_header(token) for token in tokens]
    own = dict.fromkeys([*ALWAYS, *FOR_ALL], True)
    off = await web.put("/api/email-settings", json={"kind": "swap_rings", "mail": "never"}, headers=headers[0])
    assert state(off) == own | {"swap_rings": False}
    assert state(await web.get("/api/email-settings", headers=headers[0])) == state(off)
    assert state(await web.get("/api/email-settings", headers=headers[1])) == own
    assert (await web.get("/api/email-settings")).status_code == 401


async def test_alert_email_stops_after_one_click(database: Database, web: httpx.AsyncClient) -> None:
    with psycopg.connect(database.service_url) as conn:
        fan = insert_user(conn, UserData("Fan of beekeeping"))
        conn.execute("INSERT INTO saved_searches (user_id, id, words) VALUES (%s, %s, 'beekeeping')", [fan, new_id()])
        ((address,),) = conn.execute("SELECT email FROM users WHERE user_id = %s", [fan]).fetchall()
    sent: list[EmailMessage] = []

    class Mailer:
        def send(self, message: EmailMessage) -> bool:
            sent.extend([message] if message.recipient == address else [])
            return True

    async def teach(name: str) -> None:
        with psycopg.connect(database.service_url) as conn:
            insert_user(conn, UserData(name, ["Beekeeping"]))
            enqueue_as_service(conn, SEND_ALERTS_TASK)
        await do_jobs(database, mailer=Mailer())

    await teach("First beekeeper")
    (message,) = sent
    assert "Choose which emails you get:\nhttps://porchlight.example/email-settings/" in message.text
    response = await web.post(message.unsubscribe_url.removeprefix(ORIGIN), data=ONE_CLICK)
    assert response.status_code == 200
    await teach("Second beekeeper")
    assert len(sent) == 1


async def test_site_without_account_has_no_link(database: Database) -> None:
    with running_job(database, "leads:notify_guru", tenant_id=new_id()) as job, job.transaction() as conn:
        found = find_opt_out(conn, MailKind.LEADS, None, ORIGIN)
    assert found == OptOut(MailKind.LEADS, "", "")
