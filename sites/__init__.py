"""The features of a guru site."""

import tenants  # noqa: F401 - sets the rules of time zones before a module uses them
