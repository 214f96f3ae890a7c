#!/usr/bin/env bash
# vobject 0.9.9 cannot write a time in the standard library's UTC.
#
# Seen: datetime.UTC raises "Unable to guess TZID for tzinfo UTC", while ZoneInfo("UTC") and dateutil's UTC are written as
# 20261201T160000Z. It happens in serialize(), long after the value was accepted. The script fails when it is written.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv env
env/bin/pip install --quiet vobject==0.9.9 tzdata==2026.3
env/bin/python - <<'PYTHON'
import sys
from datetime import UTC, datetime
from zoneinfo import ZoneInfo
import dateutil.tz
import vobject

answers = []
for zone in (UTC, ZoneInfo("UTC"), dateutil.tz.UTC):
    calendar = vobject.iCalendar()
    calendar.add("vevent").add("dtstart").value = datetime(2026, 12, 1, 16, tzinfo=zone)
    try:
        answers.append("DTSTART:20261201T160000Z" in calendar.serialize())
    except vobject.base.VObjectError as error:
        answers.append(error.msg)
print(answers)
if answers != ["Unable to guess TZID for tzinfo UTC", True, True]:
    sys.exit("changed")
PYTHON
