"""Tests of a refusal that assert its status only."""

from __future__ import annotations

import pytest

from porchlight_dev.checks.status_only import check_source

REQUEST = "response = send()"


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        ([REQUEST, "assert response.status_code == 422"], 1),
        (["assert send().status in (404, 409)"], 1),
        (["assert sorted(response.status_code for response in send()) == [201, 409]"], 1),
        (["send(expect=422)"], 1),
        ([REQUEST, "assert response.status_code == 200"], 0),
        ([REQUEST, "assert response.status_code == 422", "assert response.json()['error']['fields']"], 0),
        ([REQUEST, "assert refusal(response) == (409, 'taken')"], 0),
        ([REQUEST, "assert (response.status_code, response.text) == (404, '')"], 0),
        ([REQUEST, "assert (response.status_code, sorted(fields)) == (422, ['name'])"], 0),
        (["error = send(expect=422)", "assert error['code'] == 'taken'"], 0),
        (["assert send().status_code == 404", "target.assert_unchanged()"], 0),
    ],
)
def test_refusal_asserted_by_status_only_is_found(lines: list[str], count: int) -> None:
    source = "async def test_lead_is_refused() -> None:\n" + "".join(f"    {line}\n" for line in lines)
    assert len(list(check_source("tests/sites/test_leads.py", source))) == count


def test_status_in_table_of_parameters_is_found() -> None:
    source = "@parametrize('status', [409])\ndef test_a(status):\n    assert send().status_code == status\n"
    assert len(list(check_source("tests/test_a.py", source))) == 1
