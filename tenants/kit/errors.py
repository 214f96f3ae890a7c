"""Errors of the API, each with its status, code and message for people (docs/api.md)."""

from __future__ import annotations

from collections.abc import Mapping


class ProductError(Exception):
    """The base of API errors. Subclasses define `status`, `code` (snake_case) and `message` (SPEC's texts verbatim)."""

    status: int = 400
    code: str = "bad_request"
    message: str = "We couldn't understand that request."

    def __init__(
        self,
        message: str | None = None,
        *,
        fields: Mapping[str, str] | None = None,
        retry_after: int | None = None,
    ) -> None:
        self.message = message or self.message
        self.fields = dict(fields) if fields else None
        self.retry_after = retry_after  # seconds
        super().__init__(self.message)

    def body(self) -> dict[str, object]:
        """Return the response's JSON: {"success": false, "error": {code, message, fields?}}."""
        error: dict[str, object] = {"code": self.code, "message": self.message}
        if self.fields:
            error["fields"] = self.fields
        return {"success": False, "error": error}


class ApiError(ProductError):
    """An error without a class of its own, mostly raised by the framework."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class NotFound(ProductError):
    """Unknown, hidden, or owned by another user: the response is the same."""

    status = 404
    code = "not_found"
    message = "We couldn't find that."


class GuruNotFound(NotFound):
    """An unknown guru (SPEC 2.4)."""

    code = "guru_not_found"
    message = "Guru Not Found"


class SiteSuspended(ProductError):
    """The site of a suspended guru."""

    status = 410
    code = "site_suspended"
    message = "This site is no longer available."


class ValidationFailed(ProductError):
    """A payload with invalid fields; `fields` maps a field's name to its message."""

    status = 422
    code = "validation_failed"
    message = "Please check the highlighted fields."


class Unauthenticated(ProductError):
    """No valid sign-in (SPEC 8.2, 401)."""

    status = 401
    code = "unauthenticated"
    message = "Authentication required. Please sign in and try again."


class Forbidden(ProductError):
    """No permission (SPEC 8.2, 403)."""

    status = 403
    code = "forbidden"
    message = "Access denied. You don't have permission to perform this action."


class Conflict(ProductError):
    """A conflict with the current state, often with a concurrent change."""

    status = 409
    code = "conflict"
    message = "That has changed since you loaded it. Please reload and try again."


class AlreadyDecided(Conflict):
    """Someone else decided in the meantime."""

    code = "already_decided"
    message = "Someone else has decided this already."


class KeyReused(Conflict):
    """The idempotency key is of a request with another content."""

    code = "key_reused"
    message = "This was sent before with other details. Please reload and try again."


class TooLarge(ProductError):
    """A request body over its limit."""

    status = 413
    code = "too_large"
    message = "That's too large to send."


class Limited(ProductError):
    """Too many requests (SPEC 8.2, 429). Sends Retry-After."""

    status = 429
    code = "rate_limited"
    message = "Too many requests. Please wait a moment and try again."


class Unavailable(ProductError):
    """The database is down or its pool exhausted. Sends Retry-After."""

    status = 503
    code = "unavailable"
    message = "Server error. Please try again later."
