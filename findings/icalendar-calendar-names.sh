#!/usr/bin/env bash
# icalendar 7.3.2 does not escape the name of a calendar, although RFC 7986 makes NAME a text.
#
# Seen: "Bread, rye; all" is written without backslashes, beside a description that has them. A line break in the name, or
# in the description (copied to X-WR-CALDESC), is accepted by Calendar.new() and raises an AssertionError in to_ical().
# Take the line breaks out before. The script fails when the name is escaped.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv env
env/bin/pip install --quiet icalendar==7.3.2
env/bin/python - <<'PYTHON'
import sys
import icalendar

lines = icalendar.Calendar.new(name="Bread, rye; all", description="Bread, rye; all").to_ical().decode().splitlines()
answers = []
for field in ("name", "description"):
    calendar = icalendar.Calendar.new(**{field: "Bread\nand rye"})
    try:
        answers.append(calendar.to_ical())
    except AssertionError as error:
        answers.append(str(error))
found = [line for line in lines if line.startswith(("NAME", "DESCRIPTION"))]
print(found, answers)
refusal = "Content line can not contain unescaped new line characters."
if sorted(found) != ["DESCRIPTION:Bread\\, rye\\; all", "NAME:Bread, rye; all"] or answers != [refusal, refusal]:
    sys.exit("changed")
PYTHON
