"""Citations: which texts count as one, and which resolve."""

from __future__ import annotations

from pathlib import Path

import pytest

from porchlight_dev.checks.citations import check_links, check_paths, check_text, citations, headings

DOCUMENT = "# Title\n\n## 2. Screens\n\n### 2.4 Guru site\n\n## 8. Errors\n\n### 8.1 Codes\n"
KNOWN = {"SPEC": headings(DOCUMENT), "MONEY": {"4"}}


def test_headings_of_document_are_its_numbers() -> None:
    assert headings(DOCUMENT) == {"2", "2.4", "8", "8.1"}


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("(SPEC 2.4)", ["2.4"]),
        ("(SPEC 2.4, 8.1)", ["2.4", "8.1"]),
        ("SPEC 2 and 8.", ["2", "8"]),
        ("SPEC's 8.1", ["8.1"]),
        ("SPEC 2 and 3 rows", ["2"]),
        ("SPEC's 401: sign in", []),
        ("SPECIAL 4", []),
    ],
)
def test_citation_forms_are_recognized(text: str, sections: list[str]) -> None:
    assert [section for _, _, section in citations(text)] == sections


def test_citation_of_missing_heading_is_found() -> None:
    findings = list(check_text("a.py", "# SPEC 2.4\n# SPEC 2.9 and MONEY 4\n", KNOWN))
    assert [(finding.line, finding.message) for finding in findings] == [
        (2, "SPEC 2.9: docs/SPEC.md has no heading 2.9")
    ]


def test_citation_of_document_without_numbers_is_found() -> None:
    (finding,) = check_text("a.py", "# ARCHITECTURE 4", KNOWN)
    assert finding.message == "ARCHITECTURE 4: cite the page instead, such as docs/tenancy.md"


def test_link_to_missing_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "there.md").touch()
    text = "[a](there.md#part) [b](https://example.com) [c](/blog/x)\n[d](missing.md)"
    (finding,) = check_links(tmp_path, "README.md", text)
    assert (finding.line, finding.message) == (2, "missing.md: the link's target does not exist")


def test_path_of_missing_file_in_comment_is_found(tmp_path: Path) -> None:
    (tmp_path / "infra").mkdir()
    (tmp_path / "infra/Caddyfile.local").touch()
    text = "# as infra/Caddyfile.local says.\ncall()  // see infra/Dockerfile.caddy\nopen('infra/none.py')\n"
    assert [str(finding.line) for finding in check_paths(tmp_path, "x.ts", text)] == ["2"]


def test_path_of_missing_file_in_docstring_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/tenancy.md").touch()
    text = '"""The resolver.\n\nSee docs/tenancy.md and docs/tenants.md.\n"""\nopen("docs/none.md")\n'
    (finding,) = check_paths(tmp_path, "x.py", text)
    assert (finding.line, finding.message) == (3, "docs/tenants.md: no file has this path")


def test_path_of_missing_file_in_document_is_found(tmp_path: Path) -> None:
    text = "Rows are isolated.\nSee `tenants/db/rls.py`, not tenants/db/none.py.\n"
    (finding,) = check_paths(tmp_path, "docs/x.md", text)
    assert (finding.line, finding.message) == (2, "tenants/db/rls.py: no file has this path")
