"""The recorded answers, with which the web's failure tests fill its pages, are such as the API sends today."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from jsonschema_rs import Draft202012Validator

from tests.porchlight.openapi import openapi_document

ANSWERS = Path(__file__).resolve().parents[2] / "main-web/src/testing/failures/answers.gen.json"
HOW_TO_RECORD = "run `python -m tests.record_answers` with a new demo"


def _closed(schema: Any) -> Any:
    """Return the schema without fields that it doesn't name."""
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(part) for name, part in schema.items()}
    return closed | {"additionalProperties": False} if "properties" in closed else closed


@cache
def _components() -> dict[str, Any]:
    components: dict[str, Any] = _closed(openapi_document()["components"])
    return components


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    # Fixed paths first: /needs/new is not a need.
    paths = sorted(openapi_document()["paths"], key=lambda path: path.count("{"))
    return [(path, re.compile(re.sub(r"\{\w+(?::path)?\}", "[^/]+", path))) for path in paths]


@cache
def _validator(path: str, method: str, status: str) -> Draft202012Validator:
    operation = openapi_document()["paths"][path][method]
    content = operation["responses"][status].get("content", {})
    schema = _closed(content["application/json"]["schema"]) if content else {}
    return Draft202012Validator({**schema, "components": _components()})


def _answers() -> list[tuple[str, dict[str, Any]]]:
    by_viewer = json.loads(ANSWERS.read_text())["answers"]
    return [(f"{viewer} {key}", answer) for viewer, answers in by_viewer.items() for key, answer in answers.items()]


def _faults(key: str, answer: dict[str, Any]) -> list[str]:
    *_, method, url = key.split(" ", 2) if key.split(" ", 2)[1].isupper() else ("", "GET", key.split(" ", 1)[1])
    path = f"/api{urlsplit(url).path}"
    found = next((name for name, pattern in _patterns() if pattern.fullmatch(path)), None)
    if found is None:
        return [f"{key}: the API has no such path"]
    if answer["status"] >= 400:
        return []  # pages show errors by their status alone
    errors = _validator(found, method.lower(), str(answer["status"])).iter_errors(answer["body"])
    return [f"{key}: {error.message} at {list(error.instance_path)}" for error in errors]


def test_recorded_answers_are_as_the_api_sends_them() -> None:
    faults = [fault for key, answer in _answers() for fault in _faults(key, answer)]
    assert faults == [], HOW_TO_RECORD


@pytest.mark.parametrize("change", ["less", "more"])
def test_answer_with_another_field_is_a_fault(change: str) -> None:
    key, answer = next((key, answer) for key, answer in _answers() if key.endswith(" /guru"))
    body = json.loads(json.dumps(answer["body"]))
    if change == "less":
        body["data"].popitem()
    else:
        body["data"]["unheardOf"] = 1
    assert _faults(key, answer) == []
    assert _faults(key, answer | {"body": body})
