#!/usr/bin/env bash
# A category "Bread, rye" becomes two: ics 3.12.0 (npm) writes its comma as it is, node-ical 0.26.1 splits at escaped ones.
#
# RFC 5545, section 3.8.1.2: categories are texts between commas, and a comma of a text is written with a backslash, as
# ical-generator 10.2.0 does; ical.js 2.2.1 reads that as one. The script fails when ics or node-ical changes.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts ics@3.12.0 ical-generator@10.2.0 ical.js@2.2.1 node-ical@0.26.1
cat > write.mjs <<'END'
import ICAL from "ical.js";
import generator from "ical-generator";
import { createEvents } from "ics";
import ical from "node-ical";

const start = new Date("2026-12-01T16:00:00Z");
const calendar = generator();
calendar.createEvent({ start, summary: "Class", categories: [{ name: "Bread, rye" }] });
const unescaped = createEvents([
  { start: start.getTime(), duration: { hours: 1 }, title: "Class", categories: ["Bread, rye"] },
]).value;
const read = (text) =>
  new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent("vevent").getFirstProperty("categories").getValues();
const other = Object.values(ical.sync.parseICS(calendar.toString())).find((part) => part.type === "VEVENT");
console.log(read(unescaped).length, read(calendar.toString()).length, other.categories.length);
END
found=$(node write.mjs)
printf 'ics to ical.js, ical-generator to ical.js, ical-generator to node-ical: %s\n' "$found"
[ "$found" = "2 1 2" ] || { echo changed; exit 1; }
