"""Stripe behind the ports `Payouts` and `StripeApi`. Only this package imports its SDK."""
