"""The API of the fake Stripe: the paths, payloads, errors and idempotency that the product uses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from porchlight_dev.stripe_fake import accounts
from porchlight_dev.stripe_fake.store import Json, Store, new_id

LINK_SECONDS = 300
StatusAndBody = tuple[int, Json]


def error_result(status: int, message: str, *, code: str = "", kind: str = "invalid_request_error") -> StatusAndBody:
    """Return an error in Stripe's format."""
    error = {"type": kind, "message": message} | ({"code": code} if code else {})
    return status, {"error": error}


class Api:
    """The endpoints for a platform with `secret_key`. `public_url` is the base URL of the hosted pages."""

    def __init__(self, store: Store, secret_key: str, public_url: str) -> None:
        self._store = store
        self._key = secret_key
        self._url = public_url

    def routes(self) -> list[Route]:
        """Return the routes of the API."""
        return [
            Route("/v2/core/accounts", self._endpoint(self._create_account), methods=["POST"]),
            Route("/v2/core/account_links", self._endpoint(self._create_link), methods=["POST"]),
            Route("/v1/accounts/{account}", self._endpoint(self._get_account), methods=["GET"]),
            Route("/v1/accounts/{account}/login_links", self._endpoint(self._create_login_link), methods=["POST"]),
            Route("/v1/accounts/{account}", self._endpoint(self._delete_account), methods=["DELETE"]),
        ]

    def _endpoint(self, handler: Callable[[Request, Json], StatusAndBody]) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            if request.headers.get("authorization") != f"Bearer {self._key}":
                return _respond(error_result(401, "Invalid API Key provided", kind="authentication_error"))
            body = await request.body()
            try:
                payload = json.loads(body or b"{}") if request.url.path.startswith("/v2/") else _parse_form(body)
            except ValueError:
                return _respond(error_result(400, "Invalid JSON in the request body."))
            key = request.headers.get("idempotency-key")
            if request.method == "POST" and key:
                digest = hashlib.sha256(request.url.path.encode() + b"\0" + body).hexdigest()
                result = self._store.idempotent(key, digest, lambda: handler(request, payload))
                if result is None:
                    message = "Keys for idempotent requests can only be used with the same parameters."
                    return _respond(error_result(400, message, kind="idempotency_error"))
                return _respond(result)
            return _respond(handler(request, payload))

        return endpoint

    def _create_account(self, _request: Request, payload: Json) -> StatusAndBody:
        country = (payload.get("identity") or {}).get("country")
        if not country or payload.get("dashboard") != "express":
            return error_result(
                400, "This fake Stripe supports only Express accounts with a country.", code="invalid_fields"
            )
        account = accounts.new_account(str(payload.get("contact_email") or ""), str(country))
        self._store.put_account(account)
        return 200, accounts.v2_view(account)

    def _create_link(self, _request: Request, payload: Json) -> StatusAndBody:
        account = self._store.account(str(payload.get("account")))
        case = (payload.get("use_case") or {}).get("account_onboarding") or {}
        if account is None:
            return error_result(404, "No such account.", code="resource_missing")
        if not case.get("return_url") or not case.get("refresh_url"):
            return error_result(400, "return_url and refresh_url are required.", code="parameter_missing")
        link = self._store.new_link("setup", account["id"], LINK_SECONDS, case["return_url"], case["refresh_url"])
        return 200, {
            "object": "v2.core.account_link",
            "account": account["id"],
            "livemode": False,
            "url": f"{self._url}/setup/{link.token}",
        }

    def _get_account(self, request: Request, _payload: Json) -> StatusAndBody:
        account = self._store.account(request.path_params["account"])
        if account is None or account["deleted"]:
            message = "The provided key does not have access to this account, or it does not exist."
            return error_result(403, message, code="account_invalid")
        return 200, accounts.v1_view(account)

    def _create_login_link(self, request: Request, _payload: Json) -> StatusAndBody:
        account = self._store.account(request.path_params["account"])
        if account is None:
            return error_result(404, "No such account.", code="resource_missing")
        if not account["submitted"]:
            return error_result(400, "Cannot create a login link for an account that has not completed onboarding.")
        link = self._store.new_link("express", account["id"], LINK_SECONDS)
        return 200, {"object": "login_link", "created": link.expires, "url": f"{self._url}/express/{link.token}"}

    def _delete_account(self, request: Request, _payload: Json) -> StatusAndBody:
        account = self._store.account(request.path_params["account"])
        if account is None:
            return error_result(404, "No such account.", code="resource_missing")
        self._store.put_account(account | {"deleted": True})
        return 200, {"id": account["id"], "object": "account", "deleted": True}


def _parse_form(body: bytes) -> Json:
    return dict(parse_qsl(body.decode(), strict_parsing=True)) if body else {}


def _respond(result: StatusAndBody) -> Response:
    status, body = result
    return JSONResponse(body, status, headers={"request-id": new_id("req")})
