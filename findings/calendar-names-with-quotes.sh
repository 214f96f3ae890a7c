#!/usr/bin/env bash
# A guest called Ann "Bo" Lee: icalendar writes the quotes as RFC 6868 asks, and three readers show the code.
#
# RFC 6868: a quotation mark in a parameter is written ^'. icalendar 7.3.2 writes and reads it, ical.js 2.2.1 reads it.
# vobject 0.9.9, ics 0.7.3 (Python) and node-ical 0.26.1 return Ann ^'Bo^' Lee. So a name in CN is safest without quotation
# marks. The script fails when one of them decodes the name.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts ical.js@2.2.1 node-ical@0.26.1
python3 -m venv env
env/bin/pip install --quiet icalendar==7.3.2 vobject==0.9.9 ics==0.7.3
cat > write.py <<'END'
import datetime
import icalendar
import ics
import vobject

name = 'Ann "Bo" Lee'
event = icalendar.Event.new(uid="1@example.com", start=datetime.datetime(2026, 12, 1, 16, tzinfo=datetime.UTC))
guest = icalendar.vCalAddress("mailto:ann@example.com")
guest.params["CN"] = name
event.add("attendee", guest)
calendar = icalendar.Calendar.new()
calendar.add_component(event)
text = calendar.to_ical().decode()
open("guest.ics", "w", newline="").write(text)
read = icalendar.Calendar.from_ical(text).walk("VEVENT")[0]["attendee"]
names = [
    (read[0] if isinstance(read, list) else read).params["CN"],
    vobject.readOne(text).vevent.attendee.params["CN"][0],
    next(iter(next(iter(ics.Calendar(text).events)).attendees)).common_name,
]
print(*names, sep=", ")
END
cat > read.mjs <<'END'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";
import ical from "node-ical";

const text = readFileSync("guest.ics", "utf8");
const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent");
const other = Object.values(ical.sync.parseICS(text)).find((part) => part.type === "VEVENT");
const guest = Array.isArray(other.attendee) ? other.attendee[0] : other.attendee;
console.log([event.getFirstProperty("attendee").getParameter("cn"), guest.params.CN.replace(/^"|"$/g, "")].join(", "));
END
found="$(env/bin/python write.py), $(node read.mjs)"
printf 'icalendar, vobject, ics, ical.js, node-ical: %s\n' "$found"
code="Ann ^'Bo^' Lee"
[ "$found" = "Ann \"Bo\" Lee, $code, $code, Ann \"Bo\" Lee, $code" ] || { echo changed; exit 1; }
