"""Calendar feeds: addresses at which calendar programs read the sessions of a neighbor or of a guru."""
