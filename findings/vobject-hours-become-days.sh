#!/usr/bin/env bash
# vobject 0.9.9 reads DURATION:PT24H and writes P1D, so that the event is an hour shorter or longer when the clock changes.
#
# RFC 5545, section 3.3.6: PT24H is 24 hours, P1D the same time on the next day. From noon on March 13, 2027 in Denver they end
# an hour apart. Radicale 3.9.0 stores what vobject writes, and returns P1D for the PT24H that a program sent. ical.js 2.2.1
# keeps PT24H. The script fails when one of the two changes.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts ical.js@2.2.1
python3 -m venv env
env/bin/pip install --quiet vobject==0.9.9 python-dateutil==2.9.0.post0
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//Example//EN BEGIN:VEVENT UID:1@example.com \
  DTSTAMP:20261001T090000Z 'DTSTART;TZID=America/Denver:20270313T120000' DURATION:PT24H END:VEVENT END:VCALENDAR > day.ics
cat > write.mjs <<'END'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";

console.log(new ICAL.Component(ICAL.parse(readFileSync("day.ics", "utf8"))).toString());
END
cat > write.py <<'END'
import vobject

print(vobject.readOne(open("day.ics", newline="").read()).serialize())
END
found="vobject $(env/bin/python write.py | tr -d '\r' | grep DURATION) ical.js $(node write.mjs | tr -d '\r' | grep DURATION)"
printf '%s\n' "$found"
[ "$found" = "vobject DURATION:P1D ical.js DURATION:PT24H" ] || { echo changed; exit 1; }
