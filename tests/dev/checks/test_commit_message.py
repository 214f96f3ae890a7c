"""Commit messages: the rules of the commit-msg hook."""

from __future__ import annotations

import pytest

from porchlight_dev.checks.commit_message import message_faults, subject_faults


@pytest.mark.parametrize(
    "subject", ["Speed up lead POST", "Add a field to leads", "Process events", "Merge branch 'x'"]
)
def test_imperative_subject_has_no_fault(subject: str) -> None:
    assert subject_faults(subject) == []


@pytest.mark.parametrize(
    "subject",
    [
        "The lead is stored",
        "Added a field",
        "Fixes a bug",
        "Adding tests",
        "add a field",
        "Add a field.",
        "Add " + "x" * 70,
    ],
)
def test_subject_against_rule_has_one_fault(subject: str) -> None:
    assert len(subject_faults(subject)) == 1


def test_message_needs_blank_line_and_body() -> None:
    assert message_faults("Add a field\n\nThe form asks for it.\n# comment\n") == []
    assert message_faults("Add a field\n") == ["Say in the body why the change is made."]
    assert message_faults("Add a field\nThe form asks for it.\n") == ["Leave the second line empty."]
    assert message_faults("# comment\n") == ["Write a subject."]
