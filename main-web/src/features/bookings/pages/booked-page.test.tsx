import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { bookingOf, later } from "./session-fixtures";

const { responses } = apiServer();

it("shows the session of a link and cancels it without an account", async () => {
  responses.set("GET /api/booked/abc", { body: bookingOf() });
  responses.set("POST /api/booked/abc/cancellation", { status: 409, body: { code: "x", message: "Terms changed." } });
  renderApp("/booked/abc");
  expect(await screen.findByRole("heading", { level: 1, name: "Knife skills" })).toBeTruthy();
  expect(screen.getByText("12 Elm Street")).toBeTruthy();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Cancel session" }));
  const dialog = within(await screen.findByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: "Cancel session" }));
  expect(await dialog.findByText("Terms changed.")).toBeTruthy();
  const canceled = bookingOf({ status: "canceled", endedBy: "person" });
  responses.set("POST /api/booked/abc/cancellation", { body: canceled });
  responses.set("GET /api/booked/abc", { body: canceled });
  await user.click(dialog.getByRole("button", { name: "Cancel session" }));
  expect(await screen.findByText("You canceled this session.")).toBeTruthy();
});

it.each(["/booked/abc", "/sessions/b1"])("says on %s what to bring", async (path) => {
  const session = { body: bookingOf({ bring: "A mat.\nWater." }) };
  responses.set("GET /api/booked/abc", session);
  responses.set("GET /api/bookings/b1", session);
  renderApp(path, ADA);
  expect((await screen.findByText(/^A mat\./)).textContent).toBe("A mat.\nWater.");
});

it("drops a time that is taken meanwhile, and moves to another one", async () => {
  // Noon and 1 PM in Denver or later: two times of one day.
  const day = later(96).slice(0, 10);
  const times = [`${day}T19:00:00.000Z`, `${day}T20:00:00.000Z`];
  const slots = (starts: string[]) => ({
    body: { days: 62, starts: starts.map((startsAt) => ({ startsAt, seats: 1 })), full: [], next: null },
  });
  responses.set("GET /api/booked/abc", { body: bookingOf() });
  responses.set("GET /api/gurus/cooking/services/s1/slots", slots(times));
  responses.set("POST /api/booked/abc/move", () => {
    responses.set("GET /api/gurus/cooking/services/s1/slots", slots(times.slice(1)));
    return { status: 409, body: { code: "slot_taken", message: "That time was just taken." } };
  });
  renderApp("/booked/abc");
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Move session" }));
  const dialog = within(await screen.findByRole("dialog"));
  const submit = dialog.getByRole("button", { name: "Move session" });
  const [first] = await dialog.findAllByRole("radio");
  if (!first) throw new Error("no free time");
  await user.click(first);
  await user.click(submit);
  expect(await dialog.findByText("That time was just taken.")).toBeTruthy();
  await waitFor(() => expect(dialog.getAllByRole("radio")).toHaveLength(1));
  // The button keeps the focus, so it is not disabled in the strict sense.
  expect(submit.getAttribute("aria-disabled")).toBe("true");
  // Only someone with an account could sign a new waiver here.
  const moved = bookingOf({
    startsAt: times[1],
    endsAt: `${day}T21:00:00.000Z`,
    waiverDue: true,
    waiverLevel: "medium",
  });
  responses.set("POST /api/booked/abc/move", { body: moved });
  responses.set("GET /api/booked/abc", { body: moved });
  await user.click(dialog.getByRole("radio"));
  await user.click(submit);
  expect(await screen.findByText(/^Your session is moved to /)).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("says so when the link is unknown", async () => {
  responses.set("GET /api/booked/abc", { status: 404, body: { code: "not_found", message: "Not found." } });
  renderApp("/booked/abc");
  expect(await screen.findByRole("heading", { level: 1, name: "Link not found" })).toBeTruthy();
});
