"""The report form as any browser sends it, with or without JavaScript; the answer is drawn into the page."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request

from sites.pages.contact import Outcome
from sites.parts import SiteParts
from sites.reports.actions import THANKS, UNLIMITED, ReportLimits, leave_report, reporter
from sites.reports.schemas import DETAILS, Kind, ReportWords
from tenants.kit.errors import ProductError

FIELDS = ("reason", "details", "website")
_WORDS = {"reason": "Please choose a reason."}


class ReportForm:
    """Takes POST /report and POST /report/blog/{slug}."""

    def __init__(self, parts: SiteParts) -> None:
        self._parts = parts
        self._limits = UNLIMITED if parts.lead_limits is None else ReportLimits()

    @staticmethod
    def thanks() -> dict[str, Any]:
        """What the page shows after a report was sent."""
        return {"sent": True, "values": {}, "errors": {}, "message": THANKS}

    async def post(self, request: Request, subject: tuple[Kind, str], address: str) -> Outcome:
        """Keep the report that a form carries."""
        try:
            async with request.form(max_files=0, max_fields=10) as sent:
                values = {name: value for name in FIELDS if isinstance(value := sent.get(name, ""), str)}
        except (MultiPartException, ClientDisconnect, HTTPException):
            values = {}  # nothing that a browser sends: the empty form again
        shown = {name: value[:DETAILS] for name, value in values.items() if name != "website"}
        try:
            words = ReportWords.model_validate(values)
            who = reporter(self._parts.secret, address)
            await leave_report(self._parts.db, subject, words, who=who, limits=self._limits)
        except ValidationError as wrong:
            errors = {str(error["loc"][0]): _words(error) for error in wrong.errors()}
            return Outcome(False, 422, _form(shown, errors, "Please check the highlighted fields."))
        except ProductError as refused:
            return Outcome(
                False, refused.status, _form(shown, refused.fields or {}, refused.words), refused.retry_after
            )
        return Outcome(True)


def _form(values: dict[str, str], errors: dict[str, str], message: str) -> dict[str, Any]:
    return {"sent": False, "values": values, "errors": errors, "message": message}


def _words(error: Any) -> str:
    if error["type"] == "string_too_long":
        return f"Please use at most {error['ctx']['max_length']} characters."
    return _WORDS.get(str(error["loc"][0]), "This is not valid.")
