import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const LINK = "B".repeat(43);
const GET = `GET /api/liability/links/${LINK}`;
const POST = `POST /api/liability/links/${LINK}/waiver`;
const SIGNING = {
  name: "Theo Barnes",
  bookerName: "Imani Okoye",
  guruLabel: "cooking",
  guruName: "Chef Guru",
  serviceId: "s-1",
  serviceName: "Knife Skills",
  startsAt: "2027-03-02T16:00:00Z",
  endsAt: "2027-03-02T17:00:00Z",
  zone: "America/Denver",
  level: "high",
  reasons: [],
  signed: false,
  canSignFrom: null,
};
const TEXT = { level: "high", version: 1, title: "Waiver", body: "# T\n\nRead it.", sha256: "aa", validDays: 30 };
const SIGNED = {
  waiverId: "w-1",
  acceptedAt: "2027-03-01T12:00:00Z",
  expiresAt: "2027-03-31T12:00:00Z",
  receipt: "/api/liability/link-receipts/abc",
};

beforeEach(() => {
  responses.set(GET, { body: SIGNING });
  responses.set("POST /api/liability/risk", {
    body: { rating: "high", level: "high", requiresWaiver: true, requiresContact: true, reasons: [], known: true },
  });
  responses.set("GET /api/liability/texts/high?exchangeId=cooking%2Fs-1", { body: { ...TEXT, guruText: null } });
});

async function fillIn() {
  renderApp(`/sign/${LINK}`);
  const user = userEvent.setup();
  await screen.findByText("Read it.");
  for (const tick of screen.getAllByRole("checkbox").slice(0, 3)) await user.click(tick);
  await user.type(screen.getByLabelText("Contact name"), "Maria Barnes");
  await user.type(screen.getByLabelText("Contact phone"), "+1 303 555 0199");
  return user;
}

it("signs without an account and offers the receipt", async () => {
  responses.set(POST, { status: 201, body: SIGNED });
  const user = await fillIn();
  const sign = screen.getByRole<HTMLButtonElement>("button", { name: "Sign the waiver" });
  expect(sign.disabled).toBe(true);
  await user.type(screen.getByLabelText("Participant's name"), "Theo Barnes");
  await user.click(sign);
  const heading = await screen.findByRole("heading", { name: "Thank you. The waiver is signed." });
  expect(document.activeElement).toBe(heading);
  expect(screen.getByRole("link", { name: "Download your copy" }).getAttribute("href")).toBe(SIGNED.receipt);
  const [call] = calls.filter(({ route }) => route === POST);
  expect(call?.body).toMatchObject({
    exchangeId: "cooking/s-1",
    riskLevel: "high",
    signature: { typedName: "Theo Barnes", participantName: "Theo Barnes", guardian: false },
  });
});

it("lets a guardian sign for the named child only", async () => {
  responses.set(POST, { status: 201, body: SIGNED });
  const user = await fillIn();
  await user.click(screen.getByLabelText("Theo Barnes is my child. I sign as a parent or legal guardian."));
  expect(screen.queryByLabelText("Name of the minor")).toBeNull();
  await user.type(screen.getByLabelText("Your name"), "Maria Barnes");
  await user.click(screen.getByRole("button", { name: "Sign the waiver" }));
  await screen.findByRole("heading", { name: "Thank you. The waiver is signed." });
  const [call] = calls.filter(({ route }) => route === POST);
  expect(call?.body).toMatchObject({
    signature: { typedName: "Maria Barnes", participantName: "Theo Barnes", guardian: true },
  });
});

it("shows no reasons of another level than the waiver's", async () => {
  const reasons = ["We treat it as medium risk until our team reviews it."];
  responses.set("POST /api/liability/risk", {
    body: { rating: "medium", level: "medium", requiresWaiver: false, requiresContact: false, reasons, known: false },
  });
  renderApp(`/sign/${LINK}`);
  await screen.findByText("Read it.");
  expect(screen.queryByText(reasons[0] ?? "")).toBeNull();
});

it("says that someone has signed already", async () => {
  const user = await fillIn();
  await user.type(screen.getByLabelText("Participant's name"), "Theo Barnes");
  responses.set(POST, () => {
    responses.set(GET, { body: { ...SIGNING, signed: true } });
    return { status: 409, body: { code: "already_signed", message: "This waiver is signed already." } };
  });
  await user.click(screen.getByRole("button", { name: "Sign the waiver" }));
  expect(await screen.findByRole("heading", { name: "This waiver is signed" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Download your copy" })).toBeNull();
});

it("says from when the waiver can be signed", async () => {
  responses.set(GET, { body: { ...SIGNING, canSignFrom: "2027-02-01T16:00:00Z" } });
  renderApp(`/sign/${LINK}`);
  expect((await screen.findByText(/^It's too early to sign/)).textContent).toMatch(/Feb 1, 2027, \d+:\d\d.[AP]M on/);
  expect(screen.queryByRole("checkbox")).toBeNull();
});

it("says what to do with a link that does not work", async () => {
  responses.set(GET, { status: 404, body: { code: "not_found", message: "Not found." } });
  renderApp(`/sign/${LINK}`);
  const main = within(await screen.findByRole("main"));
  expect(await main.findByText("This link doesn't work anymore")).toBeTruthy();
  expect(main.getByText(/Please ask the person who sent it to you\.$/)).toBeTruthy();
});
