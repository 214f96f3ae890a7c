"""The browser of the tests: where it is, and how to install it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

# The headless shell is the same engine without the window of a browser, as Playwright uses it: half of the CPU time.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALL_HINT = (
    "The browser tests need Chromium: install it (`apt-get install chromium-headless-shell`) or set "
    "PORCHLIGHT_CHROMIUM=/path/to/it."
)


def find_chromium() -> Path | None:
    """Return the browser named by PORCHLIGHT_CHROMIUM, or the system's Chromium."""
    configured = os.environ.get("PORCHLIGHT_CHROMIUM")
    for name in [configured] if configured else CHROMIUM_NAMES:
        if found := shutil.which(name):
            return Path(found)
    return None
