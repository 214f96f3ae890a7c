#!/usr/bin/env bash
# ical.js 2.2.1 repeats an event of February 29 on March 1 of the next year.
#
# RFC 5545, section 3.3.10: a date that does not exist is left out, so the next February 29 is in 2032. For a monthly
# series of the 31st, ical.js leaves the short months out. recurring-ical-events 3.8.2 leaves out both.
# The script fails when ical.js does, too.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts ical.js@2.2.1
python3 -m venv env
env/bin/pip install --quiet recurring-ical-events==3.8.2 icalendar==7.3.2
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//Example//EN BEGIN:VEVENT UID:1@example.com \
  DTSTAMP:20261001T090000Z "DTSTART;VALUE=DATE:20280229" "RRULE:FREQ=YEARLY;COUNT=2" END:VEVENT END:VCALENDAR > leap.ics
cat > read.mjs <<'END'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";

const calendar = new ICAL.Component(ICAL.parse(readFileSync("leap.ics", "utf8")));
const iterator = new ICAL.Event(calendar.getFirstSubcomponent("vevent")).iterator();
console.log(iterator.next().toString(), iterator.next().toString());
END
cat > read.py <<'END'
import datetime
import icalendar
import recurring_ical_events

calendar = icalendar.Calendar.from_ical(open("leap.ics", "rb").read())
events = recurring_ical_events.of(calendar).between(datetime.date(2028, 1, 1), datetime.date(2033, 1, 1))
print(*sorted(str(event.start) for event in events))
END
found=$(node read.mjs) other=$(env/bin/python read.py)
printf 'ical.js %s, recurring-ical-events %s\n' "$found" "$other"
[ "$found" = "2028-02-29 2029-03-01" ] && [ "$other" = "2028-02-29 2032-02-29" ] || { echo changed; exit 1; }
