"""Compare two OpenAPI documents by structure, ignoring the names of schemas, operation ids, titles, texts and tags.

Usage: python -m porchlight_dev.checks.openapi_diff OLD.json [NEW.json]

Without NEW, the document of this checkout is compared. `$ref` is replaced by its target, so a renamed schema is equal.
The renamed error codes and the renamed header are equal too; every other difference is printed and exits with 1.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from porchlight_dev.checks.findings import ROOT, write_line

Json = Any
IGNORED_KEYS = frozenset({"operationId", "summary", "description", "tags", "title"})
# Their order has no meaning.
SET_KEYS = frozenset({"required", "enum", "tags", "security"})
# Keys below which the keys are names of the API, not of OpenAPI: a property may be called "description".
NAME_KEYS = frozenset(
    {"properties", "paths", "responses", "headers", "content", "patternProperties", "securitySchemes"}
)
# The agreed renames of values on the wire.
RENAMED_VALUES = {
    "porchlight-as": "Porchlight-Impersonate",
    "enough_for_now": "quota_exceeded",
    "ring_over": "ring_closed",
    "store_away": "file_store_unavailable",
    "impersonation_over": "impersonation_expired",
    "feature_off": "feature_disabled",
}
_NEW_VALUES = {old.lower(): new.lower() for old, new in RENAMED_VALUES.items()}
REF_PREFIX = "#/components/"


class Inliner:
    """Build a comparable form of one document: references replaced, ignored keys removed, unordered lists sorted."""

    def __init__(self, document: dict[str, Json]) -> None:
        self.document = document
        self.memo: dict[str, Json] = {}

    def target(self, reference: str) -> Json:
        """Return what `reference` points to."""
        node: Json = self.document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]
        return node

    def inline(self, node: Json, stack: tuple[str, ...] = (), *, names: bool = False) -> Json:
        """Return the comparable form of `node`. A reference to an enclosing schema becomes its distance upward."""
        if isinstance(node, dict):
            reference = node.get("$ref")
            if isinstance(reference, str) and reference.startswith(REF_PREFIX):
                return self._inline_reference(reference, stack)
            return {
                _renamed(key): self._sorted(key, self.inline(value, stack, names=key in NAME_KEYS and not names))
                for key, value in node.items()
                if names or key not in IGNORED_KEYS
                if not (key == "discriminator" and not names)  # its mapping holds schema names
            }
        if isinstance(node, list):
            return [self.inline(item, stack) for item in node]
        return _renamed(node) if isinstance(node, str) else node

    def _inline_reference(self, reference: str, stack: tuple[str, ...]) -> Json:
        if reference in stack:
            return {"$recursion": len(stack) - stack.index(reference)}
        if reference not in self.memo:
            built = self.inline(self.target(reference), (*stack, reference))
            if "$recursion" in json.dumps(built):
                return built  # depends on the enclosing schemas
            self.memo[reference] = built
        return self.memo[reference]

    @staticmethod
    def _sorted(key: str, value: Json) -> Json:
        if isinstance(value, list) and key in SET_KEYS:
            return sorted(value, key=lambda item: json.dumps(item, sort_keys=True))
        if isinstance(value, list) and key == "parameters":
            return sorted(value, key=lambda item: (str(item.get("in")), str(item.get("name")).lower()))
        return value


def _renamed(text: str) -> str:
    return _NEW_VALUES.get(text.lower(), text if text.lower() not in _NEW_VALUES.values() else text.lower())


def comparable(document: dict[str, Json]) -> dict[str, Json]:
    """Return the comparable form of a whole document. Schemas count where they are used; unused ones do not."""
    inliner = Inliner(document)
    parts = {key: document[key] for key in ("servers", "paths", "security", "webhooks") if key in document}
    form: dict[str, Json] = inliner.inline(parts)
    form["securitySchemes"] = inliner.inline(document.get("components", {}).get("securitySchemes", {}), names=True)
    return form


def differences(old: Json, new: Json, path: str = "") -> Iterator[str]:
    """Yield one line for each place where two comparable forms differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            place = f"{path} > {key}" if path else key
            if key not in new:
                yield f"{place}: removed"
            elif key not in old:
                yield f"{place}: added"
            else:
                yield from differences(old[key], new[key], place)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from differences(left, right, f"{path}[{index}]")
    elif old != new:
        yield f"{path}: {_short(old)} became {_short(new)}"


def _short(value: Json) -> str:
    text = json.dumps(value, sort_keys=True)
    return re.sub(r"(?s)^(.{120}).+$", r"\1...", text)


def current_document(root: Path) -> dict[str, Json]:
    """Return the OpenAPI document that this checkout prints."""
    porchlight = Path(sys.executable).parent / "porchlight"
    done = subprocess.run([str(porchlight), "openapi"], cwd=root, check=True, capture_output=True)
    document: dict[str, Json] = json.loads(done.stdout)
    return document


def main() -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="openapi_diff", description="Compare two OpenAPI documents by structure.")
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", help="default: the document of this checkout")
    options = parser.parse_args()
    old = json.loads(options.old.read_bytes())
    new = json.loads(options.new.read_bytes()) if options.new else current_document(ROOT)
    other_differences = list(differences(comparable(old), comparable(new)))
    for line in other_differences:
        write_line(line)
    write_line(f"{len(other_differences)} other differences" if other_differences else "only names, summaries, tags")
    return 1 if other_differences else 0


if __name__ == "__main__":
    sys.exit(main())
