#!/usr/bin/env bash
# node-ical 0.26.1 keeps a daily event an hour late for all days after a night that skips its hour.
#
# 2:30 a.m. in Denver does not exist on March 8, 2026. RFC 5545, section 3.3.5, makes it 3:30 that day. The next day is
# 2:30 again (8:30 UTC), as recurring-ical-events 3.8.2 and ical.js 2.2.1 have it. node-ical stays at 3:30 (9:30 UTC).
# The script fails when node-ical returns to 2:30.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts node-ical@0.26.1
python3 -m venv env
env/bin/pip install --quiet recurring-ical-events==3.8.2 icalendar==7.3.2
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
DTSTART;TZID=America/Denver:20260307T023000
DURATION:PT1H
RRULE:FREQ=DAILY;COUNT=5
END:VEVENT
END:VCALENDAR
END
sed -i 's/$/\r/' night.ics
cat > read.mjs <<'END'
import { readFileSync } from "node:fs";
import ical from "node-ical";

const event = Object.values(ical.sync.parseICS(readFileSync("night.ics", "utf8"))).find((part) => part.type === "VEVENT");
const members = ical.expandRecurringEvent(event, { from: new Date("2026-03-01"), to: new Date("2026-04-01") });
console.log(members.map(({ start }) => start.toISOString().slice(8, 16)).join(" "));
END
cat > read.py <<'END'
from datetime import UTC, datetime
import icalendar
import recurring_ical_events

calendar = icalendar.Calendar.from_ical(open("night.ics", "rb").read())
members = recurring_ical_events.of(calendar).between(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))
print(*sorted(f"{member.start.astimezone(UTC):%dT%H:%M}" for member in members))
END
found=$(TZ=UTC node read.mjs) other=$(env/bin/python read.py)
printf 'node-ical %s\nrecurring-ical-events %s\n' "$found" "$other"
[ "$found" = "07T09:30 08T09:30 09T09:30 10T09:30 11T09:30" ] || { echo changed; exit 1; }
[ "$other" = "07T09:30 08T09:30 09T08:30 10T08:30 11T08:30" ] || { echo changed; exit 1; }
