"""How refusals are answered: JSON for calls, a plain page for people (DESIGN 10)."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from porchlight.logs import log
from tenants.edge import Receive, Scope, Send
from tenants.kit.db import TRANSIENT, unavailable
from tenants.kit.errors import GuruNotFound, ProductError, Refused, SiteSuspended, ValidationFailed

PAGE_CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_WORDS = {400: "bad_request", 401: "unauthenticated", 403: "forbidden", 404: "not_found", 405: "method_not_allowed"}


def refusal(error: ProductError, path: str) -> Response:
    """The JSON answer of a refusal. Guru calls carry the words once more as `message` (SPEC 7.2)."""
    body = error.body()
    if path.startswith("/api/gurus/"):
        body["message"] = error.words
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    if error.retry_after is not None:
        headers["retry-after"] = str(error.retry_after)
    return Response(orjson.dumps(body), status_code=error.status, media_type="application/json", headers=headers)


def page(title: str, words: str, *, link: str | None = None, link_words: str = "") -> bytes:
    """A plain page that needs nothing else to be served: for hosts without a site."""
    button = f'<p><a href="{html.escape(link)}">{html.escape(link_words)}</a></p>' if link else ""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>{html.escape(title)}</title><style>
html{{color-scheme:dark}}body{{margin:0;min-height:100vh;display:grid;place-items:center;background:#0b1210;color:#e8f0ec;
font:1.0625rem/1.6 system-ui,sans-serif}}main{{max-width:32rem;padding:2rem 1.5rem;text-align:center}}
h1{{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem}}p{{margin:0 0 1.5rem;color:#b5c4bc}}
a{{display:inline-block;padding:.75rem 1.5rem;border-radius:.75rem;background:#34d07f;color:#06130c;font-weight:600;
text-decoration:none}}a:focus-visible{{outline:3px solid #fff;outline-offset:3px}}</style></head>
<body><main><h1>{html.escape(title)}</h1><p>{html.escape(words)}</p>{button}</main></body></html>""".encode()


def _wants_json(scope: Scope) -> bool:
    return str(scope["path"]).startswith("/api/")


def main_origin(scope: Scope, base_host: str) -> str:
    """The main platform's origin as this request reached us: same scheme, same port."""
    host = scope.get("porchlight.host")
    port = f":{host.port}" if host is not None and host.port else ""
    return f"{scope['scheme']}://{base_host}{port}"


class Refusals:
    """Answers for requests that reach no app: unknown hosts, suspended sites, malformed hosts, a database away."""

    def __init__(self, base_host: str) -> None:
        self._base_host = base_host

    async def nobody(self, scope: Scope, receive: Receive, send: Send) -> None:
        """SPEC 2.4: "Guru Not Found" with a "Go to Main Site" button."""
        await self.refused(scope, receive, send, GuruNotFound())

    async def refused(self, scope: Scope, receive: Receive, send: Send, error: ProductError) -> None:
        """A refusal in the form the request wants."""
        if _wants_json(scope):
            await refusal(error, scope["path"])(scope, receive, send)
            return
        origin = main_origin(scope, self._base_host)
        if error.code == "guru_not_found":
            words = "There is no guru at this address. Perhaps it was mistyped."
            body = page(error.words, words, link=origin + "/", link_words="Go to Main Site")
        elif isinstance(error, SiteSuspended):
            body = page("This site is no longer available", "It has been taken down.")
        else:
            body = page("Something went wrong", error.words)
        headers = {
            "content-security-policy": PAGE_CSP,
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
        }
        if error.retry_after is not None:
            headers["retry-after"] = str(error.retry_after)
        answer = Response(body, status_code=error.status, media_type="text/html; charset=utf-8", headers=headers)
        await answer(scope, receive, send)


def _field_name(location: Sequence[int | str]) -> str:
    parts = [str(part) for part in location if part not in ("body", "query", "path", "header")]
    return ".".join(parts) or "body"


_PLAIN: Mapping[str, str] = {
    "missing": "This field is required.",
    "string_too_short": "This field is required.",
    "extra_forbidden": "This field is not known here.",
    "json_invalid": "This is not valid JSON.",
    "string_type": "This must be text.",
    "bool_type": "This must be true or false.",
    "int_parsing": "This must be a whole number.",
}


def _words(error: ErrorDetails) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind == "string_too_long":
        return f"Please use at most {context['max_length']} characters."
    if kind == "value_error":
        return f"This {context['error']}." if "error" in context else "This is not valid."
    return "This is not valid."


def invalid(errors: Sequence[Any]) -> ValidationFailed:
    """A refusal that names each wrong field and never repeats what was sent."""
    named = ((_field_name(error["loc"])[:80].encode("utf-8", "replace").decode(), error) for error in errors[:50])
    return ValidationFailed(fields={name: _words(error) for name, error in named})


def install(app: FastAPI) -> None:
    """Give an app the product's answers to everything that goes wrong."""

    @app.exception_handler(ProductError)
    async def _refused(request: Request, error: ProductError) -> Response:
        return refusal(error, request.scope["path"])

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        return refusal(invalid(error.errors()), request.scope["path"])

    @app.exception_handler(DBAPIError)
    async def _database(request: Request, error: DBAPIError) -> Response:
        if isinstance(error.orig, TRANSIENT):
            return refusal(unavailable(error), request.scope["path"])
        return await _broken(request, error)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        made = Refused(error.status_code, _WORDS.get(error.status_code, "error"), str(error.detail))
        answer = refusal(made, request.scope["path"])
        for name, value in (error.headers or {}).items():
            answer.headers[name] = value
        return answer

    @app.exception_handler(Exception)
    async def _broken(request: Request, error: Exception) -> Response:
        log.error("unhandled", route=_route(request.scope), kind=type(error).__name__, exc_info=error)
        return refusal(Refused(500, "internal", "Server error. Please try again later."), request.scope["path"])


def _route(scope: Scope) -> str:
    return getattr(scope.get("route"), "path", "")
