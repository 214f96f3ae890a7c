"""What a User-Agent means to a person: "Firefox on Windows". Made to be recognised, not to be believed."""

from __future__ import annotations

import re

# In this order: most browsers name others they want to be taken for.
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
    """A browser and a system in a few words; UNKNOWN when neither can be told."""
    browser = next((name for pattern, name in _BROWSERS if pattern.search(user_agent)), "")
    system = next((name for pattern, name in _SYSTEMS if pattern.search(user_agent)), "")
    return f"{browser} on {system}" if browser and system else browser or system or UNKNOWN
