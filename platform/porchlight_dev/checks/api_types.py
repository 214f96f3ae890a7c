"""The web's API types (`main-web/shared/api.gen.ts`), generated from the API."""

from __future__ import annotations

import argparse
import difflib
import subprocess
import sys
import tempfile
from pathlib import Path

from porchlight_dev.environment import ROOT, program

API_TYPES = ROOT / "main-web" / "shared" / "api.gen.ts"


def generate_api_types(target: Path) -> None:
    """Write the types of the current API to `target`. Raises CalledProcessError."""
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "openapi.json"
        with document.open("wb") as output:
            subprocess.run([program("porchlight"), "openapi"], cwd=ROOT, stdout=output, check=True)
        generator = ROOT / "node_modules" / ".bin" / "openapi-typescript"
        # Only payloads have defaults, and what has one may be left out.
        options = ["--default-non-nullable=false", "--output", str(target)]
        subprocess.run([str(generator), str(document), *options], cwd=ROOT, check=True)


def diff_with_api() -> str:
    """Return the difference between the committed types and those of the current API."""
    with tempfile.TemporaryDirectory() as folder:
        current = Path(folder) / "api.gen.ts"
        generate_api_types(current)
        committed = API_TYPES.read_text() if API_TYPES.exists() else ""
        return "".join(
            difflib.unified_diff(
                committed.splitlines(keepends=True),
                current.read_text().splitlines(keepends=True),
                "committed",
                "current API",
            )
        )


def main() -> int:
    """Generate the types, or with --check compare the committed ones; return the exit code."""
    parser = argparse.ArgumentParser(prog="porchlight_dev.checks.api_types")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    if not parser.parse_args().check:
        generate_api_types(API_TYPES)
        return 0
    difference = diff_with_api()
    sys.stdout.write(difference)
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
