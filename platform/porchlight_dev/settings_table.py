"""Write the table of environment variables in docs/operations.md from the settings of the product.

Usage: python -m porchlight_dev.settings_table
"""

from __future__ import annotations

from pathlib import Path

from pydantic.fields import FieldInfo

from porchlight.settings.environment import REPOSITORY, Settings
from porchlight_dev.environment import ROOT

FILE = ROOT / "docs/operations.md"
BEGIN = "<!-- settings: `make settings-table` writes this table from platform/porchlight/settings/environment.py -->\n"
END = "<!-- end of settings -->\n"


def settings_table() -> str:
    """Return the table in Markdown: variable, default and meaning. Raises ValueError for a field without a meaning."""
    lines = ["| Variable | Default | Meaning |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        if not field.description:
            raise ValueError(f"Settings.{name} has no meaning: write one below the field")
        lines.append(f"| `{field.alias}` | {_default(field)} | {' '.join(field.description.split())} |")
    return "\n".join(lines) + "\n"


def _default(field: FieldInfo) -> str:
    """Return the default in Markdown, "" for an empty one. Paths start at the repository."""
    value = str(field.default if field.default is not None else "")
    for prefix in (Path(REPOSITORY).as_uri(), str(REPOSITORY)):
        value = value.replace(f"{prefix}/", "")
    return f"`{value}`" if value else ""


def with_table(document: str) -> str:
    """Return a document with the current table between BEGIN and END."""
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{settings_table()}\n{END}{after}"


def main() -> None:
    """Write the table."""
    FILE.write_text(with_table(FILE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
