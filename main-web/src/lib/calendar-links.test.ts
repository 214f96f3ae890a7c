import { expect, it } from "vitest";
import { googleCalendarUrl, mapUrl, outlookUrl } from "./calendar-links";

const EVENT = {
  title: "Knife skills & more with Chef Guru",
  startsAt: "2026-12-01T16:00:00.000Z",
  endsAt: "2026-12-01T17:30:00Z",
  location: "12 Elm Street, Springfield",
  details: "Bring: an apron\n\nhttps://porchlight.example/sessions/b1",
};
const valuesOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

it("opens an event in Google Calendar, in UTC", () => {
  const url = googleCalendarUrl(EVENT);
  expect(url.startsWith("https://calendar.google.com/calendar/render?action=TEMPLATE&")).toBe(true);
  expect(valuesOf(url)).toEqual({
    action: "TEMPLATE",
    text: EVENT.title,
    dates: "20261201T160000Z/20261201T173000Z",
    location: EVENT.location,
    details: EVENT.details,
  });
});

it("opens an event in both Outlooks, without plus signs for spaces", () => {
  for (const host of ["outlook.live.com", "outlook.office.com"] as const) {
    const url = outlookUrl(EVENT, host);
    expect(new URL(url).host).toBe(host);
    expect(url).not.toContain("+");
    expect(valuesOf(url)).toEqual({
      path: "/calendar/action/compose",
      rru: "addevent",
      subject: EVENT.title,
      startdt: "2026-12-01T16:00:00Z",
      enddt: "2026-12-01T17:30:00Z",
      location: EVENT.location,
      body: EVENT.details,
    });
  }
});

it("leaves out a place that is not known", () => {
  expect(googleCalendarUrl({ ...EVENT, location: "" })).not.toContain("location");
});

it.each([
  ["12 Elm Street\nSpringfield", "https://www.openstreetmap.org/search?query=12%20Elm%20Street%20Springfield"],
  ["Washington Park, north gate", "https://www.openstreetmap.org/search?query=Washington%20Park%2C%20north%20gate"],
  [
    "9 Elm St. Denver 80207. Come through the gate.",
    "https://www.openstreetmap.org/search?query=9%20Elm%20St.%20Denver%2080207",
  ],
  ["Ring at the workshop", null],
  ["https://meet.example/a-1", null],
  ["", null],
])("the map of %j is %s", (place, url) => {
  expect(mapUrl(place)).toBe(url);
});
