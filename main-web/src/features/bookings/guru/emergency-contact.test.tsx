import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { MyGuru } from "@/features/console/lib/types";
import type { GuruBookingDetails } from "./lib/types";
import { contactWindow } from "./lib/contact-window";

const { responses, calls } = apiServer();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GURU: MyGuru = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 0,
  suspension: null,
};
const CONTACT = "GET /api/guru/bookings/b1/emergency-contact";
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const BOOKING: GuruBookingDetails = {
  id: "b1",
  seriesId: null,
  status: "confirmed",
  appointmentId: "a1",
  personName: "Nora Newcomer",
  participants: [],
  party: 1,
  note: "",
  answers: [],
  serviceId: "s1",
  serviceName: "Table saw",
  startsAt: inHours(2),
  endsAt: inHours(3),
  zone: "America/Denver",
  personZone: "",
  priceCents: 0,
  currency: "USD",
  proposal: null,
  canPropose: false,
  place: "guru",
  placeText: "",
  address: "",
  expiresAt: null,
  waiverLevel: "high",
  waiverUntil: inHours(200),
  waiverDue: false,
  endedBy: "",
  reason: "",
  owedCents: 0,
  canAnswer: false,
  canCancel: true,
  canMarkMissed: false,
  people: [],
  payment: null,
  tippedCents: 0,
  canChangePlace: false,
  package: null,
  checkedInAt: null,
  checkedInBy: "",
  events: [],
  isCustomer: false,
  customerEmail: "",
};

const MARIA = { name: "Maria Ortiz", phone: "+1 (303) 555-0199", relationship: "sister" };
const PERSON = { signedBy: "", email: "", emailedAt: null, canSend: false, waiverUntil: null };
const PEOPLE: GuruBookingDetails["people"] = [
  { ...PERSON, number: 1, name: "Nora Newcomer", signer: "self", covered: true, waiverUntil: inHours(200) },
  { ...PERSON, number: 2, name: "Theo Barnes", signer: "link", covered: false, canSend: true },
];

async function open(changes: Partial<GuruBookingDetails> = {}) {
  responses.set("GET /api/guru/bookings/b1", { body: { ...BOOKING, ...changes } });
  renderApp("/guru/calendar?booking=b1", ADA);
  const dialog = within(await screen.findByRole("dialog", { name: "Nora Newcomer" }));
  await dialog.findByText("Table saw");
  return dialog;
}

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/bookings", { body: { bookings: [], nextCursor: null, requests: 0 } });
  responses.set("GET /api/guru/bookings/week", {
    body: {
      zone: "America/Denver",
      from: "2099-11-30",
      sessions: [],
      busy: [],
      hours: [],
      pausedUntil: null,
      more: false,
    },
  });
});

describe("the emergency contact", () => {
  it("is shown only when the guru asks for it", async () => {
    const dialog = await open();
    expect(dialog.getByText("High")).toBeTruthy();
    expect(dialog.getByText(/^Signed until /)).toBeTruthy();
    expect(dialog.getByText("We record each view, and Nora Newcomer can see it.")).toBeTruthy();
    expect(calls.some(({ route }) => route === CONTACT)).toBe(false);
    responses.set(CONTACT, { body: { ...MARIA, participants: [{ ...MARIA, participantName: "Nora Newcomer" }] } });
    await userEvent.setup().click(dialog.getByRole("button", { name: "Show emergency contact" }));
    expect((await dialog.findByText("Maria Ortiz")).closest("p")?.textContent).toMatch(
      /^Emergency contact: Maria Ortiz \(sister\)/,
    );
    const phone = dialog.getByRole("link", { name: "+1 (303) 555-0199" });
    expect(phone.getAttribute("href")).toBe("tel:+13035550199");
    expect(calls.filter(({ route }) => route === CONTACT)).toHaveLength(1);
  });

  it("is shown for those of a group who have signed, with their name", async () => {
    const dialog = await open({ people: PEOPLE, party: 2, waiverDue: true, waiverUntil: null });
    responses.set(CONTACT, { body: { ...MARIA, participants: [{ ...MARIA, participantName: "Nora Newcomer" }] } });
    await userEvent.setup().click(dialog.getByRole("button", { name: "Show emergency contact" }));
    expect((await dialog.findByText("Maria Ortiz")).closest("p")?.textContent).toMatch(
      /^Emergency contact of Nora Newcomer: Maria Ortiz/,
    );
  });

  it("says why it is not shown", async () => {
    const message = "Only the guru can see emergency contacts.";
    responses.set(CONTACT, { status: 403, body: { code: "contact_hidden", message } });
    const dialog = await open();
    const user = userEvent.setup();
    await user.click(dialog.getByRole("button", { name: "Show emergency contact" }));
    expect(await dialog.findByText(message)).toBeTruthy();
    responses.set(CONTACT, { body: null });
    await user.click(dialog.getByRole("button", { name: "Show emergency contact" }));
    expect(await dialog.findByText("There's no emergency contact for this session.")).toBeTruthy();
  });

  it("says from when it can be seen", async () => {
    const dialog = await open({ startsAt: "2099-12-02T16:00:00Z", endsAt: "2099-12-02T17:00:00Z" });
    expect(dialog.getByText(/from Tue, Dec 1, 2099, 9:00 AM MST, a day before the session\./)).toBeTruthy();
    expect(dialog.queryByRole("button", { name: "Show emergency contact" })).toBeNull();
  });

  it.each<[string, Partial<GuruBookingDetails>, number, string]>([
    ["24 hours before", {}, -DAY, "open"],
    ["more than 24 hours before", {}, -DAY - 1, "later"],
    ["24 hours after the end", {}, HOUR + DAY, "open"],
    ["more than 24 hours after the end", {}, HOUR + DAY + 1, "none"],
    ["of a medium risk", { waiverLevel: "medium" }, 0, "none"],
    ["of an extreme risk", { waiverLevel: "extreme" }, 0, "open"],
    ["without a waiver", { waiverUntil: null }, 0, "none"],
    ["of a canceled session", { status: "canceled" }, 0, "none"],
    ["of a missed session", { status: "missed" }, 0, "open"],
  ])("%s: the window is right", (_name, changes, offset, state) => {
    const startsAt = "2026-12-01T16:00:00Z";
    const booking = { ...BOOKING, startsAt, endsAt: "2026-12-01T17:00:00Z", ...changes };
    expect(contactWindow(booking, Date.parse(startsAt) + offset).state).toBe(state);
  });
});

describe("the waivers of a booking", () => {
  const LINK = "POST /api/guru/bookings/b1/participants/2/link";

  it("are shown by name, with a reminder for those who have not signed", async () => {
    const dialog = await open({ people: PEOPLE, party: 2, waiverDue: true });
    const list = within(dialog.getByRole("region", { name: "Waivers" }));
    expect(list.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^Nora Newcomer signed, valid until .*Covered$/),
      expect.stringMatching(/^Theo Barnes signs with a personal linkNot yet signed/),
    ]);
    const user = userEvent.setup();
    responses.set(LINK, { status: 409, body: { code: "link_closed", message: "This link can't be sent now." } });
    const remind = list.getByRole("button", { name: "Email the link again to Theo Barnes" });
    await user.click(remind);
    expect(await list.findByText("This link can't be sent now.")).toBeTruthy();
    responses.set(LINK, { body: { ...BOOKING, people: PEOPLE } });
    await user.click(remind);
    expect(await list.findByText("The link is on its way.")).toBeTruthy();
  });
});
