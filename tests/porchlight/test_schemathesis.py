"""The API conforms to its OpenAPI document, tested by Schemathesis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.fixtures.databases import Database
from tests.porchlight.factories import seed_guru
from tests.porchlight.openapi import documented_routes
from tests.porchlight.server import run_server

pytestmark = pytest.mark.parts
SHORT, LONG = 4, 100  # examples an operation; 400 do not fit the hour of `make test-all`
REAL = {"subdomain": "cooking", "slug": "post-cooking-0"}


@pytest.fixture(scope="module")
def api(database: Database) -> Iterator[Any]:
    """The schema of a running server with a guru."""
    with psycopg.connect(database.service_url) as conn:
        seed_guru(conn, REAL["subdomain"])
    with run_server({"DATABASE_URL": database.app_url, "PORCHLIGHT_LIMITS": "off"}, workers=1) as server:
        schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{server.port}/api/openapi.json", timeout=60)

        # Too large is refused as well, by a status that is missing among what Schemathesis takes for a refusal.
        schema.config.checks.negative_data_rejection.expected_statuses.append("413")

        @schema.hook
        def map_path_parameters(context: Any, path_parameters: Any) -> Any:
            # Half of the guesses get past the name to what lies behind it.
            for name, value in REAL.items():
                if path_parameters and name in path_parameters and len(str(path_parameters[name])) % 2:
                    path_parameters[name] = value
            return path_parameters

        yield schema


OPERATIONS = [(method, path) for method, path in documented_routes() if path.startswith("/api/")]


def _cases(operation: Any) -> Any:
    """Generate valid requests, and invalid ones where the document has constraints."""
    allowed = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    takes_input = operation.body or operation.query or operation.path_parameters
    return allowed | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE) if takes_input else allowed


def _fuzz(api: Any, method: str, path: str, examples: int) -> None:
    """Every example the document leads to: no 5xx, and an answer as the document has it.

    A 422 is such an answer too: that a mail address exists, or a box is ticked, is no matter of types.
    """

    @given(case=_cases(api[path][method]))
    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    def keeps_its_word(case: Any) -> None:
        answer = case.call(timeout=60)
        assert answer.status_code < 500, answer.text[:300]
        case.validate_response(answer, excluded_checks=[positive_data_acceptance])

    keeps_its_word()


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_api_conforms_to_openapi_document(api: Any, method: str, path: str) -> None:
    _fuzz(api, method, path, SHORT)


@pytest.mark.drill
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_api_conforms_to_openapi_document_in_depth(api: Any, method: str, path: str) -> None:
    _fuzz(api, method, path, LONG)
