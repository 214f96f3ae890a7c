"""Reconciliation: Stripe's balance lines beside the ledger, to the cent. It reports and never repairs."""
