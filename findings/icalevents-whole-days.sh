#!/usr/bin/env bash
# icalevents 0.3.1 gives a whole-day event without an end no length: it starts and ends at midnight.
#
# RFC 5545, section 3.6.1: an event whose start is a date and that has no end lasts one day. A day off that was imported as
# busy time blocks nothing. recurring-ical-events 3.8.2 returns the next day as its end. The script fails when the event
# has a length.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv env
env/bin/pip install --quiet icalevents==0.3.1 recurring-ical-events==3.8.2 icalendar==7.3.2
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//Example//EN BEGIN:VEVENT UID:1@example.com \
  DTSTAMP:20261001T090000Z "DTSTART;VALUE=DATE:20261102" END:VEVENT END:VCALENDAR > day.ics
env/bin/python - <<'PYTHON'
import sys
from datetime import UTC, datetime, timedelta
import icalendar
import recurring_ical_events
from icalevents.icalevents import events

text = open("day.ics", "rb").read()
span = datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)
[found] = events(string_content=text, start=span[0], end=span[1])
[right] = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(*span)
print("icalevents:", found.end - found.start, "recurring-ical-events:", right.end - right.start)
if (found.end - found.start, right.end - right.start) != (timedelta(0), timedelta(days=1)):
    sys.exit("changed")
PYTHON
