#!/usr/bin/env bash
# ical-generator 10.2.0 and ics 3.12.0 (npm) write a name with quotation marks with backslashes, which no parameter knows.
#
# RFC 5545, section 3.2: a quoted parameter ends at the next quotation mark; RFC 6868 writes ^' instead. Seen for the
# guest Ann "Bo" Lee: vobject 0.9.9 refuses the whole calendar, icalendar 7.3.2 leaves out the guest, ical.js 2.2.1 most of the name.
# The script fails when one of the two writers changes.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts ical-generator@10.2.0 ics@3.12.0 ical.js@2.2.1
python3 -m venv env
env/bin/pip install --quiet icalendar==7.3.2 vobject==0.9.9
cat > write.mjs <<'END'
import { writeFileSync } from "node:fs";
import ICAL from "ical.js";
import ical from "ical-generator";
import { createEvents } from "ics";

const name = 'Ann "Bo" Lee';
const guest = { name, email: "ann@example.com" };
const start = new Date("2026-12-01T16:00:00Z");
const calendar = ical();
calendar.createEvent({ start, end: new Date("2026-12-01T17:00:00Z"), summary: "Bread", attendees: [guest] });
const texts = {
  "ical-generator": calendar.toString(),
  ics: createEvents([{ start: start.getTime(), duration: { hours: 1 }, title: "Bread", attendees: [guest] }]).value,
};
for (const [writer, text] of Object.entries(texts)) {
  writeFileSync(`${writer}.ics`, text);
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent");
  console.log(`${writer}: ${event.getFirstProperty("attendee").getParameter("cn")}`);
}
END
cat > read.py <<'END'
import icalendar
import vobject

for writer in ("ical-generator", "ics"):
    text = open(f"{writer}.ics", newline="").read()
    guest = icalendar.Calendar.from_ical(text).walk("VEVENT")[0].get("attendee")
    try:
        answer = vobject.readOne(text).vevent.attendee.params["CN"][0]
    except vobject.base.ParseError:
        answer = "refused"
    print(f"{writer}: {guest} {answer}")
END
found="$(node write.mjs)
$(env/bin/python read.py)"
printf '%s\n' "$found"
expected='ical-generator: Ann \
ics: Ann \
ical-generator: None refused
ics: None refused'
[ "$found" = "$expected" ] || { echo changed; exit 1; }
