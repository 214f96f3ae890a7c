#!/usr/bin/env bash
# node-ical 0.26.1 moves a monthly event of the 31st to the last days of shorter months, and leaves it on the 30th.
#
# RFC 5545, section 3.3.10: a date that does not exist in a month is left out, so a series from October 31 continues on
# December 31 and January 31. Seen: October 31, November 30, December 30. ical.js 2.2.1 follows the RFC.
# The script fails when node-ical does, too.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts node-ical@0.26.1 ical.js@2.2.1
cat > read.mjs <<'END'
import ICAL from "ical.js";
import ical from "node-ical";

const text = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//Example//EN",
  "BEGIN:VEVENT",
  "UID:1@example.com",
  "DTSTAMP:20261001T090000Z",
  "DTSTART;VALUE=DATE:20261031",
  "RRULE:FREQ=MONTHLY;COUNT=3",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");
const event = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent"));
const iterator = event.iterator();
const right = Array.from({ length: 3 }, () => iterator.next().toString());
const other = Object.values(ical.sync.parseICS(text)).find((part) => part.type === "VEVENT");
const range = { from: new Date("2026-10-01"), to: new Date("2027-12-31") };
const found = ical.expandRecurringEvent(other, range).map(({ start }) => start.toISOString().slice(0, 10));
console.log("ical.js", right.join(" "), "node-ical", found.join(" "));
END
found=$(TZ=UTC node read.mjs)
printf '%s\n' "$found"
[ "$found" = "ical.js 2026-10-31 2026-12-31 2027-01-31 node-ical 2026-10-31 2026-11-30 2026-12-30" ] || { echo changed; exit 1; }
