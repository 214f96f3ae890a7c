"""Opening hours of a guru's calendar, and the free times in them."""
