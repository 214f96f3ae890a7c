"""Balance, instant payouts, history and schedule of a connected account."""
