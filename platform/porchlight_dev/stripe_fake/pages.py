"""The hosted pages of the local Stripe for connected accounts: onboarding in four steps, and an overview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from porchlight_dev.stripe_fake import accounts, layout
from porchlight_dev.stripe_fake.context import Context
from porchlight_dev.stripe_fake.layout import Field
from porchlight_dev.stripe_fake.store import Json, Link

VISIT_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Step:
    """A page of onboarding. Its fields carry Stripe's names."""

    slug: str
    title: str
    words: str
    fields: tuple[Field, ...]


STEPS = (
    Step(
        "person",
        "Tell us about yourself",
        "As it is on your government ID.",
        (
            Field("individual.first_name", "First name", autocomplete="given-name"),
            Field("individual.last_name", "Last name", autocomplete="family-name"),
            Field("dob", "Date of birth", kind="date", autocomplete="bday"),
            Field("individual.email", "Email", kind="email", autocomplete="email"),
            Field("individual.phone", "Phone", kind="tel", autocomplete="tel"),
        ),
    ),
    Step(
        "home",
        "Where do you live?",
        "Your home address, and the last four digits of your Social Security number (1111 fails the check).",
        (
            Field("individual.address.line1", "Address", autocomplete="address-line1"),
            Field("individual.address.city", "City", autocomplete="address-level2"),
            Field("individual.address.state", "State", autocomplete="address-level1"),
            Field("individual.address.postal_code", "ZIP code", autocomplete="postal-code", pattern=r"\d{5}"),
            Field("individual.ssn_last_4", "Last 4 digits of SSN", kind="text", pattern=r"\d{4}"),
        ),
    ),
    Step(
        "bank",
        "Where should payouts go?",
        "A checking account (000111111113 is closed: no payouts; 000555555559 gets no instant payouts).",
        (
            Field("routing", "Routing number", pattern=r"\d{9}", example="110000000"),
            Field("external_account", "Account number", pattern=r"\d{4,17}", example="000123456789"),
        ),
    ),
)


class Pages:
    """The onboarding pages and the overview."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._store = ctx.store

    def routes(self) -> list[Route]:
        """The paths of the pages."""
        return [
            Route("/", self._overview),
            Route("/events/{event}", self._redeliver, methods=["POST"]),
            Route("/setup/{token}", self._enter_setup),
            Route("/visits/{token}/{step}", self._step, methods=["GET"]),
            Route("/visits/{token}/{step}", self._save, methods=["POST"]),
        ]

    async def _enter_setup(self, request: Request) -> Response:
        """Open a single-use link. A used or expired link redirects back to get a new one."""
        link = self._store.link("setup", request.path_params["token"])
        if link is None:
            return layout.lost()
        if link.expires < self._ctx.now() or not self._store.use_link(link.token):
            return RedirectResponse(link.refresh_url, 303)
        visit = self._store.new_link(
            "visit", link.account, self._ctx.now() + VISIT_SECONDS, link.return_url, link.refresh_url
        )
        return RedirectResponse(f"/visits/{visit.token}/{STEPS[0].slug}", 303)

    def _visit(self, request: Request) -> tuple[Link, Json] | None:
        visit = self._store.link("visit", request.path_params["token"])
        account = self._store.account(visit.account) if visit and visit.expires > self._ctx.now() else None
        return (visit, account) if visit and account else None

    async def _step(self, request: Request) -> Response:
        session = self._visit(request)
        if session is None:
            return layout.lost()
        visit, account = session
        slug = request.path_params["step"]
        if slug == "review":
            return layout.review(visit, account, summary(account))
        step = next((step for step in STEPS if step.slug == slug), None)
        return layout.lost() if step is None else self._form(visit, account, step, {})

    @staticmethod
    def _form(visit: Link, account: Json, step: Step, wrong: Mapping[str, str]) -> Response:
        known = account["facts"] | {"individual.email": account["facts"].get("individual.email") or account["email"]}
        number = STEPS.index(step) + 1
        return layout.form(visit, step.title, step.words, step.fields, known, wrong, (number, len(STEPS) + 1))

    async def _save(self, request: Request) -> Response:
        session = self._visit(request)
        if session is None:
            return layout.lost()
        visit, account = session
        slug = request.path_params["step"]
        if slug == "review":
            terms = {"tos_acceptance.date": str(self._ctx.now()), "tos_acceptance.ip": "127.0.0.1"}
            accounts.change(self._ctx, account, facts=account["facts"] | terms, submitted=True)
            return RedirectResponse(visit.return_url, 303)
        step = next((step for step in STEPS if step.slug == slug), None)
        if step is None:
            return layout.lost()
        submitted = {name: str(value).strip()[:200] for name, value in (await request.form()).items()}
        given = {field.name: submitted.get(field.name, "") for field in step.fields}
        wrong = {field.name: field.fault(given[field.name]) for field in step.fields if field.fault(given[field.name])}
        valid = {name: value for name, value in given.items() if name not in wrong}
        if day := valid.get("dob"):
            parts = ("individual.dob.year", "individual.dob.month", "individual.dob.day")
            valid |= dict(zip(parts, day.split("-"), strict=True))
        account = accounts.change(self._ctx, account, facts=account["facts"] | valid)
        if wrong:
            return self._form(visit, account, step, wrong)
        slugs = [step.slug for step in STEPS] + ["review"]
        return RedirectResponse(f"/visits/{visit.token}/{slugs[slugs.index(slug) + 1]}", 303)

    async def _overview(self, _request: Request) -> Response:
        rows = [
            (account["id"], account["email"], accounts.standing(account), accounts.currently_due(account))
            for account in self._store.accounts()
        ]
        return layout.overview(rows, self._ctx.events.latest())

    async def _redeliver(self, request: Request) -> Response:
        event = self._ctx.events.again(request.path_params["event"])
        return RedirectResponse("/", 303) if event else layout.lost()


def summary(account: Json) -> list[tuple[str, str]]:
    """Return the entered values as labels and texts, with secrets shortened."""
    facts: dict[str, str] = account["facts"]
    name = f"{facts.get('individual.first_name', '')} {facts.get('individual.last_name', '')}".strip()
    address = ", ".join(
        facts[key]
        for key in (
            "individual.address.line1",
            "individual.address.city",
            "individual.address.state",
            "individual.address.postal_code",
        )
        if facts.get(key)
    )
    bank = facts.get("external_account", "")
    return [
        ("Name", name),
        ("Email", facts.get("individual.email") or str(account["email"])),
        ("Address", address),
        ("Payouts to", f"Bank account ending in {bank[-4:]}" if bank else ""),
    ]
