#!/usr/bin/env bash
# ics 3.12.0 (npm) writes an event's local time without a zone, and the dates it leaves out in UTC: they never match elsewhere.
#
# With startOutputType "local", DTSTART is 9:00 wherever the reader is, and so are its repetitions. RFC 5545, section
# 3.8.5.1: EXDATE names those times. Seen from a process in Denver: EXDATE:20270308T160000Z, 9:00 in Denver alone. A reader in
# Berlin (ical.js 2.2.1) shows the event that was left out. The script fails when EXDATE has no zone.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts ics@3.12.0 ical.js@2.2.1
cat > write.mjs <<'END'
import { writeFileSync } from "node:fs";
import ics from "ics";

const local = { startInputType: "local", startOutputType: "local" };
const { value } = ics.createEvent({
  ...local, uid: "1@example.com", title: "Class", start: [2027, 3, 1, 9, 0], duration: { hours: 1 },
  recurrenceRule: "FREQ=WEEKLY;COUNT=3", exclusionDates: [[2027, 3, 8, 9, 0]],
});
writeFileSync("class.ics", value);
console.log(...value.split("\r\n").filter((line) => /^(DTSTART|EXDATE)/.test(line)));
END
cat > read.mjs <<'END'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";

const component = new ICAL.Component(ICAL.parse(readFileSync("class.ics", "utf8"))).getFirstSubcomponent("vevent");
const iterator = new ICAL.Event(component).iterator();
const days = [];
for (let next = iterator.next(); next; next = iterator.next()) days.push(next.day);
console.log("days", ...days);
END
found="$(TZ=America/Denver node write.mjs) $(TZ=Europe/Berlin node read.mjs)"
printf '%s\n' "$found"
[ "$found" = "DTSTART:20270301T090000 EXDATE:20270308T160000Z days 1 8 15" ] || { echo changed; exit 1; }
