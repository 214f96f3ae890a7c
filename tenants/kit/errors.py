"""Refusals: what the product says no to, with the status and the words a person reads (DESIGN 10, 12)."""

from __future__ import annotations

from collections.abc import Mapping


class ProductError(Exception):
    """A refusal. Subclasses name `status`, `code` (snake_case) and `message` (SPEC's words where it has them)."""

    status: int = 400
    code: str = "bad_request"
    message: str = "That request could not be understood."

    def __init__(
        self,
        message: str | None = None,
        *,
        fields: Mapping[str, str] | None = None,
        retry_after: int | None = None,
    ) -> None:
        self.words = message or self.message
        self.fields = dict(fields) if fields else None
        self.retry_after = retry_after  # seconds
        super().__init__(self.words)

    def body(self) -> dict[str, object]:
        """The answer's JSON: {"success": false, "error": {code, message, fields?}}."""
        error: dict[str, object] = {"code": self.code, "message": self.words}
        if self.fields:
            error["fields"] = self.fields
        return {"success": False, "error": error}


class Refused(ProductError):
    """A refusal that the framework, not the product, came upon."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class NotFound(ProductError):
    """Unknown, foreign and hidden things answer alike."""

    status = 404
    code = "not_found"
    message = "We could not find that."


class GuruNotFound(NotFound):
    """SPEC 2.4."""

    code = "guru_not_found"
    message = "Guru Not Found"


class SiteSuspended(ProductError):
    """A suspended guru's site."""

    status = 410
    code = "site_suspended"
    message = "This site is no longer available."


class ValidationFailed(ProductError):
    """A payload with wrong fields; `fields` maps a field's name to its message."""

    status = 422
    code = "validation_failed"
    message = "Please check the highlighted fields."


class Unauthenticated(ProductError):
    """SPEC 8.2, 401."""

    status = 401
    code = "unauthenticated"
    message = "Authentication required. Please sign in and try again."


class Forbidden(ProductError):
    """SPEC 8.2, 403."""

    status = 403
    code = "forbidden"
    message = "Access denied. You don't have permission to perform this action."


class Conflict(ProductError):
    """Somebody or something else was there first."""

    status = 409
    code = "conflict"
    message = "That has changed in the meantime. Please reload and try again."


class TooLarge(ProductError):
    """A body over its limit."""

    status = 413
    code = "too_large"
    message = "That is too large to send."


class Limited(ProductError):
    """SPEC 8.2, 429. Carries Retry-After."""

    status = 429
    code = "rate_limited"
    message = "Too many requests. Please wait a moment and try again."


class Unavailable(ProductError):
    """The database or a pool is out for the moment. Carries Retry-After."""

    status = 503
    code = "unavailable"
    message = "Server error. Please try again later."
