#!/usr/bin/env bash
# In lower case, node-ical 0.26.1 loses the start of an event and the zone of a time; ical.js 2.2.1 refuses a rule.
#
# RFC 5545, section 2: names of properties and parameters, and enumerated values, are case-insensitive. Seen: a property
# "dtstart" is no start, and 9:00 with "tzid" is 9:00 of the machine, not of Denver. icalendar 7.3.2 and vobject 0.9.9
# read all three as meant. The script fails when node-ical or ical.js does, too.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts node-ical@0.26.1 ical.js@2.2.1
cat > read.mjs <<'END'
import ICAL from "ical.js";
import ical from "node-ical";

const calendar = (...lines) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN", "BEGIN:VEVENT", "UID:1@example.com",
    "DTSTAMP:20261001T090000Z", ...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
const names = calendar("dtstart:20261102T160000Z", "duration:PT1H");
const zone = calendar("DTSTART;tzid=America/Denver:20261102T090000", "DURATION:PT1H");
const rule = calendar("DTSTART:20261102T160000Z", "DURATION:PT1H", "RRULE:freq=daily;count=2");
const start = (text) => Object.values(ical.sync.parseICS(text)).find((part) => part.type === "VEVENT").start;
let refusal = "";
try {
  ICAL.parse(rule);
} catch (error) {
  refusal = error.message.slice(0, 25);
}
console.log("node-ical", start(names), start(zone).toISOString(), "ical.js", refusal);
END
found=$(TZ=UTC node read.mjs)
printf '%s\n' "$found"
[ "$found" = 'node-ical undefined 2026-11-02T09:00:00.000Z ical.js invalid frequency "daily"' ] || { echo changed; exit 1; }
