"""The comparison of OpenAPI documents: which differences count."""

from __future__ import annotations

import copy
from typing import Any

from porchlight_dev.checks.openapi_diff import comparable, differences

Document = dict[str, Any]


def _document(name: str = "Answer", **operation: Any) -> Document:
    schema = {
        "title": name,
        "type": "object",
        "required": ["id", "next"],
        "properties": {
            "id": {"type": "string", "title": "Id"},
            "description": {"type": "string"},
            "next": {"$ref": f"#/components/schemas/{name}"},
        },
    }
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
    get = {"operationId": "read", "responses": {"200": {"description": "OK", "content": content}}, **operation}
    return {"paths": {"/a": {"get": get}}, "components": {"schemas": {name: schema}}}


def _compare(old: Document, new: Document) -> list[str]:
    return list(differences(comparable(old), comparable(new)))


def test_renamed_schema_and_operation_are_equal() -> None:
    new = _document("LeadResponse", operationId="get_lead", summary="Get lead", tags=["leads"])
    assert _compare(_document(), new) == []


def test_removed_property_is_different() -> None:
    new = _document()
    del new["components"]["schemas"]["Answer"]["properties"]["description"]
    (line,) = _compare(_document(), new)
    assert line.endswith("properties > description: removed")


def test_changed_status_is_different() -> None:
    new = _document()
    responses = new["paths"]["/a"]["get"]["responses"]
    responses["201"] = responses.pop("200")
    assert [line.rsplit(" ", 1)[1] for line in _compare(_document(), new)] == ["removed", "added"]


def test_order_of_required_fields_is_ignored() -> None:
    new = _document()
    new["components"]["schemas"]["Answer"]["required"] = ["next", "id"]
    assert _compare(_document(), new) == []


def test_agreed_header_rename_is_equal() -> None:
    header = {"name": "porchlight-as", "in": "header", "schema": {"type": "string"}}
    old = _document(parameters=[header])
    new = copy.deepcopy(old)
    new["paths"]["/a"]["get"]["parameters"][0]["name"] = "Porchlight-Impersonate"
    assert _compare(old, new) == []
    new["paths"]["/a"]["get"]["parameters"][0]["name"] = "Porchlight-Other"
    assert len(_compare(old, new)) == 1
