#!/usr/bin/env bash
# node-ical 0.26.0 ends a quoted name at a semicolon, and reads an escaped backslash before an n as a line break.
#
# RFC 5545, section 3.2: a quoted parameter may contain a semicolon. Section 3.3.11: "\\" is a backslash before
# any letter. Seen: CN="Ng; Ada" is read as "Ng with the quotation mark, and "C:\\new" as C:\, a line break and "ew".
# ical.js 2.2.1 reads both as written. The script fails when node-ical does, too.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts node-ical@0.26.0 ical.js@2.2.1
cat > read.mjs << 'END'
import ICAL from "ical.js";
import ical from "node-ical";

const text = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//Example//EN",
  "BEGIN:VEVENT",
  "UID:1@example.com",
  "DTSTAMP:20261201T090000Z",
  "DTSTART:20261201T160000Z",
  "DTEND:20261201T170000Z",
  String.raw`SUMMARY:C:\\new`,
  'ORGANIZER;CN="Ng; Ada":mailto:ada@example.com',
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");
const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent");
const other = Object.values(ical.sync.parseICS(text)).find((part) => part.type === "VEVENT");
console.log(
  JSON.stringify({
    icaljs: [event.getFirstProperty("organizer").getParameter("cn"), event.getFirstPropertyValue("summary")],
    nodeical: [other.organizer.params.CN, other.summary],
  }),
);
END
found=$(node read.mjs)
printf 'read: %s\n' "$found"
[ "$found" = '{"icaljs":["Ng; Ada","C:\\new"],"nodeical":["\"Ng","C:\\\new"]}' ] || { echo changed; exit 1; }
