import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { AddToCalendar } from "./add-to-calendar";

const EVENT = {
  title: "Knife skills with Chef Guru",
  startsAt: "2026-12-01T16:00:00Z",
  endsAt: "2026-12-01T17:00:00Z",
  location: "12 Elm Street",
  details: "See you",
};

it("offers the file and the pages of the calendars people have", async () => {
  render(<AddToCalendar event={EVENT} file="/api/bookings/b1/session.ics" />);
  await userEvent.click(screen.getByRole("button", { name: "Add to calendar" }));
  const items = await screen.findAllByRole("menuitem");
  expect(items.map((item) => item.textContent)).toEqual([
    "Apple Calendar or another one",
    "Google Calendar",
    "Outlook.com",
    "Outlook for work or school",
  ]);
  expect(items[0]?.getAttribute("href")).toBe("/api/bookings/b1/session.ics");
  for (const item of items.slice(1)) {
    expect(item.getAttribute("href")).toMatch(/^https:\/\//);
    expect(item.getAttribute("rel")).toBe("noopener noreferrer");
  }
});

it("names one of several sessions", () => {
  render(<AddToCalendar event={EVENT} file="/x" which="Tue, Dec 1, 9:00 AM" />);
  expect(screen.getByRole("button", { name: "Add Tue, Dec 1, 9:00 AM to calendar" })).toBeTruthy();
});
