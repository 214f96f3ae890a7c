#!/usr/bin/env bash
# ical-generator 10.2.0 and ics 0.7.3 (Python) put a backslash before each comma and semicolon of an event's URL.
#
# RFC 5545, section 3.3.13: a URI is written as it is. ical.js 2.2.1 and vobject 0.9.9 return the backslashes, so the link
# leads elsewhere. The script fails when one of the two writers leaves the address alone.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts ical-generator@10.2.0 ical.js@2.2.1
python3 -m venv env
env/bin/pip install --quiet ics==0.7.3 vobject==0.9.9
cat > write.mjs <<'END'
import ICAL from "ical.js";
import ical from "ical-generator";

const calendar = ical();
calendar.createEvent({ start: new Date("2026-12-01T16:00:00Z"), summary: "Bread", url: "https://example.com/map?at=39.7,-105" });
const event = new ICAL.Component(ICAL.parse(calendar.toString())).getFirstSubcomponent("vevent");
console.log(event.getFirstPropertyValue("url"));
END
cat > write.py <<'END'
import datetime
import ics
import vobject

start = datetime.datetime(2026, 12, 1, 16, tzinfo=datetime.UTC)
event = ics.Event(name="Bread", begin=start, url="https://example.com/map?at=39.7,-105")
print(vobject.readOne(ics.Calendar(events=[event]).serialize()).vevent.url.value)
END
found="$(node write.mjs) $(env/bin/python write.py)"
printf '%s\n' "$found"
[ "$found" = 'https://example.com/map?at=39.7\,-105 https://example.com/map?at=39.7\,-105' ] || { echo changed; exit 1; }
