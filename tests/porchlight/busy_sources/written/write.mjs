// Writes the calendar files of this folder with libraries of JavaScript, whose versions README.md has.

import { writeFileSync } from "node:fs";
import { getVtimezoneComponent } from "@touch4it/ical-timezones";
import { ICalCalendar } from "ical-generator";
import ICAL from "ical.js";
import ics from "ics";

const ZONE = "America/Denver";
const TEXT = "Stand-up, with; separators\nand lines — 🍞 " + "é".repeat(60);
const STAMP = new Date("2026-10-01T00:00:00Z");

function write(name, text) {
  writeFileSync(new URL(name, import.meta.url), text);
}

// ical-generator takes local times as text, and finds the zone's rules if it is told where.
const generated = new ICalCalendar({ name: "Work", timezone: { name: ZONE, generator: getVtimezoneComponent } });
const add = (id, start, end, more = {}) =>
  generated.createEvent({ id, start, end, summary: TEXT, stamp: STAMP, timezone: ZONE, ...more });
add("winter", "2027-01-15T09:00:00", "2027-01-15T10:00:00");
add("summer", "2027-07-15T09:00:00", "2027-07-15T10:00:00");
add("series", "2027-03-01T09:00:00", "2027-03-01T10:00:00", {
  repeating: { freq: "WEEKLY", count: 4, exclude: ["2027-03-08T09:00:00"], excludeTimezone: ZONE },
});
add("days", "2027-05-10T00:00:00", "2027-05-12T00:00:00", { allDay: true });
add("free", "2027-07-16T09:00:00", "2027-07-16T10:00:00", { transparency: "TRANSPARENT" });
add("canceled", "2027-07-17T09:00:00", "2027-07-17T10:00:00", { status: "CANCELLED" });
add("spring", "2027-03-14T01:30:00", "2027-03-14T03:30:00");
add("fall", "2027-11-07T01:00:00", "2027-11-07T02:30:00");
add("moved", "2027-04-05T09:00:00", "2027-04-05T10:00:00", { repeating: { freq: "WEEKLY", count: 2 } });
add("moved", "2027-04-13T14:00:00", "2027-04-13T15:00:00", { recurrenceId: "2027-04-12T09:00:00" });
write("ical-generator.ics", generated.toString());

// ics writes instants in UTC, or times without a zone.
const busy = { title: TEXT, timestamp: STAMP.getTime() };
const utc = { startInputType: "utc", startOutputType: "utc", endInputType: "utc", endOutputType: "utc" };
const local = { startInputType: "local", startOutputType: "local", endInputType: "local", endOutputType: "local" };
const { error, value } = ics.createEvents([
  { ...busy, ...utc, uid: "winter", start: [2027, 1, 15, 16, 0], duration: { hours: 1 } },
  { ...busy, ...local, uid: "summer", start: [2027, 7, 15, 9, 0], end: [2027, 7, 15, 10, 0] },
  {
    ...busy,
    ...local,
    uid: "series",
    start: [2027, 3, 1, 9, 0],
    duration: { hours: 1 },
    recurrenceRule: "FREQ=WEEKLY;COUNT=4",
    exclusionDates: [[2027, 3, 8, 9, 0]],
  },
  { ...busy, uid: "days", start: [2027, 5, 10], end: [2027, 5, 12] },
  { ...busy, ...utc, uid: "free", start: [2027, 7, 16, 15, 0], duration: { hours: 1 }, transp: "TRANSPARENT" },
  { ...busy, ...utc, uid: "canceled", start: [2027, 7, 17, 15, 0], duration: { hours: 1 }, status: "CANCELLED" },
  { ...busy, ...local, uid: "spring", start: [2027, 3, 14, 1, 30], duration: { hours: 1 } },
  { ...busy, ...local, uid: "fall", start: [2027, 11, 7, 1, 0], end: [2027, 11, 7, 2, 30] },
  { ...busy, ...local, uid: "moved", start: [2027, 4, 5, 9, 0], duration: { hours: 1 } },
  { ...busy, ...local, uid: "moved-2", start: [2027, 4, 13, 14, 0], duration: { hours: 1 } },
]);
if (error) throw error;
write("ics.ics", value);

// ical.js writes what a program puts together, with the zone's rules that the program has.
const calendar = new ICAL.Component(["vcalendar", [], []]);
calendar.addPropertyWithValue("prodid", "-//Example//ical.js//EN");
calendar.addPropertyWithValue("version", "2.0");
const zone = new ICAL.Component(ICAL.parse(getVtimezoneComponent(ZONE)));
calendar.addSubcomponent(zone);
const timezone = new ICAL.Timezone(zone);
function addEvent(uid, start, end, more = () => {}) {
  const event = new ICAL.Event(new ICAL.Component("vevent"));
  event.uid = uid;
  event.summary = TEXT;
  event.component.addPropertyWithValue("dtstamp", ICAL.Time.fromJSDate(STAMP, true));
  event.startDate = at(start);
  event.endDate = at(end);
  more(event);
  calendar.addSubcomponent(event.component);
}
function at(text) {
  const time = ICAL.Time.fromString(text);
  if (!time.isDate) time.zone = timezone;
  return time;
}
const rule = (text) => (event) => event.component.addPropertyWithValue("rrule", ICAL.Recur.fromString(text));
addEvent("winter", "2027-01-15T09:00:00", "2027-01-15T10:00:00");
addEvent("summer", "2027-07-15T09:00:00", "2027-07-15T10:00:00");
addEvent("series", "2027-03-01T09:00:00", "2027-03-01T10:00:00", (event) => {
  rule("FREQ=WEEKLY;COUNT=4")(event);
  const excluded = new ICAL.Property("exdate");
  excluded.setParameter("tzid", ZONE);
  excluded.setValue(at("2027-03-08T09:00:00"));
  event.component.addProperty(excluded);
});
addEvent("days", "2027-05-10", "2027-05-12");
addEvent("free", "2027-07-16T09:00:00", "2027-07-16T10:00:00", (event) =>
  event.component.addPropertyWithValue("transp", "TRANSPARENT"),
);
addEvent("canceled", "2027-07-17T09:00:00", "2027-07-17T10:00:00", (event) =>
  event.component.addPropertyWithValue("status", "CANCELLED"),
);
addEvent("spring", "2027-03-14T01:30:00", "2027-03-14T03:30:00");
addEvent("fall", "2027-11-07T01:00:00", "2027-11-07T02:30:00");
addEvent("moved", "2027-04-05T09:00:00", "2027-04-05T10:00:00", rule("FREQ=WEEKLY;COUNT=2"));
addEvent("moved", "2027-04-13T14:00:00", "2027-04-13T15:00:00", (event) => {
  event.recurrenceId = at("2027-04-12T09:00:00");
});
write("ical-js.ics", calendar.toString());
