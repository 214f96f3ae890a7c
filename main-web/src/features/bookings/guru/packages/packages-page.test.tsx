import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const PACKAGE = {
  id: "p1",
  serviceId: "s1",
  serviceName: "Lesson",
  name: "Five lessons",
  sessions: 5,
  days: 90,
  priceCents: 0,
  openGrants: 1,
};
const GRANT = {
  id: "g1",
  guruLabel: "ada",
  guruName: "Ada",
  serviceId: "s1",
  serviceName: "Lesson",
  name: "Five lessons",
  granted: 5,
  left: 3,
  used: 2,
  takenBack: 0,
  lastDay: "2027-03-01",
  isOpen: true,
  paidCents: 0,
  refundedCents: 0,
  disputed: false,
  unusedCents: 0,
  personName: "Wanda",
  isCustomer: true,
};
const DETAILS = {
  ...GRANT,
  events: [{ at: "2026-12-01T10:00:00Z", event: "granted", sessions: 5, lastDay: "2027-03-01", cents: 0, reason: "" }],
  refundCents: [0, 0, 0],
  uses: [
    { bookingId: "b1", startsAt: "2026-12-10T18:00:00Z", zone: "America/Denver", status: "canceled", sessions: 0 },
  ],
};
const CARDS = { state: "ready", feeBps: 1000, feeMinimumCents: 50, minimumCents: 500 };
const sent = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/guru/services", {
    body: { shown: true, services: [{ id: "s1", name: "Lesson", durationMinutes: 60 }] },
  });
  responses.set("GET /api/guru/card-payments", { body: CARDS });
  responses.set("GET /api/guru/packages", { body: { packages: [PACKAGE] } });
  responses.set("GET /api/guru/package-grants", { body: { grants: [GRANT], nextCursor: null } });
  responses.set("GET /api/guru/package-grants/g1", { body: DETAILS });
});

it("defines a package after saying what is missing", async () => {
  responses.set("GET /api/guru/packages", { body: { packages: [] } });
  responses.set("POST /api/guru/packages", { status: 201, body: PACKAGE });
  renderApp("/guru/services/packages", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Add a package" }));
  const dialog = within(await screen.findByRole("dialog"));
  const sessions = dialog.getByRole("textbox", { name: "Sessions" });
  await user.clear(sessions);
  await user.type(sessions, "1");
  await user.click(dialog.getByRole("button", { name: "Save package" }));
  expect(dialog.getByText("Enter a name")).toBeTruthy();
  expect(dialog.getByText("Enter 2 to 52 sessions")).toBeTruthy();
  await user.type(dialog.getByRole("textbox", { name: /^Name/ }), "Four lessons");
  await user.clear(sessions);
  await user.type(sessions, "4");
  await user.click(dialog.getByRole("button", { name: "Save package" }));
  expect(await screen.findByText("Added.")).toBeTruthy();
  expect(sent("POST /api/guru/packages")).toEqual([
    { serviceId: "s1", name: "Four lessons", sessions: 4, days: 90, priceCents: 0 },
  ]);
});

it("gives a package to someone who has booked", async () => {
  const person = {
    bookingId: "b1",
    name: "Wanda",
    isCustomer: true,
    serviceName: "Lesson",
    startsAt: "2026-12-01T18:00:00Z",
    zone: "America/Denver",
  };
  responses.set("GET /api/guru/package-people", { body: { people: [person], more: false } });
  responses.set("POST /api/guru/package-grants", { status: 201, body: DETAILS });
  renderApp("/guru/services/packages", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Give Five lessons" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Give package" }));
  expect(dialog.getByText("Choose a person")).toBeTruthy();
  await user.click(await dialog.findByRole("radio", { name: /^Wanda/ }));
  await user.click(dialog.getByRole("button", { name: "Give package" }));
  expect(await screen.findByText("Given. Tell Wanda about it.")).toBeTruthy();
  expect(sent("POST /api/guru/package-grants")).toEqual([{ packageId: "p1", bookingId: "b1", coversBooking: false }]);
});

it("takes unused sessions back with a reason", async () => {
  responses.set("POST /api/guru/package-grants/g1/withdrawal", {
    status: 409,
    body: { code: "package_gone", message: "This package changed in the meantime. Please reload." },
  });
  renderApp("/guru/services/packages", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Details of Five lessons of Wanda" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText(/session returned$/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Take back sessions" }));
  await user.click(dialog.getByRole("button", { name: "Take back" }));
  expect(dialog.getByText("Enter a reason")).toBeTruthy();
  await user.type(dialog.getByRole("textbox", { name: /^Reason/ }), "We agreed.");
  await user.click(dialog.getByRole("button", { name: "Take back" }));
  expect(await dialog.findByText("This package changed in the meantime. Please reload.")).toBeTruthy();
  expect(sent("POST /api/guru/package-grants/g1/withdrawal")).toEqual([{ sessions: 3, left: 3, reason: "We agreed." }]);
});

async function edit(item: object = PACKAGE) {
  responses.set("GET /api/guru/packages", { body: { packages: [item] } });
  renderApp("/guru/services/packages", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Edit Five lessons" }));
  const dialog = within(await screen.findByRole("dialog"));
  const price = dialog.getByLabelText<HTMLInputElement>(/^Price/);
  return { user, dialog, price, save: () => user.click(dialog.getByRole("button", { name: "Save package" })) };
}

it("sells a package for a price, and says what the guru gets of it", async () => {
  responses.set("PUT /api/guru/packages/p1", { body: { ...PACKAGE, priceCents: 20_000 } });
  const { user, dialog, price, save } = await edit();
  await user.type(price, "3");
  await save();
  expect(dialog.getByText("Enter $5 to $10,000, or leave it empty")).toBeTruthy();
  await user.clear(price);
  await user.type(price, "200");
  expect(await dialog.findByText("You get $180.00. Porchlight keeps $20.00 (10%).")).toBeTruthy();
  responses.set("GET /api/guru/packages", { body: { packages: [{ ...PACKAGE, priceCents: 20_000 }] } });
  await save();
  expect(await screen.findByText("$200.00")).toBeTruthy();
  expect(sent("PUT /api/guru/packages/p1")).toEqual([
    { name: "Five lessons", sessions: 5, days: 90, priceCents: 20_000 },
  ]);
});

it("stops selling a package without its price", async () => {
  responses.set("PUT /api/guru/packages/p1", { body: PACKAGE });
  const { user, price, save } = await edit({ ...PACKAGE, priceCents: 19_950 });
  expect(price.value).toBe("199.50");
  await user.clear(price);
  await save();
  await screen.findByText("Saved. It applies to people who get or buy it from now on.");
  expect(sent("PUT /api/guru/packages/p1")).toMatchObject([{ priceCents: 0 }]);
});

it("shows what the server says about the price, and keeps it", async () => {
  const fields = { priceCents: "Connect your payout account first." };
  responses.set("PUT /api/guru/packages/p1", { status: 422, body: { code: "validation", message: "No.", fields } });
  const { user, dialog, price, save } = await edit();
  await user.type(price, "200");
  await save();
  expect(await dialog.findByText("Connect your payout account first.")).toBeTruthy();
  expect(price.value).toBe("200");
});

it.each([
  ["plan_required", "You can't sell packages yet. Taking cards needs a plan that includes it.", "See the plans"],
  ["not_connected", "You can't sell packages yet. Connect your payout account first,", "Set up payouts"],
])("says why a package can't be sold yet: %s", async (state, text, link) => {
  responses.set("GET /api/guru/card-payments", { body: { ...CARDS, state } });
  const { dialog } = await edit();
  expect((await dialog.findByRole("status")).textContent).toContain(text);
  expect(dialog.getByRole("link", { name: link })).toBeTruthy();
});

it("says that people can't buy a package while the guru takes no cards", async () => {
  responses.set("GET /api/guru/card-payments", { body: { ...CARDS, state: "not_connected" } });
  const { dialog } = await edit({ ...PACKAGE, priceCents: 20_000 });
  expect(await dialog.findByText(/^People can't buy this package right now\./)).toBeTruthy();
});

const PAID = {
  ...DETAILS,
  paidCents: 25_000,
  refundedCents: 5000,
  unusedCents: 15_000,
  refundCents: [5000, 10_000, 15_000],
  events: [
    { at: "2026-12-01T10:00:00Z", event: "bought", sessions: 5, lastDay: "2027-03-01", cents: 25_000, reason: "" },
    { at: "2026-12-02T10:00:00Z", event: "taken_back", sessions: 1, lastDay: null, cents: 5000, reason: "We agreed." },
  ],
};

async function openGrant(grant: object) {
  responses.set("GET /api/guru/package-grants", { body: { grants: [grant], nextCursor: null } });
  responses.set("GET /api/guru/package-grants/g1", { body: grant });
  renderApp("/guru/services/packages", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Details of Five lessons of Wanda" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText(/sessions? used/);
  return { user, dialog };
}

it("says what was paid for a package and what is not earned yet", async () => {
  const { dialog } = await openGrant(PAID);
  expect(screen.getByText("Paid $250.00, $50.00 returned")).toBeTruthy();
  expect(dialog.getByText(/^Paid \$250\.00, \$50\.00 returned\. \$150\.00 of it isn't yours yet\./)).toBeTruthy();
  expect(dialog.getByText("Dec 1, 2026: Wanda bought 5 sessions for $250.00, until Mar 1, 2027.")).toBeTruthy();
  const taken = "Dec 2, 2026: you took back 1 session, and $50.00 went back to the card. Reason: We agreed.";
  expect(dialog.getByText(taken)).toBeTruthy();
});

it("says what goes back to the card for the sessions that are taken back", async () => {
  const { user, dialog } = await openGrant(PAID);
  await user.click(dialog.getByRole("button", { name: "Take back sessions" }));
  expect(dialog.getByText("Wanda gets $150.00 back on their card.")).toBeTruthy();
  const count = dialog.getByLabelText("Sessions to take back");
  await user.clear(count);
  expect(dialog.queryByText(/back on their card/)).toBeNull();
  await user.type(count, "1");
  expect(dialog.getByText("Wanda gets $50.00 back on their card.")).toBeTruthy();
});

it("says that the bank decides about a package", async () => {
  const { dialog } = await openGrant({ ...PAID, disputed: true });
  expect(screen.getByText("The bank decides")).toBeTruthy();
  expect(dialog.getByText(/^Wanda's bank is deciding about this payment\./)).toBeTruthy();
});
