#!/usr/bin/env bash
# vobject 0.9.9 writes the changes of a zone an hour late: 3 a.m. for Denver, where the clock changes at 2 a.m.
#
# RFC 5545, section 3.6.5: DTSTART of STANDARD and DAYLIGHT is the local time before the change, 02:00 for both. Seen for
# zones of the standard library and of dateutil. An event at 2:30 a.m. on November 7, 2027, which is 09:30 UTC, is 08:30 UTC
# when icalendar 7.3.2 reads the file. The script fails when either changes.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv env
env/bin/pip install --quiet vobject==0.9.9 icalendar==7.3.2 tzdata==2026.3 python-dateutil==2.9.0.post0
env/bin/python - <<'PYTHON'
import sys
from datetime import UTC, datetime
from zoneinfo import ZoneInfo
import dateutil.tz
import icalendar
import vobject

for name, zone in (("zoneinfo", ZoneInfo("America/Denver")), ("dateutil", dateutil.tz.gettz("America/Denver"))):
    calendar = vobject.iCalendar()
    event = calendar.add("vevent")
    event.add("uid").value = "1@example.com"
    event.add("dtstart").value = datetime(2027, 11, 7, 2, 30, tzinfo=zone)
    # Under a name that no library knows, so that the rules of the file count.
    text = calendar.serialize().replace("TZID:MST", f"TZID:{name}").replace("TZID=MST", f"TZID={name}")
    written = [line[-6:-2] for line in text.split("\r\n") if line.startswith("DTSTART:2007")]
    read = icalendar.Calendar.from_ical(text).walk("VEVENT")[0].start.astimezone(UTC)
    print(name, written, f"{read:%H:%M}", "right", event.dtstart.value.astimezone(UTC).strftime("%H:%M"))
    if (written, f"{read:%H:%M}") != (["0300", "0300"], "08:30"):
        sys.exit("changed")
PYTHON
