"""The fake Stripe as a process, its control API and a connected account; or a Stripe sandbox in its place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import httpx
import stripe

from tests.dev.stripe_fake.recorder import Recorder, sdk_client
from tests.porchlight.payouts.stripe_fake import CONNECT_WEBHOOK_SECRET, SECRET_KEY, Browser, StripeFake

RETURN_URL = "http://porchlight.example/"


@dataclass(frozen=True)
class StripeServer:
    """A Stripe to test: its client, and the fake behind it unless it is a sandbox."""

    client: stripe.StripeClient
    recorder: Recorder
    fake: StripeFake | None

    @property
    def url(self) -> str:
        """Return the base URL of the fake."""
        assert self.fake is not None
        return self.fake.url

    def twin(self, path: str, **values: Any) -> Any:
        """Call the control API."""
        response = httpx.post(f"{self.url}/_twin/{path}", json=values, timeout=120, trust_env=False)
        assert response.status_code == 200, response.text
        return response.json()

    def look(self, path: str, **filters: str) -> list[dict[str, Any]]:
        """Read a list of the control API."""
        response = httpx.get(f"{self.url}/_twin/{path}", params=filters, timeout=120, trust_env=False)
        return cast("list[dict[str, Any]]", response.json()["data"])

    def advance(self, seconds: int) -> None:
        """Move the fake's clock."""
        self.twin("clock", advance_s=seconds)

    def raw(self, method: str, path: str, body: str = "", *, timeout: float = 60, **headers: str) -> httpx.Response:
        """Call the API without the SDK."""
        form = {"authorization": f"Bearer {SECRET_KEY}", "content-type": "application/x-www-form-urlencoded"}
        sent = form | {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.request(method, self.url + path, content=body, headers=sent, timeout=timeout, trust_env=False)

    def connected_account(self, **changes: str) -> str:
        """Create a connected account and complete its onboarding; return its id."""
        accounts, links = self.client.v2.core.accounts, self.client.v2.core.account_links
        account = accounts.create(
            {"contact_email": "ada@example.com", "dashboard": "express", "identity": {"country": "us"}}
        )
        case: Any = {
            "type": "account_onboarding",
            "account_onboarding": {"return_url": RETURN_URL, "refresh_url": RETURN_URL},
        }
        link = links.create({"account": account.id, "use_case": case})
        Browser().complete_onboarding(link.url, **changes)
        return account.id

    def earn(self, account: str, amount: int, **options: Any) -> dict[str, Any]:
        """Give a connected account test earnings."""
        return cast("dict[str, Any]", self.twin("charges", account=account, amount=amount, **options))

    def check_events(self) -> int:
        """Check all stored events against the SDK's types; return their number."""
        events = self.look("objects", type="event")
        for event in events:
            event.pop("_account")
            self.recorder.check_event(event)
        return len(events)


def fake_server(folder: Path) -> StripeServer:
    """Start the fake; the caller stops it."""
    fake = StripeFake(folder, CONNECT_WEBHOOK_SECRET)
    fake.__enter__()
    recorder = Recorder()
    return StripeServer(sdk_client(SECRET_KEY, fake.url, recorder), recorder, fake)


def sandbox_server(key: str) -> StripeServer:
    """Return a sandbox at Stripe."""
    recorder = Recorder()
    return StripeServer(sdk_client(key, "", recorder), recorder, None)


def body_of(response: httpx.Response) -> Any:
    """Return the JSON of an answer."""
    return json.loads(response.text)
