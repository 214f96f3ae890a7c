"""The platform: the API, the worker and the command line."""

import tenants  # noqa: F401 - sets the rules of time zones before a module uses them
