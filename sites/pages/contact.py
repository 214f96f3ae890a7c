"""The lead form as a browser without JavaScript sends it: the same action, the answer drawn into the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request

from sites.leads.actions import THANKS, content_key, leave_lead, sender
from sites.leads.schemas import LeadPayload
from sites.parts import SiteParts
from tenants.directory import Tenant
from tenants.kit import clock
from tenants.kit.errors import ProductError

FIELDS = ("name", "email", "phone", "serviceId", "message", "website")
_WORDS = {
    "name": "Please tell us your name.",
    "email": "Please enter a valid email address.",
    "message": "Please write a message.",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the lead was kept; if not, what the page shows again: everything typed, and what was wrong."""

    sent: bool
    status: int = 200
    form: dict[str, Any] | None = None
    retry_after: int | None = None


class ContactForm:
    """Takes POST /contact."""

    def __init__(self, parts: SiteParts) -> None:
        self._parts = parts

    @staticmethod
    def thanks() -> dict[str, Any]:
        """What the page shows after a lead was sent."""
        return {"sent": True, "values": {}, "errors": {}, "message": THANKS}

    async def post(self, request: Request, tenant: Tenant, address: str) -> Outcome:
        """Keep the lead that a form carries."""
        try:
            async with request.form(max_files=0, max_fields=20) as sent:
                values = {name: value for name in FIELDS if isinstance(value := sent.get(name, ""), str)}
                consent = sent.get("consent") is not None
        except (MultiPartException, ClientDisconnect, HTTPException):
            values, consent = {}, False  # nothing that a browser sends: the empty form again
        shown = {name: value[:5000] for name, value in values.items() if name != "website"}
        if consent:
            shown["consent"] = "true"
        try:
            service = values.pop("serviceId", "") or None
            lead = LeadPayload.model_validate({**values, "serviceId": service, "consent": consent})
            who = sender(self._parts.secret, address)
            key = content_key(lead, who, clock.now())
            await leave_lead(self._parts.db, tenant.id, lead, key=key, who=who, limits=self._parts.lead_limits)
        except ValidationError as wrong:
            errors = {str(error["loc"][0]): _words(error) for error in wrong.errors()}
            return Outcome(False, 422, _form(shown, errors, "Please check the highlighted fields."))
        except ProductError as refused:
            form = _form(shown, refused.fields or {}, refused.words)
            return Outcome(False, refused.status, form, refused.retry_after)
        return Outcome(True)


def _form(values: dict[str, str], errors: dict[str, str], message: str) -> dict[str, Any]:
    return {"sent": False, "values": values, "errors": errors, "message": message}


def _words(error: Any) -> str:
    if error["type"] == "string_too_long":
        return f"Please use at most {error['ctx']['max_length']} characters."
    return _WORDS.get(str(error["loc"][0]), "This is not valid.")
