"""Errors of invoices, with their messages for people."""

from __future__ import annotations

from tenants.kit.errors import Conflict


class NothingToInvoice(Conflict):
    """All of a payment went back before it had an invoice."""

    code = "nothing_to_invoice"
    message = "You got all of this payment back, so there is nothing to invoice."


class TooManyInvoices(Conflict):
    """A payment has as many documents as it can have."""

    code = "too_many_invoices"
    message = "This order already has 20 invoices. Please contact us if you need another one."


class GuruGone(Conflict):
    """The site of the guru is gone, so that no one issues another invoice."""

    code = "guru_gone"
    message = "This guru has left Porchlight, so we can't issue another invoice. Your receipt is still there."
