// Reads iCalendar files with ical.js and node-ical, two libraries that real calendars use.
// Usage: node read_calendars.mjs < FILES.json, an object of texts by name.
// Prints a JSON object: for each name, the events as { icaljs: [...], nodeical: [...] } read them, with equal members.

import ICAL from "ical.js";
import { readFileSync } from "node:fs";
import process from "node:process";
import ical from "node-ical";

const instant = (date) => date.toISOString();

function readWithIcalJs(text) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents("vevent").map((component) => {
    const value = (name) => String(component.getFirstPropertyValue(name) ?? "");
    const time = (name) => instant(component.getFirstPropertyValue(name).toJSDate());
    const address = (property) =>
      property && {
        address: property.getFirstValue(),
        name: property.getParameter("cn") ?? "",
        answer: property.getParameter("partstat") ?? "",
        rsvp: property.getParameter("rsvp") ?? "",
      };
    return {
      method: String(calendar.getFirstPropertyValue("method") ?? ""),
      uid: value("uid"),
      sequence: Number(value("sequence")),
      status: value("status"),
      dtstamp: time("dtstamp"),
      dtstart: time("dtstart"),
      dtend: time("dtend"),
      summary: value("summary"),
      description: value("description"),
      location: value("location"),
      organizer: address(component.getFirstProperty("organizer")),
      attendees: component.getAllProperties("attendee").map(address),
    };
  });
}

function readWithNodeIcal(text) {
  const parsed = ical.sync.parseICS(text);
  const calendar = Object.values(parsed).find((part) => part.type === "VCALENDAR");
  const address = (property) => ({
    address: property.val,
    name: unquoted(property.params.CN ?? ""),
    answer: property.params.PARTSTAT ?? "",
    rsvp: String(property.params.RSVP ?? "").toUpperCase(),
  });
  return Object.values(parsed)
    .filter((part) => part.type === "VEVENT")
    .map((event) => ({
      method: calendar?.method ?? event.method ?? "",
      uid: event.uid,
      sequence: Number(event.sequence),
      status: event.status,
      dtstamp: instant(event.dtstamp),
      dtstart: instant(event.start),
      dtend: instant(event.end),
      summary: event.summary ?? "",
      description: event.description ?? "",
      location: event.location ?? "",
      organizer: event.organizer ? address(event.organizer) : null,
      attendees: [event.attendee ?? []].flat().map(address),
    }));
}

const unquoted = (name) => name.replace(/^"(.*)"$/, "$1");

const files = JSON.parse(readFileSync(0, "utf8"));
const read = Object.fromEntries(
  Object.entries(files).map(([name, text]) => [
    name,
    { icaljs: readWithIcalJs(text), nodeical: readWithNodeIcal(text) },
  ]),
);
process.stdout.write(JSON.stringify(read));
