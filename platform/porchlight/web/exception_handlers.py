"""Error responses: JSON for API calls, an HTML page for browsers (docs/api.md)."""

from __future__ import annotations

import orjson
import psycopg
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from porchlight.web.field_messages import validation_error
from tenants.db.pool import TRANSIENT_ERRORS, unavailable
from tenants.http.asgi import Receive, Scope, Send
from tenants.kit.errors import ApiError, GuruNotFound, ProductError, SiteSuspended
from tenants.kit.logs import log
from tenants.kit.templates import create_environment

PAGE_CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_ERROR_PAGE = create_environment("porchlight.web").get_template("error_page.html.j2")
_STATUS_CODES = {
    400: "bad_request",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
}


def error_response(error: ProductError, path: str) -> Response:
    """Return an error as JSON. Routes of gurus repeat its message as `message` (SPEC 7.2)."""
    body = error.body()
    if path.startswith("/api/gurus/"):
        body["message"] = error.message
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    if error.retry_after is not None:
        headers["retry-after"] = str(error.retry_after)
    return Response(orjson.dumps(body), status_code=error.status, media_type="application/json", headers=headers)


def render_error_page(title: str, message: str, *, link: str | None = None, link_text: str = "") -> bytes:
    """Return an HTML page that loads no other files."""
    return _ERROR_PAGE.render(title=title, message=message, link=link, link_text=link_text).encode()


def _wants_json(scope: Scope) -> bool:
    return str(scope["path"]).startswith("/api/")


def main_origin(scope: Scope, base_host: str) -> str:
    """Return the main platform's origin, with the scheme and port of this request."""
    host = scope.get("porchlight.host")
    port = f":{host.port}" if host is not None and host.port else ""
    return f"{scope['scheme']}://{base_host}{port}"


class ErrorResponses:
    """Responses to requests that reach no app: unknown hosts, suspended sites, malformed hosts, database outages."""

    def __init__(self, base_host: str) -> None:
        self._base_host = base_host

    async def unknown_host_app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request for an unknown host: "Guru Not Found" and a "Go to Main Site" button (SPEC 2.4)."""
        await self.rejected(scope, receive, send, GuruNotFound())

    async def rejected(self, scope: Scope, receive: Receive, send: Send, error: ProductError) -> None:
        """Respond with an error, as JSON or as a page."""
        if _wants_json(scope):
            await error_response(error, scope["path"])(scope, receive, send)
            return
        origin = main_origin(scope, self._base_host)
        if error.code == "guru_not_found":
            message = "There's no site at this address. Check the spelling."
            body = render_error_page(error.message, message, link=origin + "/", link_text="Go to Main Site")
        elif isinstance(error, SiteSuspended):
            body = render_error_page("This site is no longer available", "This site is offline right now.")
        else:
            body = render_error_page("Something went wrong", error.message)
        headers = {
            "content-security-policy": PAGE_CSP,
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
        }
        if error.retry_after is not None:
            headers["retry-after"] = str(error.retry_after)
        response = Response(body, status_code=error.status, media_type="text/html; charset=utf-8", headers=headers)
        await response(scope, receive, send)


def install(app: FastAPI) -> None:
    """Add the exception handlers to an app."""

    @app.exception_handler(ProductError)
    async def _product_error(request: Request, error: ProductError) -> Response:
        return error_response(error, request.scope["path"])

    @app.exception_handler(RequestValidationError)
    async def _validation_error(request: Request, error: RequestValidationError) -> Response:
        return error_response(validation_error(error.errors()), request.scope["path"])

    @app.exception_handler(DBAPIError)
    async def _database_error(request: Request, error: DBAPIError) -> Response:
        if isinstance(error.orig, TRANSIENT_ERRORS):
            return error_response(unavailable(error), request.scope["path"])
        return await _unhandled_error(request, error)

    @app.exception_handler(psycopg.Error)
    async def _connection_error(request: Request, error: psycopg.Error) -> Response:
        """Return the same responses for connections outside the pool, which staff actions open."""
        if isinstance(error, TRANSIENT_ERRORS):
            return error_response(unavailable(error), request.scope["path"])
        return await _unhandled_error(request, error)

    @app.exception_handler(HTTPException)
    async def _http_error(request: Request, error: HTTPException) -> Response:
        api_error = ApiError(error.status_code, _STATUS_CODES.get(error.status_code, "error"), str(error.detail))
        response = error_response(api_error, request.scope["path"])
        for name, value in (error.headers or {}).items():
            response.headers[name] = value
        return response

    @app.exception_handler(Exception)
    async def _unhandled_error(request: Request, error: Exception) -> Response:
        log.error("unhandled_error", route=_route(request.scope), error=type(error).__name__, exc_info=error)
        return error_response(ApiError(500, "internal", "Server error. Please try again later."), request.scope["path"])


def _route(scope: Scope) -> str:
    return getattr(scope.get("route"), "path", "")
