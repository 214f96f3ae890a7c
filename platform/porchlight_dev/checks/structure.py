"""Count what hides the product's decisions from a reader, and refuse more of it.

Each count has a ceiling: the number of today. More than that is a finding, and so is less, because the ceiling then
comes down with the change. `python -m porchlight_dev.checks.structure` prints the counts beside the targets.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, Finding, read_text, report, tracked_files, write_line

PACKAGES = ("tenants/", "sites/", "platform/porchlight/")
FOREIGN_TABLES = "tests/data/foreign-tables.toml"


@dataclass(frozen=True, slots=True)
class Limit:
    """The number that may not grow, and the number that is aimed at."""

    ceiling: int
    target: int


LIMITS = {
    "SQL functions": Limit(123, 120),
    "SQL functions with the owner's rights": Limit(79, 76),
    "triggers on bookings": Limit(7, 7),
    "numbers written in SQL": Limit(0, 0),
    "numbers written in SQL for a reason": Limit(20, 0),
    "models that nothing needs": Limit(0, 0),
    "modules that write another feature's table": Limit(20, 20),
    "pairs of features that read each other's tables": Limit(9, 8),
}

_COMMENT = re.compile(r"--.*")
_TRIGGER = re.compile(r"CREATE OR REPLACE (?:CONSTRAINT )?TRIGGER \w+ [^;]*? ON (\w+)")
# Amounts, sizes and times. 0 and 1 are positions, the absence of a value, or one row.
_UNITS = "seconds?|minutes?|hours?|days?|weeks?|months?|years?"
_NUMBER = re.compile(rf"(?:interval )?'\d+ (?:{_UNITS})'|(?<![\w.$%'])\d+(?:\.\d+)?(?![\w'])")
_SORTED = re.compile(r"(?:GROUP|ORDER) BY (?:[\w.]+(?: ASC| DESC| NULLS FIRST| NULLS LAST)*(?:,\s+)?)+")
# The earth, and the numbers of the grid of locations, which tables store.
_GEOMETRY = "platform/porchlight/geo/sql/"
# The numbers that stay in SQL: how many a file has, and why they are no parameters. The list only gets shorter.
REASONED_NUMBERS = {
    "counters.sql": (1, "how many rows share a counter: a number of the storage"),
    "daily_counters.sql": (1, "how many rows share a counter: a number of the storage"),
    "angel_listings.sql": (1, "how many locks the angels share: a number of the storage"),
    "offer_languages.sql": (1, "how many locks the users share: a number of the storage"),
    "unspaced_grams.sql": (1, "an index has it: a change needs a new index"),
    "teaching_gurus.sql": (1, "an index has it: a change needs a new index"),
    "nearest_phrases.sql": (1, "the index of vectors is only used with a limit that the planner knows"),
    "normalize_text.sql": (1, "a unique key has it: a change needs a new key of each phrase"),
    "get_or_create_phrase.sql": (4, "a trigger calls it, and has no parameters"),
    "angel_score.sql": (3, "triggers store it, and have no parameters"),
    "own_swap_rings.sql": (1, "a swap ring has three members: its table has three places"),
    "settle_swap_ring.sql": (1, "a swap ring has three members: its table has three places"),
    "fair_price.sql": (1, "a right: fewer people would give away what one of them paid"),
    "emergency_contacts.sql": (1, "a right: it keeps the contact from the guru"),
    "request_adjustment.sql": (2, "a right: more needs a second person"),
    "ledger.sql": (1, "a right: more needs a second person"),
}
# Numbers that no person chose: positions, notation, units.
_FIXED = re.compile(
    r"(?<!ARRAY)\[\d+\]"  # the element of an array
    r"|(?<=substr\()[\w.]+, \d+|(?<=split_part\()[\w.]+, '[^']*', \d+"  # the position in a text
    r"|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}"  # an id
    r"|(?<=[\])])\{\d+(?:,\d*)?\}|\d-\d(?=[\w-]*\])"  # repetitions and ranges of a regular expression
    r"|(?<=[*/] )(?:60|100)\b(?!\.)|(?<![\w.])(?:60|100)(?= [*/] )"  # percent, cents, seconds and minutes
    r"|\* interval '1 \w+'|percentile_cont\(0\.5\)"  # the unit of a product, the median
    r"|date_trunc\('(\w+)', (?:[^()]|\(\))*\) \+ interval '1 \1'"  # the end of an hour or a day
    r"|\b(?:32767|2147483647|9223372036854775807|1114111)\b"  # the greatest smallint, integer, bigint and character
)


def sql_counts(files: dict[str, str]) -> dict[str, int]:
    """Return the counts of the SQL files, whose texts have no comments. Their paths tell functions from triggers."""
    functions = [text for path, text in files.items() if "/functions/" in path]
    return {
        "SQL functions": len(functions),
        "SQL functions with the owner's rights": sum("SECURITY DEFINER" in text for text in functions),
        "triggers on bookings": sum(table == "bookings" for text in files.values() for table in _TRIGGER.findall(text)),
        "numbers written in SQL": sum(
            max(0, len(numbers(text)) - _reasoned(path))
            for path, text in files.items()
            if not path.startswith(_GEOMETRY)
        ),
        "numbers written in SQL for a reason": sum(
            min(len(numbers(text)), _reasoned(path)) for path, text in files.items() if not path.startswith(_GEOMETRY)
        ),
    }


def _reasoned(path: str) -> int:
    return REASONED_NUMBERS.get(path.rpartition("/")[2], (0, ""))[0]


def numbers(sql: str) -> list[str]:
    """Return the amounts, sizes and times that are written in a text of SQL and that a person chose.

    Not counted: 0 and 1, columns that GROUP BY and ORDER BY name by their positions, and what `_FIXED` describes.
    """
    without_positions = _SORTED.sub(lambda match: re.sub(r"(?<= )\d+", "", match[0]), sql)
    found = _NUMBER.findall(_FIXED.sub("", without_positions))
    return [number for number in found if number.startswith(("'", "i")) or float(number) not in {0, 1}]


def unused_models(sources: dict[str, str]) -> list[str]:
    """Return the classes with a table in modules called `models` that no other module names.

    Those with rows of a user are needed: by them, the account export and the deletion of an account find the rows.
    """
    models: dict[str, str] = {}
    users: dict[str, set[str]] = {}
    for path, source in sources.items():
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                users.setdefault(node.id, set()).add(path)
        if path.endswith("/models.py"):
            tables = [
                node
                for node in tree.body
                if isinstance(node, ast.ClassDef) and _has_table(node) and not _is_of_user(node)
            ]
            models.update({node.name: path for node in tables})
    return sorted(model for model, home in models.items() if not users.get(model, set()) - {home})


def _has_table(node: ast.ClassDef) -> bool:
    names = [name for item in node.body if isinstance(item, ast.Assign) for name in item.targets]
    return any(isinstance(name, ast.Name) and name.id == "__tablename__" for name in names)


def _is_of_user(node: ast.ClassDef) -> bool:
    columns = [item.target for item in node.body if isinstance(item, ast.AnnAssign)]
    bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
    names = {column.id for column in columns if isinstance(column, ast.Name)}
    return not {"UserOwned", "user_id", "person_id", "person_a_id"}.isdisjoint(bases | names)


def counts(root: Path = ROOT) -> dict[str, int]:
    """Return all counts of the repository."""
    paths = [path for path in tracked_files(root, (".py", ".sql")) if path.startswith(PACKAGES)]
    sql = [path for path in paths if "/sql/" in path and path.endswith(".sql")]
    files = {path: _COMMENT.sub("", read_text(root, path)) for path in sql}
    sources = {path: read_text(root, path) for path in paths if path.endswith(".py") and "/versions/" not in path}
    foreign = tomllib.loads(read_text(root, FOREIGN_TABLES))
    return {
        **sql_counts(files),
        "models that nothing needs": len(unused_models(sources)),
        "modules that write another feature's table": sum(map(len, foreign["writes"].values())),
        "pairs of features that read each other's tables": sum(map(len, foreign["reads"].values())),
    }


def check(found: dict[str, int], limits: dict[str, Limit] = LIMITS) -> Iterator[Finding]:
    """Yield a finding for each count that differs from its ceiling."""
    for name, count in found.items():
        ceiling = limits[name].ceiling
        if count > ceiling:
            yield Finding(name, 0, f"{count}, and at most {ceiling} are allowed")
        elif count < ceiling:
            yield Finding(name, 0, f"{count}: set the ceiling of {ceiling} to it")


def main() -> int:
    """Print the counts with their targets, then the findings. Return the exit status."""
    found = counts()
    for name, count in found.items():
        write_line(f"{name}: {count} (target {LIMITS[name].target})")
    return report(check(found), "counts away from their ceilings")


if __name__ == "__main__":
    sys.exit(main())
