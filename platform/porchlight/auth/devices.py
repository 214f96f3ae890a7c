"""Short device names from User-Agents, such as "Firefox on Windows". For display only: a User-Agent can be forged."""

from __future__ import annotations

import re

# In this order, because most browsers also contain the names of others.
_BROWSERS = (
    (re.compile(r"Edg(?:e|A|iOS)?/"), "Edge"),
    (re.compile(r"OPR/|Opera"), "Opera"),
    (re.compile(r"SamsungBrowser/"), "Samsung Internet"),
    (re.compile(r"Firefox/|FxiOS/"), "Firefox"),
    (re.compile(r"(?:Headless)?Chrome/|CriOS/|Chromium/"), "Chrome"),
    (re.compile(r"Safari/"), "Safari"),
)
_SYSTEMS = (
    (re.compile(r"iPad"), "iPad"),
    (re.compile(r"iPhone|iPod"), "iPhone"),
    (re.compile(r"Android"), "Android"),
    (re.compile(r"CrOS"), "ChromeOS"),
    (re.compile(r"Windows"), "Windows"),
    (re.compile(r"Mac OS X|Macintosh"), "Mac"),
    (re.compile(r"Linux|X11"), "Linux"),
)
UNKNOWN = "Unknown device"


def device_name(user_agent: str) -> str:
    """Return the browser and the system of a User-Agent, or UNKNOWN if neither is recognized."""
    browser = next((name for pattern, name in _BROWSERS if pattern.search(user_agent)), "")
    system = next((name for pattern, name in _SYSTEMS if pattern.search(user_agent)), "")
    return f"{browser} on {system}" if browser and system else browser or system or UNKNOWN
