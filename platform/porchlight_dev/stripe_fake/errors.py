"""Errors in Stripe's format (https://docs.stripe.com/api/errors, https://docs.stripe.com/error-codes)."""

from __future__ import annotations

from typing import Any

from porchlight_dev.stripe_fake.store import Json


class StripeRefusal(Exception):
    """A refusal of a call. With `keep` its effects on stored objects remain, as those of a declined payment do."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        code: str = "",
        kind: str = "invalid_request_error",
        param: str = "",
        keep: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.keep = keep
        self._error: Json = {"type": kind, "message": message}
        if code:
            self._error |= {"code": code, "doc_url": f"https://stripe.com/docs/error-codes/{code.replace('_', '-')}"}
        if param:
            self._error["param"] = param
        self._error |= more

    def body(self) -> Json:
        """Return the body of the answer."""
        return {"error": self._error}


class ValidationError(StripeRefusal):
    """Wrong parameters. Stripe stores no result for them, because the endpoint did not begin to execute."""


def no_such(noun: str, identifier: object, param: str = "id") -> StripeRefusal:
    """Return the error for an unknown object."""
    return StripeRefusal(f"No such {noun}: '{identifier}'", status=404, code="resource_missing", param=param)


def missing_reference(noun: str, identifier: object, param: str) -> StripeRefusal:
    """Return the error for a parameter that names an unknown object."""
    return StripeRefusal(f"No such {noun}: '{identifier}'", code="resource_missing", param=param)
