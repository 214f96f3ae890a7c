"""The tests. Importing any of them sets the timeouts of the product in this process."""

from __future__ import annotations

import os

TEST_FACTOR = "20"

# The factor is read once, when the product is imported: before that, and not for the programs that tests start.
_given = os.environ.get("PORCHLIGHT_TIMEOUT_FACTOR")
os.environ["PORCHLIGHT_TIMEOUT_FACTOR"] = TEST_FACTOR
from tenants.kit import timeouts  # noqa: E402

if _given is None:
    del os.environ["PORCHLIGHT_TIMEOUT_FACTOR"]
else:
    os.environ["PORCHLIGHT_TIMEOUT_FACTOR"] = _given
if float(TEST_FACTOR) != timeouts.FACTOR:
    raise RuntimeError("the product was imported before the tests: its timeouts are too short for a busy machine")
