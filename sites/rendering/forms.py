"""The lead form and the report form as sent by a browser without JavaScript. The result is rendered into the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic.alias_generators import to_camel
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request

from sites.context import SiteContext
from sites.leads import actions as leads
from sites.leads.schemas import LEAD_DETAILS, MAX_MESSAGE_LENGTH, LeadPayload
from sites.reports import actions as reports
from sites.reports.schemas import MAX_DETAILS_LENGTH, ReportKind, ReportWords
from tenants.db.rate_limit import hash_sender
from tenants.http.idempotency import content_key
from tenants.kit import clock
from tenants.kit.errors import ProductError
from tenants.tenancy.directory import Tenant

HONEYPOT = "website"
# The fields of a form, with their values when they are missing. A checkbox is missing unless it is checked.
_LEAD_DEFAULTS: dict[str, str | None] = {
    "name": "",
    "email": "",
    **{to_camel(name): "" for name in LEAD_DETAILS},
    "serviceId": "",
    "message": "",
    HONEYPOT: "",
    "consent": None,
}
_REPORT_DEFAULTS: dict[str, str | None] = {"reason": "", "details": "", HONEYPOT: ""}
_MAX_LEAD_FIELDS = 20  # accepted in a form
_MAX_REPORT_FIELDS = 10
_LEAD_MESSAGES = {
    "name": "Please enter your name.",
    "email": "Please enter a valid email address.",
    "message": "Please write a message.",
}
_REPORT_MESSAGES = {"reason": "Please choose a reason."}


@dataclass(frozen=True, slots=True)
class FormResult:
    """The result of a form. If it was not accepted, `form` has the values and error messages to show again."""

    is_accepted: bool
    status: int = 200
    form: dict[str, Any] | None = None
    retry_after: int | None = None


def confirmation(message: str) -> dict[str, Any]:
    """Return the form props of a page that confirms an accepted form."""
    return {"sent": True, "values": {}, "errors": {}, "message": message}


async def submit_lead(context: SiteContext, request: Request, tenant: Tenant, address: str) -> FormResult:
    """Create the lead of a submitted contact form."""
    values = await read_form(request, _LEAD_DEFAULTS, _MAX_LEAD_FIELDS)
    has_consent = values.pop("consent", None) is not None
    visible = {name: value[:MAX_MESSAGE_LENGTH] for name, value in values.items() if name != HONEYPOT}
    if has_consent:
        visible["consent"] = "true"
    try:
        service = values.pop("serviceId", "") or None
        lead = LeadPayload.model_validate({**values, "serviceId": service, "consent": has_consent})
        sender = hash_sender(context.secret, address)
        key = content_key(leads.lead_digest(lead), sender.address_hash, clock.now())
        await leads.create_lead(
            context.db,
            tenant.id,
            lead,
            key=key,
            sender=sender,
            proof=leads.lead_proof(context.secret, tenant.id, key),
            limit=context.lead_limit,
            verified_email=await context.verified_email(request),
        )
    except ValidationError as error:
        return _invalid(visible, error, _LEAD_MESSAGES)
    except ProductError as error:
        return _rejected(visible, error)
    return FormResult(True)


async def submit_report(
    context: SiteContext, request: Request, subject: tuple[ReportKind, str], address: str
) -> FormResult:
    """Create the report of a submitted report form."""
    values = await read_form(request, _REPORT_DEFAULTS, _MAX_REPORT_FIELDS)
    visible = {name: value[:MAX_DETAILS_LENGTH] for name, value in values.items() if name != HONEYPOT}
    try:
        report = ReportWords.model_validate(values)
        reporter = reports.reporter(context.secret, address)
        limit = None if context.lead_limit is None else reports.REPORTS_PER_HOUR
        await reports.create_report(context.db, subject, report, reporter=reporter, secret=context.secret, limit=limit)
    except ValidationError as error:
        return _invalid(visible, error, _REPORT_MESSAGES)
    except ProductError as error:
        return _rejected(visible, error)
    return FormResult(True)


async def read_form(request: Request, defaults: Mapping[str, str | None], max_fields: int) -> dict[str, str]:
    """Return the text fields of a form. A malformed form, which no browser sends, has none."""
    try:
        async with request.form(max_files=0, max_fields=max_fields) as form:
            values = {name: form.get(name, default) for name, default in defaults.items()}
    except (MultiPartException, ClientDisconnect, HTTPException):
        return {}
    return {name: value for name, value in values.items() if isinstance(value, str)}


def _invalid(values: dict[str, str], error: ValidationError, messages: dict[str, str]) -> FormResult:
    errors = {str(detail["loc"][0]): _message(detail, messages) for detail in error.errors()}
    return FormResult(False, 422, _form_props(values, errors, "Please check the highlighted fields."))


def _rejected(values: dict[str, str], error: ProductError) -> FormResult:
    form = _form_props(values, error.fields or {}, error.message)
    return FormResult(False, error.status, form, error.retry_after)


def _form_props(values: dict[str, str], errors: dict[str, str], message: str) -> dict[str, Any]:
    return {"sent": False, "values": values, "errors": errors, "message": message}


def _message(detail: Any, messages: dict[str, str]) -> str:
    if detail["type"] == "string_too_long":
        return f"Use {detail['ctx']['max_length']} characters or fewer."
    return messages.get(str(detail["loc"][0]), "Please enter a valid value.")
