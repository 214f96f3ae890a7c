"""Rules of the writes and objects at Stripe that concern the plans of users."""
