#!/usr/bin/env bash
# ical.js 2.2.1 and icalevents 0.3.1 make a series of eight hours overnight nine hours long on the night of the clock change.
#
# RFC 5545, section 3.8.5.3: with DTEND, each member of a series has the exact duration of the first. So the night of
# October 31 from 11 p.m. in Denver ends at 6 a.m. (13:00 UTC). recurring-ical-events 3.8.2 and node-ical 0.26.1 say so,
# the other two 7 a.m. (14:00 UTC). The script fails when one of the four changes.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts ical.js@2.2.1 node-ical@0.26.1
python3 -m venv env
env/bin/pip install --quiet recurring-ical-events==3.8.2 icalendar==7.3.2 icalevents==0.3.1
cat > night.ics <<'END'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Example//EN
BEGIN:VTIMEZONE
TZID:America/Denver
BEGIN:DAYLIGHT
TZOFFSETFROM:-0700
TZOFFSETTO:-0600
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:-0600
TZOFFSETTO:-0700
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1@example.com
DTSTAMP:20260101T090000Z
DTSTART;TZID=America/Denver:20261030T230000
DTEND;TZID=America/Denver:20261031T070000
RRULE:FREQ=DAILY;COUNT=2
END:VEVENT
END:VCALENDAR
END
sed -i 's/$/\r/' night.ics
cat > read.mjs <<'END'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";
import ical from "node-ical";

const text = readFileSync("night.ics", "utf8");
const calendar = new ICAL.Component(ICAL.parse(text));
ICAL.TimezoneService.register(calendar.getFirstSubcomponent("vtimezone"));
const event = new ICAL.Event(calendar.getFirstSubcomponent("vevent"));
const iterator = event.iterator();
iterator.next();
const end = event.getOccurrenceDetails(iterator.next()).endDate.toJSDate();
const other = Object.values(ical.sync.parseICS(text)).find((part) => part.type === "VEVENT");
const [, second] = ical.expandRecurringEvent(other, { from: new Date("2026-10-01"), to: new Date("2026-12-01") });
console.log("ical.js", end.getUTCHours(), "node-ical", second.end.getUTCHours());
END
cat > read.py <<'END'
from datetime import UTC, datetime
import icalendar
import recurring_ical_events
from icalevents.icalevents import events

text = open("night.ics", "rb").read()
span = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)
right = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(*span)
found = events(string_content=text, start=span[0], end=span[1])
hour = lambda members: max(event.end for event in members).astimezone(UTC).hour
print("recurring-ical-events", hour(right), "icalevents", hour(found))
END
found="$(TZ=UTC node read.mjs) $(env/bin/python read.py)"
printf '%s\n' "$found"
[ "$found" = "ical.js 14 node-ical 13 recurring-ical-events 13 icalevents 14" ] || { echo changed; exit 1; }
