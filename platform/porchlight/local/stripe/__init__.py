"""A Stripe of our own for one machine: what the product uses of its API, its hosted pages and its webhooks.

The real SDK talks to it through STRIPE_API_BASE. Everything it knows is in one SQLite file, written before it answers.
"""
