"""The requests that change something, as the sources of both webs name them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_WEBS = ("main-web", "guru-web")
_CALL = re.compile(r"\bapi\s*\.(post|put|patch|delete)\b|method: \"(POST|PUT|PATCH|DELETE)\"")


def written_in_sources() -> set[str]:
    """Return file and method of each request that is not a GET."""
    found = set()
    for web in _WEBS:
        source = ROOT / web / "src"
        for path in source.rglob("*.ts*"):
            if ".test." in path.name:
                continue
            for client, fetched in _CALL.findall(path.read_text(encoding="utf-8")):
                place = f"{web}/{path.relative_to(source).with_suffix('').as_posix()}"
                found.add(f"{place} {client.upper() or fetched}")
    return found
