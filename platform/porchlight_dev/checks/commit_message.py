"""Check a commit message: imperative subject of at most 72 characters, blank second line, a body.

Usage: python -m porchlight_dev.checks.commit_message FILE        (as a commit-msg hook)
       python -m porchlight_dev.checks.commit_message --since REV  (the subjects of REV..HEAD)
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from porchlight_dev.checks.findings import ROOT, write_line

MAX_SUBJECT_LENGTH = 72
GENERATED = ("Merge ", "Revert ", "fixup! ", "squash! ")
# First words that show another mood: articles, pronouns, past and third person forms, gerunds.
NOT_IMPERATIVE = re.compile(
    r"(?i)^(?:an?|the|this|that|it|its|there|what|who|whoever|nobody|some|all|every|each|no|now|when|one)\b"
)
THIRD_PERSON_OR_PAST = re.compile(r"^[A-Za-z]+(?:[a-z]{2}ed|ing|[^s]s)$")
# Imperatives that end like another form.
IMPERATIVES = frozenset(
    {
        "Bring",
        "Embed",
        "Exceed",
        "Feed",
        "Focus",
        "Canvas",
        "Need",
        "Proceed",
        "Process",
        "Pass",
        "Seed",
        "Speed",
        "Succeed",
        "Alias",
        "Bias",
        "String",
    }
)


def subject_faults(subject: str) -> list[str]:
    """Return what is wrong with a subject line, as sentences."""
    if subject.startswith(GENERATED):
        return []
    faults = []
    if len(subject) > MAX_SUBJECT_LENGTH:
        faults.append(f"The subject has {len(subject)} characters. Use at most {MAX_SUBJECT_LENGTH}.")
    if subject.endswith("."):
        faults.append("End the subject without a period.")
    if subject[:1].islower():
        faults.append("Start the subject with a capital letter.")
    first = subject.split(maxsplit=1)[0] if subject.strip() else ""
    is_other_form = THIRD_PERSON_OR_PAST.match(first) is not None and first not in IMPERATIVES
    if not first:
        faults.append("Write a subject.")
    elif NOT_IMPERATIVE.match(subject) or is_other_form:
        faults.append(f'Start the subject with a verb in the imperative, such as "Add" or "Fix", not "{first}".')
    return faults


def message_faults(message: str) -> list[str]:
    """Return what is wrong with a whole message. Lines that start with # are comments."""
    lines = [
        line for line in message.split("# ------------------------ >8")[0].splitlines() if not line.startswith("#")
    ]
    while lines and not lines[0].strip():
        lines.pop(0)
    if not lines:
        return ["Write a subject."]
    faults = subject_faults(lines[0])
    if len(lines) > 1 and lines[1].strip():
        faults.append("Leave the second line empty.")
    if not lines[0].startswith(GENERATED) and not any(line.strip() for line in lines[1:]):
        faults.append("Say in the body why the change is made.")
    return faults


def main() -> int:
    """Print the faults and return the exit code."""
    match sys.argv[1:]:
        case ["--since", revision]:
            command = ["git", "-C", str(ROOT), "log", "--no-merges", "--format=%h %s", f"{revision}..HEAD"]
            log = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            pairs = [line.split(" ", 1) for line in log.splitlines()]
            faults = [f"{commit}: {fault}" for commit, subject in pairs for fault in subject_faults(subject)]
        case [file]:
            faults = message_faults(Path(file).read_text(encoding="utf-8"))
        case _:
            write_line("usage: python -m porchlight_dev.checks.commit_message FILE | --since REV")
            return 2
    for fault in faults:
        write_line(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
