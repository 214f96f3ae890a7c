"""Which document about a payment is issued next, without a database."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.bookings.payments.invoices.decisions import (
    MAX_DOCUMENTS,
    Company,
    Issued,
    NewDocument,
    next_document,
)
from porchlight.features.bookings.payments.invoices.errors import NothingToInvoice, TooManyInvoices
from tenants.kit.ids import new_id

ACME = Company("Acme Inc.", "1 Main St\nDenver, CO 80202", "12-3456789")
OTHER = Company("Other LLC", "2 Main St", "")


def issue(issued: list[Issued], company: Company, kept: int) -> NewDocument | None:
    """Issue the next document, if any."""
    document = next_document(issued, company, kept)
    if document is not None:
        issued.append(Issued(new_id(), document.kind, document.company, document.amount_cents))
    return document


def test_first_request_issues_invoice_and_the_same_nothing() -> None:
    issued: list[Issued] = []
    assert issue(issued, ACME, 7500) == NewDocument("invoice", ACME, 7500)
    assert issue(issued, ACME, 7500) is None


def test_other_company_issues_correction_of_the_last() -> None:
    issued: list[Issued] = []
    issue(issued, ACME, 7500)
    assert issue(issued, OTHER, 7500) == NewDocument("correction", OTHER, 7500, issued[0].id)
    assert issue(issued, ACME, 7500) == NewDocument("correction", ACME, 7500, issued[1].id)
    assert issue(issued, ACME, 7500) is None


def test_refund_issues_credit_note_of_the_difference() -> None:
    issued: list[Issued] = []
    issue(issued, ACME, 7500)
    assert issue(issued, ACME, 5000) == NewDocument("credit_note", ACME, 2500, issued[0].id)
    assert issue(issued, ACME, 5000) is None
    assert issue(issued, ACME, 0) == NewDocument("credit_note", ACME, 5000, issued[0].id)
    assert issue(issued, OTHER, 0) is None  # nothing is left that another company could have paid


def test_other_company_after_refund_gets_what_is_left() -> None:
    issued: list[Issued] = []
    issue(issued, ACME, 7500)
    assert issue(issued, OTHER, 5000) == NewDocument("correction", OTHER, 5000, issued[0].id)
    assert issue(issued, OTHER, 5000) is None


def test_refund_that_came_back_issues_correction() -> None:
    issued: list[Issued] = []
    issue(issued, ACME, 7500)
    issue(issued, ACME, 5000)
    assert issue(issued, ACME, 7500) == NewDocument("correction", ACME, 7500, issued[0].id)


def test_refunded_payment_has_nothing_to_invoice() -> None:
    with pytest.raises(NothingToInvoice):
        next_document([], ACME, 0)


def test_documents_of_one_payment_are_limited() -> None:
    issued: list[Issued] = []
    for number in range(MAX_DOCUMENTS):
        issue(issued, (ACME, OTHER)[number % 2], 7500)
    assert len(issued) == MAX_DOCUMENTS
    with pytest.raises(TooManyInvoices):
        next_document(issued, ACME, 7500)
    assert next_document(issued, OTHER, 7500) is None  # the last one again


@given(st.lists(st.tuples(st.sampled_from([ACME, OTHER]), st.integers(0, 7500)), min_size=1, max_size=MAX_DOCUMENTS))
def test_documents_always_bill_what_was_kept(steps: list[tuple[Company, int]]) -> None:
    issued: list[Issued] = []
    for company, kept in steps:
        try:
            issue(issued, company, kept)
        except NothingToInvoice:
            continue
        current = max(number for number, one in enumerate(issued) if one.kind != "credit_note")
        credit = sum(one.amount_cents for one in issued[current + 1 :])
        assert issued[current].amount_cents - credit == kept
        assert next_document(issued, company, kept) is None
