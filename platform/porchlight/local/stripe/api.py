"""The API of the local Stripe, as far as the product uses it: the same paths, payloads, errors and idempotency."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from porchlight.local.stripe import accounts
from porchlight.local.stripe.store import Json, Store, new_name

LINK_SECONDS = 300
Answer = tuple[int, Json]


def problem(status: int, message: str, *, code: str = "", kind: str = "invalid_request_error") -> Answer:
    """An error as Stripe words it."""
    error = {"type": kind, "message": message} | ({"code": code} if code else {})
    return status, {"error": error}


class Api:
    """The calls of a platform with `secret_key`. `public_url` is where browsers reach the hosted pages."""

    def __init__(self, store: Store, secret_key: str, public_url: str) -> None:
        self._store = store
        self._key = secret_key
        self._url = public_url

    def routes(self) -> list[Route]:
        """The paths of the API."""
        return [
            Route("/v2/core/accounts", self._call(self._create_account), methods=["POST"]),
            Route("/v2/core/account_links", self._call(self._create_link), methods=["POST"]),
            Route("/v1/accounts/{account}", self._call(self._account), methods=["GET"]),
            Route("/v1/accounts/{account}/login_links", self._call(self._create_login_link), methods=["POST"]),
            Route("/v1/accounts/{account}", self._call(self._delete_account), methods=["DELETE"]),
        ]

    def _call(self, answer: Callable[[Request, Json], Answer]) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            if request.headers.get("authorization") != f"Bearer {self._key}":
                return _respond(problem(401, "Invalid API Key provided", kind="authentication_error"))
            body = await request.body()
            try:
                payload = json.loads(body or b"{}") if request.url.path.startswith("/v2/") else _form(body)
            except ValueError:
                return _respond(problem(400, "Invalid JSON in the request body."))
            key = request.headers.get("idempotency-key")
            if request.method == "POST" and key:
                digest = hashlib.sha256(request.url.path.encode() + b"\0" + body).hexdigest()
                answered = self._store.answered(key, digest, lambda: answer(request, payload))
                if answered is None:
                    words = "Keys for idempotent requests can only be used with the same parameters."
                    return _respond(problem(400, words, kind="idempotency_error"))
                return _respond(answered)
            return _respond(answer(request, payload))

        return endpoint

    def _create_account(self, _request: Request, payload: Json) -> Answer:
        country = (payload.get("identity") or {}).get("country")
        if not country or payload.get("dashboard") != "express":
            return problem(400, "This Stripe knows Express accounts with a country only.", code="invalid_fields")
        made = accounts.new_account(str(payload.get("contact_email") or ""), str(country))
        self._store.put_account(made)
        return 200, accounts.v2_view(made)

    def _create_link(self, _request: Request, payload: Json) -> Answer:
        account = self._store.account(str(payload.get("account")))
        case = (payload.get("use_case") or {}).get("account_onboarding") or {}
        if account is None:
            return problem(404, "No such account.", code="resource_missing")
        if not case.get("return_url") or not case.get("refresh_url"):
            return problem(400, "return_url and refresh_url are required.", code="parameter_missing")
        link = self._store.new_link("setup", account["id"], LINK_SECONDS, case["return_url"], case["refresh_url"])
        return 200, {
            "object": "v2.core.account_link",
            "account": account["id"],
            "livemode": False,
            "url": f"{self._url}/setup/{link.token}",
        }

    def _account(self, request: Request, _payload: Json) -> Answer:
        account = self._store.account(request.path_params["account"])
        if account is None or account["deleted"]:
            words = "The provided key does not have access to this account, or it does not exist."
            return problem(403, words, code="account_invalid")
        return 200, accounts.v1_view(account)

    def _create_login_link(self, request: Request, _payload: Json) -> Answer:
        account = self._store.account(request.path_params["account"])
        if account is None:
            return problem(404, "No such account.", code="resource_missing")
        if not account["submitted"]:
            return problem(400, "Cannot create a login link for an account that has not completed onboarding.")
        link = self._store.new_link("express", account["id"], LINK_SECONDS)
        return 200, {"object": "login_link", "created": link.expires, "url": f"{self._url}/express/{link.token}"}

    def _delete_account(self, request: Request, _payload: Json) -> Answer:
        account = self._store.account(request.path_params["account"])
        if account is None:
            return problem(404, "No such account.", code="resource_missing")
        self._store.put_account(account | {"deleted": True})
        return 200, {"id": account["id"], "object": "account", "deleted": True}


def _form(body: bytes) -> Json:
    return dict(parse_qsl(body.decode(), strict_parsing=True)) if body else {}


def _respond(answer: Answer) -> Response:
    status, body = answer
    return JSONResponse(body, status, headers={"request-id": new_name("req")})
