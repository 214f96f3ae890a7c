"""People who pay for sessions over HTTP: some change their mind, pay twice or late, or leave the page open."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import httpx

from tests.drills.bookers import Requests, open_client
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.billing.plan_shop import DECLINES, PAYS
from tests.porchlight.bookings.api import code, execute, post_booking, post_hold
from tests.porchlight.factories import SeededGuru
from tests.porchlight.server import ServerProcess

FORM = {"expiry": "12 / 40", "cvc": "123", "name": "Ada Alvarez"}
POLL_SECONDS = 0.3
KEEPERS_LATE = 0.8  # of all people come before the first of those who keep their seat
WOKEN = 4  # people who ask again when someone is done
DONE_BEFORE_LATE = 3  # people who are done before someone pays late
MAX_PAGE_POLLS, MAX_NEWS_POLLS = 8, 25  # of someone who waits for Stripe's page, or for their session


class Habit(StrEnum):
    """The way in which someone uses their seat."""

    PAYS = "pays"
    DECLINED = "is declined, then pays"
    TWO_TABS = "pays in two tabs"
    GIVES_UP = "gives up"
    TORN = "gives up while they pay in another tab"
    NEVER = "never pays"
    LATE = "pays after the hold has expired"
    CANCELS = "pays and cancels"


KEEPS = (Habit.PAYS, Habit.DECLINED, Habit.TWO_TABS)
# By far not all of them are rid of their seat: some pay first, or cannot cancel yet.
LEAVES = (Habit.GIVES_UP, Habit.NEVER, Habit.TORN, Habit.GIVES_UP, Habit.LATE, Habit.NEVER, Habit.CANCELS)


@dataclass
class Payer:
    """Someone with an account and a habit."""

    user: ApiUser
    habit: Habit
    late_url: str = ""  # of the page that they pay once the hold has expired


class Crowd:
    """People who all want a seat in one session."""

    def __init__(self, database: Database, guru: SeededGuru, start: str, people: list[Payer]) -> None:
        self._database = database
        self._guru = guru
        self._start = start
        self._stripe: httpx.AsyncClient
        self._requests = Requests()
        self._keys = 0
        self._changed = asyncio.Condition()
        self._paying = 0  # people with a seat who are not done
        self._done = 0
        self.waiting = people
        self.counts: Counter[str] = Counter()

    async def run(self, server: ServerProcess) -> None:
        """Let everyone who waits ask for a seat, and again when others are done, until no other is at Stripe's page."""
        async with open_client(server) as client, httpx.AsyncClient(timeout=60, trust_env=False) as self._stripe:
            for one in self.waiting:
                one.user.web = client
            # Those who keep their seat come late, so that others open a page before.
            self.waiting.sort(key=lambda one: random.random() + KEEPERS_LATE * (one.habit in KEEPS))
            got_seat = await asyncio.gather(*map(self._come, self.waiting))
        self.waiting = [one for one, got in zip(self.waiting, got_seat, strict=True) if not got]

    async def _come(self, one: Payer) -> bool:
        """Ask for a seat whenever others are done. Return whether there was one in the end."""
        seen = -1
        while seen != self._done:
            seen = self._done
            if await self._visit(one):
                if one.late_url:
                    await self._wait(lambda: self._done >= seen + DONE_BEFORE_LATE)  # noqa: B023
                    await self._pay(one.late_url)
                return True
            await self._wait(lambda: self._done != seen)  # noqa: B023
        return False

    async def _wait(self, is_over: Callable[[], bool]) -> None:
        """Wait until others are done, or no other is at Stripe's page."""
        async with self._changed:
            await self._changed.wait_for(lambda: is_over() or not self._paying)

    async def _visit(self, one: Payer) -> bool:
        """Ask for a seat, and return whether there was one."""
        user, number = one.user, self._next_key()
        held = await self._send(lambda: post_hold(user, self._guru, self._start, key=f"hold-{number}"))
        if held.status_code != 201:
            assert code(held) == "session_full", held.text
            return False
        self._paying += 1
        await self._use(one, number, held.json()["data"]["token"])
        self._paying -= 1
        self._done += 1
        async with self._changed:
            self._changed.notify(WOKEN if self._paying else len(self.waiting))
        return True

    async def _use(self, one: Payer, number: int, token: str) -> None:
        """Book a seat that is held, and do with it what the person is used to."""
        user = one.user
        shown = await self._send(lambda: user.request("GET", f"/api/holds/{token}"))
        digest, headers = shown.json()["data"]["policyDigest"], {"idempotency-key": f"book-{number}"}
        booked = await self._send(lambda: post_booking(user, token, digest, headers=headers))
        assert booked.status_code == 201, booked.text
        booking_id = booked.json()["data"]["id"]
        url = await self._page(user, booking_id, booked.json()["data"]["payment"])
        if not url:
            self.counts["left without a page"] += 1
            await self._give_up(user, booking_id)
            return
        self.counts["pages"] += 1
        self.counts[one.habit] += 1
        await self._act(one, booking_id, url)

    async def _act(self, one: Payer, booking_id: str, url: str) -> None:
        match one.habit:
            case Habit.GIVES_UP:
                await self._give_up(one.user, booking_id)
            case Habit.TORN:
                await asyncio.gather(self._pay(url), self._give_up(one.user, booking_id))
            case Habit.NEVER | Habit.LATE:
                statement = "UPDATE bookings SET expires_at = app.now() WHERE id = %s AND status = 'held'"
                await asyncio.to_thread(execute, self._database, statement, booking_id)
                one.late_url = url if one.habit is Habit.LATE else ""
            case Habit.TWO_TABS:
                await asyncio.gather(self._pay(url), self._pay(url))
            case Habit.DECLINED:
                await self._pay(url, DECLINES)
                await self._pay(url)
            case Habit.PAYS:
                await self._pay(url)
            case Habit.CANCELS:
                await self._pay(url)
                await self._cancel(one.user, booking_id)

    async def _page(self, user: ApiUser, booking_id: str, payment: dict[str, Any]) -> str:
        """Wait for Stripe's page, open another if it was refused, and return its address. "": it did not come."""
        for _ in range(MAX_PAGE_POLLS):
            if payment["state"] == "open":
                return str(payment["url"])
            if payment["state"] == "failed":
                again = await self._send(lambda: user.request("POST", f"/api/bookings/{booking_id}/payment"))
                if again.status_code != 200:
                    assert code(again) in ("cards_unavailable", "hold_expired"), again.text
                    return ""
                payment = again.json()["data"]["payment"]
                continue
            await asyncio.sleep(POLL_SECONDS)
            payment = (await self._booking(user, booking_id))["payment"]
        return ""

    async def _pay(self, url: str, number: str = PAYS) -> None:
        """Fill in the card form of Stripe's page."""
        response = await self._stripe.post(url, data={"number": number, **FORM})
        assert response.status_code in (303, 402, 410), response.text
        self.counts[{303: "forms paid", 402: "cards declined", 410: "pages closed"}[response.status_code]] += 1

    async def _give_up(self, user: ApiUser, booking_id: str) -> None:
        path = f"/api/bookings/{booking_id}/payment"
        response = await self._send(lambda: user.request("DELETE", path))
        assert response.status_code == 200 or code(response) == "hold_expired", response.text

    async def _cancel(self, user: ApiUser, booking_id: str) -> None:
        """Cancel the session, if the news of its payment arrives while they look."""
        path = f"/api/bookings/{booking_id}"
        for _ in range(MAX_NEWS_POLLS):
            found = await self._booking(user, booking_id)
            if found["status"] == "confirmed":
                body = {"termsDigest": found["terms"]["digest"], "reason": ""}
                response = await self._send(lambda: user.request("POST", f"{path}/cancellation", json=body))  # noqa: B023
                # The answer to a request that did it may have been cut.
                assert response.status_code == 200 or code(response) == "booking_changed", response.text
                self.counts["canceled"] += response.status_code == 200
                return
            await asyncio.sleep(POLL_SECONDS)

    async def _booking(self, user: ApiUser, booking_id: str) -> dict[str, Any]:
        response = await self._send(lambda: user.request("GET", f"/api/bookings/{booking_id}"))
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()["data"]
        return found

    async def _send(self, request: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        """Send a request until it is answered: the same one again if the process of the API was killed."""
        while True:
            try:
                response = await self._requests.send(request)
            except httpx.TransportError:
                self.counts["requests cut"] += 1
                continue
            assert response.status_code != 500, response.text
            return response

    def _next_key(self) -> int:
        self._keys += 1
        return self._keys
