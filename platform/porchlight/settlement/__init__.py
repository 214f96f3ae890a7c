"""Money between us and the payment provider: the outbox of writes, the inbox of events, and their rules."""
