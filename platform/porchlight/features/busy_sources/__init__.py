"""Busy sources: calendars outside of the product, whose busy times a guru's free times leave out."""
