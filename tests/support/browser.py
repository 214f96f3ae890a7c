"""The browser that the tests drive."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Milliseconds for whatever is waited for: each wait is for something to be seen, on a machine that may be busy with
# other things. Playwright's own five seconds for expectations are a guess about the machine.
PATIENCE = 60_000
# No request of the browser's own may reach the network or the logs.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# A context's `ignore_https_errors` does not reach service workers, and the product's authority is its own.
TRUSTING = "--ignore-certificate-errors"
HOW_TO_GET_IT = (
    "Chromium was not found: install it (`apt-get install chromium`), or name one with PORCHLIGHT_CHROMIUM=/path/to/it."
)


def find_chromium() -> Path | None:
    """The browser named by PORCHLIGHT_CHROMIUM, else the system's."""
    named = os.environ.get("PORCHLIGHT_CHROMIUM")
    if named:
        return Path(named) if os.access(named, os.X_OK) else None
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    return None
