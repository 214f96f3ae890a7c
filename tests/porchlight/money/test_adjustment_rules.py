"""The decision on adjustments, without a database."""

from __future__ import annotations

import pytest

from porchlight.money.adjustment_rules import (
    ALONE_UP_TO_CENTS,
    ApprovalRequired,
    Holder,
    NamedKeyRequired,
    PostedAlone,
    check_approval,
    decide_request,
)

ADA = Holder("Ada", is_shared=False)
SHARED = Holder("key-12345678", is_shared=True)


@pytest.mark.parametrize(
    ("cents", "of_holder", "of_person", "state"),
    [
        (1, 0, 0, "posted"),
        (ALONE_UP_TO_CENTS, 0, 0, "posted"),
        (ALONE_UP_TO_CENTS + 1, 0, 0, "requested"),
        (4_000, 6_000, 0, "posted"),
        (4_001, 6_000, 0, "requested"),
        (4_000, 0, 6_000, "posted"),
        (4_001, 0, 6_000, "requested"),
        (4_000, 6_000, 6_000, "posted"),  # the same adjustments count for both
        (1, ALONE_UP_TO_CENTS, 0, "requested"),
    ],
)
def test_request_is_posted_alone_up_to_limit(cents: int, of_holder: int, of_person: int, state: str) -> None:
    assert decide_request(cents, ADA, PostedAlone(of_holder, of_person)) == state


@pytest.mark.parametrize("cents", [1, ALONE_UP_TO_CENTS + 1])
def test_request_with_shared_key_is_refused(cents: int) -> None:
    with pytest.raises(NamedKeyRequired):
        decide_request(cents, SHARED, PostedAlone(0, 0))


@pytest.mark.parametrize(
    ("requested_by", "holder", "approves"),
    [
        ("Ben", ADA, True),
        ("Ada", ADA, False),
        ("ADA", ADA, False),
        ("Ben", SHARED, False),
        ("key-12345678", SHARED, False),
    ],
)
def test_approval_needs_second_named_holder(requested_by: str, holder: Holder, approves: bool) -> None:
    if approves:
        check_approval(requested_by, holder)
    else:
        with pytest.raises(ApprovalRequired):
            check_approval(requested_by, holder)
