"""A fake Stripe for one machine: the part of the API, hosted pages and webhooks that the product uses.

The real SDK talks to it through STRIPE_API_BASE. It stores its data in one SQLite file before it responds.
"""
