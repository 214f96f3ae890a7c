#!/usr/bin/env bash
# ics 0.7.3 (Python) writes a guest's name without quotation marks: a colon or semicolon in it breaks the file or the name.
#
# RFC 5545, section 3.2: a parameter with a colon, semicolon or comma is quoted. Seen for "Ann: Bread": read back, by ics
# itself as by icalendar 7.3.2, the name is "Ann" and the address starts with " Bread:". With "Lee; Ann" ics refuses its
# own calendar. The script fails when names are quoted.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv env
env/bin/pip install --quiet ics==0.7.3 icalendar==7.3.2
env/bin/python - <<'PYTHON'
import sys
from datetime import UTC, datetime
import icalendar
import ics

def text(name):
    guest = ics.Attendee("ann@example.com", name)
    event = ics.Event(name="Class", begin=datetime(2026, 12, 1, 16, tzinfo=UTC), attendees=[guest])
    return ics.Calendar(events=[event]).serialize()

own = next(iter(next(iter(ics.Calendar(text("Ann: Bread")).events)).attendees))
guest = icalendar.Calendar.from_ical(text("Ann: Bread")).walk("VEVENT")[0]["attendee"]
guest = guest[0] if isinstance(guest, list) else guest
try:
    ics.Calendar(text("Lee; Ann"))
    answer = "read"
except Exception as error:
    answer = type(error).__name__
found = (own.common_name, own.email, guest.params["CN"], str(guest), answer)
print(found)
if found != ("Ann", " Bread:mailto:ann@example.com", "Ann", " Bread:mailto:ann@example.com", "ParseError"):
    sys.exit("changed")
PYTHON
