#!/usr/bin/env bash
# An event that repeats on listed dates (RDATE) without a rule is read in three ways.
#
# RFC 5545, section 3.8.5.2: RDATE adds to DTSTART, so this event takes place on November 2, 5 and 7. recurring-ical-events
# 3.8.2 says so. ical.js 2.2.1 leaves out the first, node-ical 0.26.1 and icalevents 0.3.1 return the first alone.
# A series with a rule and added dates has the same gap in the last two. The script fails when one of the three changes.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts ical.js@2.2.1 node-ical@0.26.1
python3 -m venv env
env/bin/pip install --quiet recurring-ical-events==3.8.2 icalendar==7.3.2 icalevents==0.3.1
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//Example//EN BEGIN:VEVENT UID:1@example.com \
  DTSTAMP:20261001T090000Z DTSTART:20261102T160000Z DURATION:PT1H RDATE:20261105T160000Z,20261107T160000Z \
  END:VEVENT END:VCALENDAR > dates.ics
cat > read.mjs <<'END'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";
import ical from "node-ical";

const text = readFileSync("dates.ics", "utf8");
const iterator = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent")).iterator();
const days = [];
for (let next = iterator.next(); next; next = iterator.next()) days.push(next.day);
const other = Object.values(ical.sync.parseICS(text)).find((part) => part.type === "VEVENT");
const range = { from: new Date("2026-11-01"), to: new Date("2026-12-01") };
const single = ical.expandRecurringEvent(other, range).map(({ start }) => start.getUTCDate());
console.log("ical.js", days.join(" "), "node-ical", single.join(" "));
END
cat > read.py <<'END'
import datetime
import icalendar
import recurring_ical_events
from icalevents.icalevents import events

text = open("dates.ics", "rb").read()
span = datetime.datetime(2026, 11, 1, tzinfo=datetime.UTC), datetime.datetime(2026, 12, 1, tzinfo=datetime.UTC)
right = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(*span)
found = events(string_content=text, start=span[0], end=span[1])
print("recurring-ical-events", *sorted(e.start.day for e in right), "icalevents", *sorted(e.start.day for e in found))
END
found="$(node read.mjs) $(env/bin/python read.py)"
printf '%s\n' "$found"
[ "$found" = "ical.js 5 7 node-ical 2 recurring-ical-events 2 5 7 icalevents 2" ] || { echo changed; exit 1; }
