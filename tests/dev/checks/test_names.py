"""Names: retired identifiers, duplicate classes, repeated helpers, test names."""

from __future__ import annotations

import pytest

from porchlight_dev.checks.names import check_test_names, duplicate_classes, repeated_helpers, retired_names

HELPER = "def build():\n    a = 1\n    b = 2\n    return a + b\n"


@pytest.mark.parametrize(
    ("path", "text", "findings_count"),
    [
        ("a.py", "plans_anew = True\n", 1),
        ("a.py", "# plans_anew\nx = 'it plans_anew now'\n", 0),
        ("a.py", 'code = "ring_over"\n', 1),
        ("a.tsx", "const id = useUid();\n", 1),
        ("a.tsx", "<h2>Keep it</h2>\n", 0),
        ("a.sql", "SELECT * FROM farewells -- old\n", 1),
    ],
)
def test_retired_name_is_found_in_code_only(path: str, text: str, findings_count: int) -> None:
    assert len(list(retired_names(path, text))) == findings_count


def test_class_defined_in_two_modules_is_found() -> None:
    findings = list(duplicate_classes({"a.py": "class Row: ...\n", "b.py": "class Row: ...\nclass Other: ...\n"}))
    assert [finding.path for finding in findings] == ["a.py", "b.py"]


def test_helper_with_same_body_in_two_files_is_found() -> None:
    assert len(list(repeated_helpers({"a.py": HELPER, "b.py": HELPER}))) == 2
    assert list(repeated_helpers({"a.py": HELPER, "b.py": HELPER.replace("2", "3")})) == []


@pytest.mark.parametrize(
    ("name", "findings"),
    [
        ("test_lead_without_consent_is_rejected", 0),
        ("test_lead", 1),
        ("test_the_lead_is_stored", 1),
        ("test_nobody_sees_other_leads", 1),
        ("test_" + "lead_" * 12 + "stored", 1),
    ],
)
def test_test_name_against_rule_is_found(name: str, findings: int) -> None:
    assert len(list(check_test_names("tests/a.py", f"def {name}() -> None: ...\n"))) == findings
