#!/usr/bin/env bash
# ical-generator 10.2.0 writes the line breaks of a calendar's name and description as they are.
#
# RFC 5545, section 3.3.11: a line break in a text is written \\n, as ical-generator does in events. Seen for the
# description "Open house,<line break>all welcome": a line of its own, for which ical.js 2.2.1 refuses the whole calendar.
# The script fails when the line breaks are escaped.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit --ignore-scripts ical-generator@10.2.0 ical.js@2.2.1
cat > write.mjs <<'END'
import ICAL from "ical.js";
import ical from "ical-generator";

const calendar = ical({ name: "Bakery", description: "Open house,\nall welcome" });
calendar.createEvent({ start: new Date("2026-12-01T16:00:00Z"), summary: "Bread,\nrye" });
const text = calendar.toString();
let answer = "read";
try {
  ICAL.parse(text);
} catch (error) {
  answer = error.message;
}
console.log(text.split("\r\n").filter((line) => /welcome|rye/.test(line)).join(" / "), "-", answer);
END
found=$(node write.mjs)
printf '%s\n' "$found"
case $found in *'SUMMARY:Bread\,\nrye'*'invalid line'*) ;; *) echo changed; exit 1 ;; esac
