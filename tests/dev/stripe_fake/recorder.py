"""A client of Stripe's SDK that checks each request and answer against the SDK's generated types as it passes."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import inspect
import json
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import urlsplit

import stripe

from porchlight_dev.stripe_fake.forms import parse_form
from tests.dev.stripe_fake import sdk_types

# What the generated types say otherwise than Stripe's documentation, or than the API answers:
EXPECTED = (
    # The fee of a payout has no charge; `fee_source` names the payout.
    ".charge: None is not str",
)


@functools.cache
def operations() -> list[tuple[str, re.Pattern[str], Any]]:
    """Return method, path and class of the parameters of every operation in the SDK's services."""
    found = []
    for module_name in _service_modules():
        module = importlib.import_module(module_name)
        names = sdk_types._names(module_name)
        for function in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(function, ast.FunctionDef):
                found += [(*operation, names) for operation in _operations_of(function)]
    return [
        (method, re.compile(re.sub(r"\{[^}]*\}", "[^/]+", path)), names.get(params, params))
        for method, path, params, names in sorted(found, key=lambda operation: operation[1].count("{"))
    ]


def _service_modules() -> Iterator[str]:
    for package in (stripe, importlib.import_module("stripe.v2.core"), importlib.import_module("stripe.checkout")):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if module.name.endswith("_service") and "v2_services" not in module.name:
                yield module.name
    yield "stripe.billing_portal._session_service"
    yield "stripe.billing_portal._configuration_service"


def _operations_of(function: ast.FunctionDef) -> Iterator[tuple[str, str, str]]:
    source = ast.unparse(function)
    call = re.search(r"self\._request\('(\w+)', '([^']+)'", source)
    params = re.search(r"params: (?:Optional\[)?'(\w+)'", source)
    if call:
        yield call[1].upper(), call[2], params[1] if params else ""


def params_class(method: str, path: str) -> Any:
    """Return the class of an operation's parameters, or None if it has none. Raises LookupError."""
    for known, pattern, params in operations():
        if known == method and pattern.fullmatch(path):
            return params or None
    raise LookupError(f"The SDK has no operation {method} {path}.")


class TypeErrors(AssertionError):
    """Requests or answers that differ from the generated types."""


class Recorder(stripe.HTTPXClient):
    """An HTTP client that checks what passes and counts the objects it has checked."""

    def __init__(self) -> None:
        super().__init__(allow_sync_methods=True, timeout=60)
        self.checked: Counter[str] = Counter()
        self.operations: set[str] = set()
        self._checking = True

    def request(
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: Any = None, **options: Any
    ) -> Any:
        """Check the request, send it, and check the answer."""
        parts = urlsplit(url)
        if self._checking:
            check_request(method.upper(), parts.path, parts.query or post_data or "")
        content, status, answer_headers = super().request(method, url, headers or {}, post_data)
        self.operations.add(f"{method.upper()} {_template(parts.path)}")
        self.checked["request"] += 1
        self.check_answer(json.loads(content), int(status))
        return content, status, answer_headers

    @contextlib.contextmanager
    def unchecked_requests(self) -> Iterator[None]:
        """Let requests pass that differ from the generated types."""
        self._checking = False
        try:
            yield
        finally:
            self._checking = True

    def check_answer(self, body: dict[str, Any], status: int = 200) -> None:
        """Check an answer or an event."""
        if status >= 400:
            if not {"type", "message"} <= body["error"].keys():
                raise TypeErrors(f"an error without type or message: {body}")
            self.checked["error"] += 1
            return
        wrong = [fault for fault in sdk_types.answer_faults(body) if not fault.endswith(EXPECTED)]
        if wrong:
            raise TypeErrors("\n".join(wrong))
        self.checked["object"] += sdk_types.count_objects(body)

    def check_event(self, event: dict[str, Any]) -> None:
        """Check an event and the object in it."""
        self.check_answer(event)
        self.check_answer(event["data"]["object"])
        self.checked["event"] += 1


def _template(path: str) -> str:
    return re.sub(r"/(?:(?:[a-z]+_)+1[0-9a-f]{20,}|pm_card_\w+)", "/{id}", path)


def check_request(method: str, path: str, body: Any) -> None:
    """Check names and values of a request's parameters. Raises TypeErrors."""
    params = params_class(method, path)
    text = body if isinstance(body, str) else (body or b"").decode()
    given = json.loads(text or "{}") if path.startswith("/v2/") else parse_form(text)
    wrong = list(_params_faults(given, params, path)) if params else [f"{path}: unexpected {name}" for name in given]
    if wrong:
        raise TypeErrors("\n".join(wrong))


def _params_faults(given: dict[str, Any], params: Any, path: str) -> Iterator[str]:
    known = sdk_types.fields(params)
    for name in given.keys() - known.keys():
        yield f"{path}: {name} is unknown to {params.__name__}"
    required: frozenset[str] = getattr(params, "__required_keys__", frozenset())
    for name in known:
        if name in required and name not in given and not sdk_types.is_optional(known[name]):
            yield f"{path}: {name} is absent"
    for name, value in given.items():
        if isinstance(value, dict) and name in known:
            yield from _nested_faults(value, known[name], f"{path} {name}")


def _nested_faults(value: dict[str, Any], annotation: Any, path: str) -> Iterator[str]:
    classes = list(typed_dicts(annotation))
    if not classes:
        return
    entries = list(value.values()) if all(key.isdigit() for key in value) else [value]
    for entry in entries:
        if isinstance(entry, dict):
            failures = [list(_params_faults(entry, cls, path)) for cls in classes]
            if all(failures):
                yield from failures[0]


def typed_dicts(annotation: Any) -> Iterator[Any]:
    """Yield the classes of nested parameters in an annotation."""
    if hasattr(annotation, "__total__"):
        yield annotation
    for argument in getattr(annotation, "__args__", ()):
        yield from typed_dicts(argument)


def sdk_client(key: str, url: str, recorder: Recorder) -> stripe.StripeClient:
    """Return the real SDK's client, whose every call the recorder checks."""
    addresses = cast("Any", {"api": url}) if url else None
    return stripe.StripeClient(key, http_client=recorder, max_network_retries=0, base_addresses=addresses)
